/*
 * The interface that all sanitizers have in common (sanitizer/common_interface_defs.h, linux_syscall_hooks.h,
 * coverage_interface.h).  Programs that were written for ThreadSanitizer call it, so it must exist.
 *
 * Functions that can do something do it.  The tool reports races after the execution, so while the program runs there
 * is no report that it could change or read.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "rt/ending/ending.h"
#include "rt/core/rt.h"
#include "rt/core/text.h"

#define INTERFACE EXPORT __attribute__((used))
#define WEAK      EXPORT __attribute__((weak, used))
#define UNUSED    __attribute__((unused))

/* ---- the file for text ---- */

static struct {
	int fd; /* -1: the file is not open yet */
	char path[4096];
	char whole[4096 + 16]; /* `path` and the process's id */
} report = {.fd = 2, .path = "stderr"};

INTERFACE void __sanitizer_set_report_fd(void *fd);
void __sanitizer_set_report_fd(void *fd) { report.fd = (int)(intptr_t)fd; }

INTERFACE void __sanitizer_set_report_path(const char *path);
void __sanitizer_set_report_path(const char *path)
{
	if (!path)
		path = "stderr";
	if (strlen(path) >= sizeof(report.path))
		return;
	report.fd = !strcmp(path, "stderr") ? 2 : !strcmp(path, "stdout") ? 1 : -1;
	strcpy(report.path, path);
}

INTERFACE const char *__sanitizer_get_report_path(void);
const char *__sanitizer_get_report_path(void)
{
	if (!strcmp(report.path, "stderr") || !strcmp(report.path, "stdout"))
		return report.path;
	text_format(report.whole, sizeof(report.whole), "%s.%d", report.path, getpid());
	return report.whole;
}

