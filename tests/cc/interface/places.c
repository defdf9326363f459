/* What a program may ask about code, and what it may have printed. */
#include <sanitizer/common_interface_defs.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void inner(void)
{
	__sanitizer_print_stack_trace();
	__asm__ volatile("");
}

__attribute__((noinline)) static void outer(void)
{
	inner();
	__asm__ volatile("");
}

/* The frames that are printed, read back from a pipe. */
static int frames(void)
{
	char text[8192];
	int ends[2], n = 0;

	if (pipe(ends))
		return -1;
	__sanitizer_set_report_fd((void *)(long)ends[1]);
	outer();
	close(ends[1]);
	ssize_t size = read(ends[0], text, sizeof(text) - 1);
	text[size > 0 ? size : 0] = 0;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		n += strstr(line, "#") && strstr(line, "places+0x");
	return n;
}

int main(void)
{
	char text[4096], expected[64];
	void *offset = NULL;

	if (frames() < 3)
		return puts("inner, outer and main are not on the stack");
	__sanitizer_symbolize_pc((void *)main, "<%p %m>", text, sizeof(text));
	snprintf(expected, sizeof(expected), "<%p ", (void *)main);
	if (strncmp(text, expected, strlen(expected)) || !strstr(text, "places>"))
		return puts(text);
	memset(text, 'x', sizeof(text));
	__sanitizer_symbolize_pc((void *)main, "much too long", text, 5);
	if (strlen(text) > 4)
		return puts("too much");
	if (!__sanitizer_get_module_and_offset_for_pc((void *)main, text, sizeof(text), &offset) ||
	    !strstr(text, "places") || !offset || offset >= (void *)main)
		return puts("the module is not known");
	if (__sanitizer_get_module_and_offset_for_pc((void *)8, text, sizeof(text), &offset))
		return puts("nothing is at 8");
	if (!__sanitizer_acquire_crash_state() || __sanitizer_acquire_crash_state())
		return puts("the first who crashes tells, nobody else");
	__sanitizer_set_report_path("told");
	__sanitizer_report_error_summary("told");
	return puts("42") < 0;
}
