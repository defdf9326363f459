/*
 * Functions that put bytes into the buffer of a stream of the C library.  What reaches the kernel later, perhaps when
 * the program ends, was written by whoever called one of these; where somebody asks for that place (world_locates()),
 * the bytes that a call has added to its stream are told.  Nothing else is changed by standing in the way here.
 */
#define __NO_INLINE__ /* of the C library's headers: these functions are defined here */
#include <stdarg.h>
#include <stdio.h>

#include "rt/env/world.h"
#include "rt/real.h"
#include "rt/rt.h"

int __vfprintf_chk(FILE *f, int flag, const char *format, va_list args);
int __vprintf_chk(int flag, const char *format, va_list args);
int __fprintf_chk(FILE *f, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);

/* The functions that do the work. */
/* clang-format off */
#define REALS(X)                                                                                                       \
	X(vfprintf) X(__vfprintf_chk) X(fputs) X(puts) X(fputc) X(putc) X(putchar) X(fwrite)                           \
	X(fputs_unlocked) X(fputc_unlocked) X(putc_unlocked) X(putchar_unlocked) X(fwrite_unlocked)
/* clang-format on */

static struct {
#define X(name) __typeof__(&name) name;
	REALS(X)
#undef X
} real;

static void start(void)
{
	static const char *const names[] = {
#define X(name) #name,
	        REALS(X)
#undef X
	};

	real_find((void **)&real, names, sizeof(names) / sizeof(*names));
}

#define REAL(name) (likely(real.name != NULL) ? real.name : (start(), real.name))

/* Where the next byte of the stream will stand, or UINT64_MAX. */
static uint64_t position(const FILE *f)
{
	uint64_t at = world_position(f->_fileno);

	return at == UINT64_MAX ? at : at + (uint64_t)(f->_IO_write_ptr - f->_IO_write_base);
}

static void note(const FILE *f, uint64_t from)
{
	if (from != UINT64_MAX)
		world_buffered(f->_fileno, from, position(f));
}

/* The call, on stream `f`. */
#define PUTS(f, call)                                                                                                  \
	({                                                                                                             \
		const FILE *stream = (f);                                                                              \
		uint64_t from = unlikely(world_locates()) ? position(stream) : UINT64_MAX;                             \
		__typeof__(call) result = (call);                                                                      \
		if (unlikely(from != UINT64_MAX))                                                                      \
			note(stream, from);                                                                            \
		result;                                                                                                \
	})

EXPORT int vfprintf(FILE *f, const char *format, va_list args) { return PUTS(f, REAL(vfprintf)(f, format, args)); }
EXPORT int vprintf(const char *format, va_list args) { return PUTS(stdout, REAL(vfprintf)(stdout, format, args)); }

EXPORT int fprintf(FILE *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int r = PUTS(f, REAL(vfprintf)(f, format, args));
	va_end(args);
	return r;
}

EXPORT int printf(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int r = PUTS(stdout, REAL(vfprintf)(stdout, format, args));
	va_end(args);
	return r;
}

EXPORT int __vfprintf_chk(FILE *f, int flag, const char *format, va_list args)
{
	return PUTS(f, REAL(__vfprintf_chk)(f, flag, format, args));
}

EXPORT int __vprintf_chk(int flag, const char *format, va_list args)
{
	return PUTS(stdout, REAL(__vfprintf_chk)(stdout, flag, format, args));
}

EXPORT int __fprintf_chk(FILE *f, int flag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int r = PUTS(f, REAL(__vfprintf_chk)(f, flag, format, args));
	va_end(args);
	return r;
}

EXPORT int __printf_chk(int flag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int r = PUTS(stdout, REAL(__vfprintf_chk)(stdout, flag, format, args));
	va_end(args);
	return r;
}

EXPORT int fputs(const char *s, FILE *f) { return PUTS(f, REAL(fputs)(s, f)); }
EXPORT int puts(const char *s) { return PUTS(stdout, REAL(puts)(s)); }
EXPORT int fputc(int c, FILE *f) { return PUTS(f, REAL(fputc)(c, f)); }
EXPORT int putc(int c, FILE *f) { return PUTS(f, REAL(putc)(c, f)); }
EXPORT int putchar(int c) { return PUTS(stdout, REAL(putchar)(c)); }
EXPORT size_t fwrite(const void *p, size_t size, size_t n, FILE *f) { return PUTS(f, REAL(fwrite)(p, size, n, f)); }
EXPORT int fputs_unlocked(const char *s, FILE *f) { return PUTS(f, REAL(fputs_unlocked)(s, f)); }
EXPORT int fputc_unlocked(int c, FILE *f) { return PUTS(f, REAL(fputc_unlocked)(c, f)); }
EXPORT int putc_unlocked(int c, FILE *f) { return PUTS(f, REAL(putc_unlocked)(c, f)); }
EXPORT int putchar_unlocked(int c) { return PUTS(stdout, REAL(putchar_unlocked)(c)); }

EXPORT size_t fwrite_unlocked(const void *p, size_t size, size_t n, FILE *f)
{
	return PUTS(f, REAL(fwrite_unlocked)(p, size, n, f));
}
