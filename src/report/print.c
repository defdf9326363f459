#include "report/print.h"

#include <string.h>

#define LONG_NAME 60

const struct style style_plain = {"", "", "", ""};
const struct style style_coloured = {"\033[1m", "\033[1;31m", "\033[2m", "\033[0m"};

void print_place(FILE *out, const struct frame *f)
{
	if (f->file[0] && f->line)
		fprintf(out, "%s:%u", f->file, f->line);
	else if (f->file[0])
		fprintf(out, "%s", f->file);
	else if (f->module[0] && f->function[0])
		fprintf(out, "%s", f->module);
	else if (f->module[0])
		fprintf(out, "%s+0x%lx", f->module, f->offset);
	else
		fprintf(out, "0x%lx", f->address);
}

#define SMALL 1000000

void value_format(uint64_t value, uint32_t size, char *out, size_t room)
{
	uint64_t bits = size < 8 ? value & ((1ul << 8 * size) - 1) : value;
	int64_t number = size == 4 ? (int32_t)bits : (int64_t)bits;

	if (bits < SMALL)
		snprintf(out, room, "%lu", bits);
	else if (size >= 4 && number < 0 && number > -SMALL)
		snprintf(out, room, "%ld", number);
	else
		snprintf(out, room, "0x%lx", bits);
}

/* Leaves out the template arguments of a long name: they hide the rest. */
static void print_function(FILE *out, const char *name)
{
	int depth = 0;

	if (strlen(name) <= LONG_NAME || strstr(name, "operator<") || strstr(name, "operator>") ||
	    strstr(name, "operator-")) {
		fputs(name[0] ? name : "?", out);
		return;
	}
	for (; *name; name++) {
		if (*name == '>' && !--depth)
			fputs("…", out);
		if (!depth)
			fputc(*name, out);
		if (*name == '<' && !depth++)
			continue;
	}
}

void print_frames(FILE *out, const struct frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "      #%-2zu ", i);
		print_function(out, frames[i].function);
		fputc(' ', out);
		fputs(frames[i].function[0] && frames[i].file[0] ? "at " : "in ", out);
		print_place(out, &frames[i]);
		fputc('\n', out);
	}
}

void print_safely(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		fputc((unsigned char)text[i] < 0x20 && text[i] != '\t' ? '?' : text[i], out);
}
