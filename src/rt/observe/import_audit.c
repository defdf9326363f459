#include "rt/observe/import_audit.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

#include "abi/library_calls.h"
#include "rt/core/rt.h"

/*
 * Functions without a row in library_calls.h that are safe: they touch nothing that other threads see, they end the
 * thread or the program, or they print (which changes the streams of the C library, and step_record.c sees that).  A
 * star stands for any text.
 */
static const char *const fine[] = {
        "exit",
        "_exit",
        "_Exit",
        "abort",
        "__assert_fail",
        "__stack_chk_fail",
        "__errno_location",
        "usleep",
        "sleep",
        "_IO_putc",
        "__libc_single_threaded",
        "__ctype_b_loc",
        "__ctype_tolower_loc",
        "__ctype_toupper_loc",
        "toupper",
        "tolower",
        "isdigit",
        "isalpha",
        "isspace",
        "abs",
        "labs",
        "llabs",
        "div",
        "ldiv",
        "stdin",
        "stdout",
        "stderr",
        "environ",
        "__environ",
        "program_invocation_*",
        "pthread_self",
        "pthread_equal",
        "pthread_exit",
        "thrd_current",
        "thrd_exit",
        "thrd_equal",
        "pthread_attr_*",
        "pthread_mutexattr_*",
        "pthread_condattr_*",
        "pthread_rwlockattr_*",
        "pthread_barrierattr_*",
        /* internals of the compiler and of the C++ library */
        "__cxa_*",
        "__gxx_personality_v0",
        "__gcc_personality_v0",
        "_Unwind_*",
        "__gmon_start__",
        "_ITM_*",
        "__dso_handle",
        "_Znwm*",
        "_Znam*",
        "_ZdlPv*",
        "_ZdaPv*",
        "_ZSt9terminatev",
        "_ZSt*__throw_*",
        "_ZTV*",
        "_ZTI*",
        "_ZTS*",
        "_ZNSt6thread*",
        "_ZNSt18condition_variable*",
        "_ZNSt9exception*",
        "_ZNKSt9exception*",
        "_ZNSt13runtime_error*",
        "_ZNSt11logic_error*",
        "_ZNSt12out_of_range*",
        "_ZNSt16invalid_argument*",
        OMEN_STANDARD_STREAMS,
        "_ZSt18uncaught_exceptionv",
        "_ZNKSt5ctypeIcE13_M_widen_initEv",
        "_ZNKSt7num_putIc*",
        "_ZNSt8ios_base4Init*",
        "_ZNSols*",
        "_ZStls*",
        "_ZSt16__ostream_insert*",
        "_ZNSo9_M_insert*",
        "_ZNSo3put*",
        "_ZNSo5flush*",
        "_ZSt4endl*",
        /* mathematics */
        "sqrt*",
        "pow*",
        "exp*",
        "log*",
        "sin*",
        "cos*",
        "tan*",
        "floor*",
        "ceil*",
        "round*",
        "trunc*",
        "fabs*",
        "fmod*",
        "fmin*",
        "fmax*",
        "lround*",
        "hypot*",
};

/* Functions that do more than their row says. */
static const char *const more[] = {"popen",     "system",   "dlopen",      "dlsym",   "localtime",
                                   "gmtime",    "mktime",   "timegm",      "wait",    "waitpid",
                                   "sigaction", "strftime", "localtime_r", "ctime_r", "syslog"};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static bool matches(const char *pattern, const char *name)
{
	for (; *pattern; pattern++) {
		if (*pattern == '*') {
			do
				if (matches(pattern + 1, name))
					return true;
			while (*name++);
			return false;
		}
		if (*pattern != *name++)
			return false;
	}
	return !*name;
}

static bool is_among(const char *const *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (matches(list[i], name))
			return true;
	return false;
}

static bool has_row(const char *name)
{
	static const char *const rows[] = {
#define X(name, ...) #name,
	        OMEN_LIBCALLS(X) OMEN_LIBCALL_ALIASES(X)
#undef X
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		if (!strcmp(rows[i], name))
			return true;
	return false;
}

/*
 * Is the function in this library?  Do not call this for a name that may not exist: when dlsym() fails, the C library
 * allocates an error text on the program's heap.
 */
static bool is_ours(const char *name)
{
	uint64_t there = (uint64_t)dlsym(RTLD_DEFAULT, name);

	return there >= omen.text_low && there < omen.text_high;
}

static bool is_known(const char *name)
{
	if (!strncmp(name, "__tsan_", 7)) /* the library calls of such code have no hooks */
		return false;
	return !*name || !strncmp(name, "omen_", 5) || is_among(fine, COUNT(fine), name) ||
	       (has_row(name) && !is_among(more, COUNT(more), name)) || is_ours(name);
}

static const char *unknown_in(const ElfW(Rela) * r, uint64_t size, const ElfW(Sym) * symbols, const char *names)
{
	for (uint64_t i = 0; r && i < size / sizeof(*r); i++) {
		const ElfW(Sym) *s = &symbols[ELF64_R_SYM(r[i].r_info)];
		if (ELF64_R_SYM(r[i].r_info) &&
		    (s->st_shndx == SHN_UNDEF || ELF64_R_TYPE(r[i].r_info) == R_X86_64_COPY) &&
		    !is_known(names + s->st_name))
			return names + s->st_name;
	}
	return NULL;
}

/* The loader may have replaced an offset by an address. */
static const void *at(uint64_t base, uint64_t value) { return (const void *)(value < base ? base + value : value); }

static const char *unknown_of(uint64_t base, const ElfW(Dyn) * d)
{
	const ElfW(Rela) * table[2] = {0};
	uint64_t size[2] = {0};
	const ElfW(Sym) *symbols = NULL;
	const char *names = NULL, *found;

	for (; d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_RELA:
			table[0] = at(base, d->d_un.d_ptr);
			break;
		case DT_RELASZ:
			size[0] = d->d_un.d_val;
			break;
		case DT_JMPREL:
			table[1] = at(base, d->d_un.d_ptr);
			break;
		case DT_PLTRELSZ:
			size[1] = d->d_un.d_val;
			break;
		case DT_SYMTAB:
			symbols = at(base, d->d_un.d_ptr);
			break;
		case DT_STRTAB:
			names = at(base, d->d_un.d_ptr);
			break;
		default:
			break;
		}
	if (!symbols || !names)
		return "a program without a table of symbols";
	found = unknown_in(table[0], size[0], symbols, names);
	return found ? found : unknown_in(table[1], size[1], symbols, names);
}

/* The program comes first.  Of libraries, those that the rows and lists cover are safe. */
static int see_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	static const char *const libraries[] = {"*/libc.so*",  "*/libm.so*",     "*/libpthread.so*",
	                                        "*/ld-linux*", "*/libgcc_s.so*", "*/libstdc++.so*",
	                                        "linux-vdso*", "*/libomen.so*",  "*/libatomic.so*"};
	const char **found = arg;
	bool program = !*info->dlpi_name;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && program; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			*found = unknown_of(info->dlpi_addr,
			                    (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
	if (!program && !is_among(libraries, COUNT(libraries), info->dlpi_name))
		*found = info->dlpi_name;
	return *found != NULL;
}

const char *import_audit_unknown(void)
{
	const char *found = NULL;

	dl_iterate_phdr(see_module, &found);
	return found;
}
