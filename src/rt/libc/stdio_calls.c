/*
 * Functions that put bytes into the buffer of a stream of the C library, or take some out.  The order in which threads
 * call them shows in the output, though they need not make a syscall.  So there is a point before each call.
 * Instrumented code makes the point itself (omen_stream()), before anything that the call accesses is counted, and
 * announces the call.  It does so before calls that are not interposed as well, above all those of C++ streams.
 *
 * Bytes that reach the kernel later, perhaps when the program ends, were written by the caller of one of these
 * functions.  If the tool asks for that place (world_tracks_writer()), each call notes the bytes that it has added to
 * its stream.
 */
#define __NO_INLINE__ /* for the C library's headers: these functions are defined here */
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "rt/core/op.h"
#include "rt/world/world.h"
#include "rt/threads/notice.h"
#include "rt/core/real.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"

int __vfprintf_chk(FILE *f, int flag, const char *format, va_list args);
int __vprintf_chk(int flag, const char *format, va_list args);
int __fprintf_chk(FILE *f, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
char *__fgets_chk(char *s, size_t room, int n, FILE *f);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);

/* The C library's functions that do the work. */
/* clang-format off */
#define REALS(X)                                                                                                       \
	X(vfprintf) X(__vfprintf_chk) X(fputs) X(puts) X(fputc) X(putc) X(putchar) X(fwrite)                           \
	X(fputs_unlocked) X(fputc_unlocked) X(putc_unlocked) X(putchar_unlocked) X(fwrite_unlocked)                    \
	X(perror) X(fflush) X(fflush_unlocked) X(fclose)                                                               \
	X(fopen) X(fopen64) X(fdopen) X(fgetc) X(getc) X(getchar) X(ungetc) X(fgets) X(fread) X(getline) X(getdelim)   \
	X(fgets_unlocked) X(fread_unlocked) X(__fgets_chk) X(__fread_chk) X(__getdelim)                                \
	X(fputwc) X(putwc) X(fputws) X(fgetwc) X(getwc) X(ungetwc)
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
	uint64_t at = world_write_position(f->_fileno);

	return at == UINT64_MAX ? at : at + (uint64_t)(f->_IO_write_ptr - f->_IO_write_base);
}

static void note(const FILE *f, uint64_t from)
{
	if (from != UINT64_MAX)
		world_note_buffered(f->_fileno, from, position(f));
}

static void point(uint64_t where)
{
	struct fiber *f = omen.current;

	if (unlikely(!f))
		return;
	if (!f->announced) {
		sched_point(POINT_STREAM, where);
		OP(STREAM);
	}
	f->announced = false;
}

/* Where every operation is a point, the hook of a call with a row makes this point. */
EXPORT void omen_stream(int has_row, const struct omen_site *site)
{
	if (unlikely(!omen.current) || (has_row && mode_is(STEPS)))
		return;
	notice_call("a stream", false);
	sched_point(POINT_STREAM, where_site(site));
	OP(STREAM);
	omen.current->announced = has_row || mode_is(STEPS);
}

/* ---- the streams of C++ ---- */

static bool unsynchronised; /* the program called sync_with_stdio(false): the standard streams are like others. */

EXPORT void omen_streams_synchronise(int yes) { unsynchronised = !yes; }

static bool is_standard(const void *addr, void *const streams[OMEN_STREAMS])
{
	enum { OSTREAM = 272, ISTREAM = 280, INPUTS = 6 }; /* sizes in bytes, and the index of the first input stream */

	for (unsigned i = 0; i < OMEN_STREAMS && !unsynchronised; i++)
		if ((uint64_t)addr - (uint64_t)streams[i] < (i < INPUTS ? OSTREAM : ISTREAM) && streams[i])
			return true;
	return false;
}

EXPORT void omen_stream_load(const void *addr, void *value, size_t size, const struct omen_site *site,
                             void *const streams[OMEN_STREAMS])
{
	if (omen_hot->stamp != OMEN_UNWATCHED && !is_standard(addr, streams))
		omen_slow_loadn(addr, value, size, site);
}

