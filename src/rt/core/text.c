#include "rt/core/text.h"

#include "rt/core/rt.h"

#include <stdbool.h>
#include <stdint.h>

#include "rt/core/arch/x86_64/raw.h"

struct sink {
	char *buf;
	size_t size, used;
};

static void put(struct sink *s, char c)
{
	if (s->used + 1 < s->size)
		s->buf[s->used++] = c;
}

static void put_string(struct sink *s, const char *str)
{
	for (str = str ? str : "(null)"; *str; str++)
		put(s, *str);
}

static void put_number(struct sink *s, uint64_t n, unsigned base)
{
	char digits[24];
	int used = 0;

	do {
		digits[used++] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	while (used)
		put(s, digits[--used]);
}

static void put_signed(struct sink *s, int64_t n)
{
	if (n < 0)
		put(s, '-');
	put_number(s, n < 0 ? -(uint64_t)n : (uint64_t)n, 10);
}

size_t text_vformat(char *buf, size_t size, const char *format, va_list args)
{
	struct sink s = {buf, size, 0};

	for (; *format; format++) {
		if (*format != '%') {
			put(&s, *format);
			continue;
		}
		bool wide = *++format == 'l';
		if (wide)
			format++;
		switch (*format) {
		case 's':
			put_string(&s, va_arg(args, const char *));
			break;
		case 'c':
			put(&s, (char)va_arg(args, int));
			break;
		case 'd':
			put_signed(&s, wide ? va_arg(args, long) : va_arg(args, int));
			break;
		case 'u':
			put_number(&s, wide ? va_arg(args, unsigned long) : va_arg(args, unsigned), 10);
			break;
		case 'x':
			put_number(&s, wide ? va_arg(args, unsigned long) : va_arg(args, unsigned), 16);
			break;
		case 'p':
			put_string(&s, "0x");
			put_number(&s, (uintptr_t)va_arg(args, void *), 16);
			break;
		default:
			put(&s, *format);
			break;
		}
	}
	if (size)
		buf[s.used] = 0;
	return s.used;
}

size_t text_format(char *buf, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	size_t n = text_vformat(buf, size, format, args);
	va_end(args);
	return n;
}

static void say(const char *format, va_list args)
{
	char line[512];
	bool open = omen.board && omen.board->result.open_lines & LINE_ERROR;
	size_t n = text_format(line, sizeof(line), "%somen: ", open ? "\n" : "");

	n += text_vformat(line + n, sizeof(line) - n - 1, format, args);
	line[n++] = '\n';
	raw3(SYS_write, 2, line, n);
}

void text_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void text_die(const char *format, ...)
{
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);
	say(format, args);
	ending_omen_failed(format, again);
	raw1(SYS_exit_group, 1);
	__builtin_unreachable();
}