/* This is output of the program; it is recorded like any other. */
static void put(const char *text, size_t size)
{
	if (report.fd < 0)
		report.fd = open(__sanitizer_get_report_path(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0660);
	for (ssize_t n; size; text += n, size -= (size_t)n)
		if ((n = write(report.fd, text, size)) <= 0)
			return;
}

INTERFACE void __sanitizer_report_error_summary(const char *summary);
void __sanitizer_report_error_summary(const char *summary)
{
	char line[1024];
	size_t n = text_format(line, sizeof(line) - 1, "SUMMARY: %s", summary);

	line[n++] = '\n';
	put(line, n);
}

/* ---- places ---- */

struct place {
	const char *function, *module;
	uint64_t offset;
};

/* Only names that the dynamic linker knows. */
static struct place place_of(const void *at)
{
	struct place p = {.module = "", .offset = (uint64_t)at};
	Dl_info info;

	if (!dladdr(at, &info))
		return p;
	p.function = info.dli_sname;
	p.module = info.dli_fname ? info.dli_fname : "";
	p.offset = (uint64_t)at - (uint64_t)info.dli_fbase;
	return p;
}

INTERFACE void __sanitizer_print_stack_trace(void);
void __sanitizer_print_stack_trace(void)
{
	static struct board_stack stack;
	char line[4096];

	if (!omen.current)
		return;
	ending_stack(&stack);
	for (uint32_t i = 0; i < stack.depth; i++) {
		struct place p = place_of((const void *)stack.pc[i]);
		size_t n = text_format(line, sizeof(line), "    #%u %p %s%s(%s+0x%lx)\n", i, (void *)stack.pc[i],
		                       p.function ? "in " : "", p.function ? p.function : "", p.module, p.offset);
		put(line, n);
	}
	put("\n", 1);
}

/* One piece of a format: the letters of sanitizers for which there is something to print. */
static size_t put_piece(char *to, size_t room, char letter, const void *at, const struct place *p)
{
	switch (letter) {
	case '%':
		return text_format(to, room, "%%");
	case 'p':
		return text_format(to, room, "%p", at);
	case 'm':
		return text_format(to, room, "%s", p->module);
	case 'o':
		return text_format(to, room, "0x%lx", p->offset);
	case 'f':
	case 'g':
		return text_format(to, room, "%s", p->function ? p->function : "??");
	case 'F':
		return text_format(to, room, "in %s", p->function ? p->function : "??");
	case 's':
		return text_format(to, room, "??");
	case 'l':
	case 'c':
	case 'n':
		return text_format(to, room, "0");
	case 'L':
	case 'S':
	case 'M':
		return text_format(to, room, "(%s+0x%lx)", p->module, p->offset);
	default:
		return text_format(to, room, "%c", letter);
	}
}

static void describe(const void *at, const char *format, char *to, size_t room)
{
	struct place p = place_of(at);

	for (; room > 1 && *format; format++) {
		size_t n = 1;
		if (*format == '%' && format[1])
			n = put_piece(to, room, *++format, at, &p);
		else
			*to = *format;
		to += n;
		room -= n;
	}
	if (room)
		*to = 0;
}

INTERFACE void __sanitizer_symbolize_pc(void *pc, const char *format, char *to, size_t size);
void __sanitizer_symbolize_pc(void *pc, const char *format, char *to, size_t size) { describe(pc, format, to, size); }

INTERFACE void __sanitizer_symbolize_global(void *data, const char *format, char *to, size_t size);
void __sanitizer_symbolize_global(void *data, const char *format, char *to, size_t size)
{
	describe(data, format, to, size);
}

INTERFACE int __sanitizer_get_module_and_offset_for_pc(void *pc, char *module, size_t size, void **offset);
int __sanitizer_get_module_and_offset_for_pc(void *pc, char *module, size_t size, void **offset)
{
	struct place p = place_of(pc);

	if (!*p.module)
		return 0;
	if (module && size)
		text_format(module, size, "%s", p.module);
	if (offset)
		*offset = (void *)p.offset;
	return 1;
}

/* ---- the rest ---- */

/* True for the first caller, who reports a crash; the others must be silent. */
INTERFACE int __sanitizer_acquire_crash_state(void);
int __sanitizer_acquire_crash_state(void)
{
	static bool taken;
	bool first = !taken;

	taken = true;
	return first;
}

#define NOTHING(name, ...)                                                                                             \
	INTERFACE void name(__VA_ARGS__);                                                                              \
	void name(__VA_ARGS__) {}

/* Omen never ends a program for ThreadSanitizer, and it has neither a sandbox nor coverage. */
NOTHING(__sanitizer_set_death_callback, void (*callback)(void) UNUSED)
NOTHING(__sanitizer_sandbox_on_notify, void *arguments UNUSED)
NOTHING(__sanitizer_cov_dump, void)
NOTHING(__sanitizer_cov_reset, void)
NOTHING(__sanitizer_dump_coverage, const uintptr_t *pcs UNUSED, uintptr_t n UNUSED)

/* A program may define these functions, which a sanitizer would call; Omen does not call them. */
INTERFACE const char *__tsan_default_options(void);
INTERFACE const char *__tsan_default_suppressions(void);
INTERFACE const char *__ubsan_default_options(void);
WEAK const char *__tsan_default_options(void) { return ""; }
WEAK const char *__tsan_default_suppressions(void) { return ""; }
WEAK const char *__ubsan_default_options(void) { return ""; }

static void nothing(void) {}

/* Functions that ignore their arguments, whatever these are. */
#define SILENT(name)                                                                                                   \
	INTERFACE void name(void);                                                                                     \
	WEAK void name(void) __attribute__((alias("nothing")));
SILENT(__sanitizer_weak_hook_memcmp)
SILENT(__sanitizer_weak_hook_memmem)
SILENT(__sanitizer_weak_hook_strcasecmp)
SILENT(__sanitizer_weak_hook_strcasestr)
SILENT(__sanitizer_weak_hook_strcmp)
SILENT(__sanitizer_weak_hook_strncasecmp)
SILENT(__sanitizer_weak_hook_strncmp)
SILENT(__sanitizer_weak_hook_strstr)

/* Hooks before and after syscalls that programs make themselves: these are trapped, so the hooks do nothing. */
#include "syscall_hooks.h" /* SILENT(name) for each hook that clang's header declares: Makefile */