EXPORT void omen_stream_store(void *addr, size_t size, const struct omen_site *site, void *const streams[OMEN_STREAMS])
{
	if (omen_hot->stamp != OMEN_UNWATCHED && !is_standard(addr, streams))
		omen_slow_store(addr, size, site);
}

/* ---- those of C ---- */

#define POINT_HERE point(where_code(__builtin_return_address(0)))

/* The call, on stream `f`, with its point, and with a note of the bytes that it adds. */
#define PUTS(f, call)                                                                                                  \
	({                                                                                                             \
		const FILE *stream = (f);                                                                              \
		POINT_HERE;                                                                                            \
		uint64_t from = unlikely(world_tracks_writer()) ? position(stream) : UINT64_MAX;                       \
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

/* ---- calls that add nothing, or an unknown number of bytes ---- */

#define USES(call)                                                                                                     \
	({                                                                                                             \
		POINT_HERE;                                                                                            \
		call;                                                                                                  \
	})

EXPORT void perror(const char *s) { USES(REAL(perror)(s)); }
EXPORT int fflush(FILE *f) { return USES(REAL(fflush)(f)); }
EXPORT int fflush_unlocked(FILE *f) { return USES(REAL(fflush_unlocked)(f)); }
EXPORT int fclose(FILE *f) { return USES(REAL(fclose)(f)); }
EXPORT int fgetc(FILE *f) { return USES(REAL(fgetc)(f)); }
EXPORT int getc(FILE *f) { return USES(REAL(getc)(f)); }
EXPORT int getchar(void) { return USES(REAL(getchar)()); }
EXPORT int ungetc(int c, FILE *f) { return USES(REAL(ungetc)(c, f)); }
EXPORT char *fgets(char *s, int n, FILE *f) { return USES(REAL(fgets)(s, n, f)); }
EXPORT size_t fread(void *p, size_t size, size_t n, FILE *f) { return USES(REAL(fread)(p, size, n, f)); }
EXPORT ssize_t getline(char **s, size_t *n, FILE *f) { return USES(REAL(getline)(s, n, f)); }
EXPORT ssize_t getdelim(char **s, size_t *n, int end, FILE *f) { return USES(REAL(getdelim)(s, n, end, f)); }
EXPORT ssize_t __getdelim(char **s, size_t *n, int end, FILE *f) { return USES(REAL(__getdelim)(s, n, end, f)); }
EXPORT char *fgets_unlocked(char *s, int n, FILE *f) { return USES(REAL(fgets_unlocked)(s, n, f)); }
EXPORT size_t fread_unlocked(void *p, size_t size, size_t n, FILE *f)
{
	return USES(REAL(fread_unlocked)(p, size, n, f));
}
EXPORT char *__fgets_chk(char *s, size_t room, int n, FILE *f) { return USES(REAL(__fgets_chk)(s, room, n, f)); }
EXPORT size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f)
{
	return USES(REAL(__fread_chk)(p, room, size, n, f));
}
EXPORT FILE *fopen(const char *name, const char *mode) { return USES(REAL(fopen)(name, mode)); }
EXPORT FILE *fopen64(const char *name, const char *mode) { return USES(REAL(fopen64)(name, mode)); }
EXPORT FILE *fdopen(int fd, const char *mode) { return USES(REAL(fdopen)(fd, mode)); }
EXPORT wint_t fputwc(wchar_t c, FILE *f) { return USES(REAL(fputwc)(c, f)); }
EXPORT wint_t putwc(wchar_t c, FILE *f) { return USES(REAL(putwc)(c, f)); }
EXPORT int fputws(const wchar_t *s, FILE *f) { return USES(REAL(fputws)(s, f)); }
EXPORT wint_t fgetwc(FILE *f) { return USES(REAL(fgetwc)(f)); }
EXPORT wint_t getwc(FILE *f) { return USES(REAL(getwc)(f)); }
EXPORT wint_t ungetwc(wint_t c, FILE *f) { return USES(REAL(ungetwc)(c, f)); }
