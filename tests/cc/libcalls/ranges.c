/*
 * Which bytes of its arguments does a library call access?  A thread makes the call without an order to main, which
 * reads every byte in one phase and writes every byte in the other.  A byte that races with main's read is written by
 * the call (w), one that races with main's write only is read (r), the others are untouched (.).
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "omen.h"

#define BYTES 24

static volatile long sink;
static int fds[2], pair[2];
static FILE *file;

static void format(char *out, const char *how, ...)
{
	va_list args;
	va_start(args, how);
	vsnprintf(out, 9, how, args);
	va_end(args);
}

static void scan(const char *text, const char *how, ...)
{
	va_list args;
	va_start(args, how);
	sink = vsscanf(text, how, args);
	va_end(args);
}

#define MESSAGE(p, n, q, m) (&(struct msghdr){.msg_iov = (struct iovec[]){{p, n}, {q, m}}, .msg_iovlen = 2})

static int compare(const void *x, const void *y) { return *(const char *)x - *(const char *)y; }

static void filled_pipe(const char *text)
{
	if (write(fds[1], text, strlen(text)) < 0)
		abort();
}

/* X(what, contents of a, of b, the bytes of a, of b, code) */
#define CASES(X)                                                                                                       \
	X(nothing, "abc", "", "", "", (void)a)                                                                         \
	X(load, "abc", "", "r", "", sink = a[0])                                                                       \
	X(strlen, "abc", "", "rrrr", "", sink = strlen(a))                                                             \
	X(strnlen, "abcdef", "", "rrr", "", sink = strnlen(a, 3))                                                      \
	X(strnlen_long, "ab", "", "rrr", "", sink = strnlen(a, 8))                                                     \
	X(strcpy, "", "abc", "wwww", "rrrr", strcpy(a, b))                                                             \
	X(stpcpy, "", "abc", "wwww", "rrrr", sink = *stpcpy(a, b))                                                     \
	X(strncpy, "", "ab", "wwwwwwwww", "rrr", strncpy(a, b, 9))                                                     \
	X(strcat, "ab", "cd", "rrwww", "rrr", strcat(a, b))                                                            \
	X(strncat, "ab", "cdef", "rrwww", "rr", strncat(a, b, 2))                                                      \
	X(strcmp, "abcd", "abxd", "rrr", "rrr", sink = strcmp(a, b))                                                   \
	X(strcmp_equal, "ab", "ab", "rrr", "rrr", sink = strcmp(a, b))                                                 \
	X(strncmp, "abcd", "abcx", "rr", "rr", sink = strncmp(a, b, 2))                                                \
	X(strncmp_nothing, "abcd", "abcx", "", "", sink = strncmp(a, b, 0))                                            \
	X(strcasecmp, "aBc", "Abd", "rrr", "rrr", sink = strcasecmp(a, b))                                             \
	X(strncasecmp, "aBc", "Abd", "rr", "rr", sink = strncasecmp(a, b, 2))                                          \
	X(strchr, "abcd", "", "rrr", "", sink = (long)strchr(a, 'c'))                                                  \
	X(strchr_none, "abcd", "", "rrrrr", "", sink = (long)strchr(a, 'x'))                                           \
	X(strrchr, "abcd", "", "rrrrr", "", sink = (long)strrchr(a, 'a'))                                              \
	X(strstr, "abcd", "bc", "rrr", "rrr", sink = (long)strstr(a, b))                                               \
	X(strstr_none, "abcd", "x", "rrrrr", "rr", sink = (long)strstr(a, b))                                          \
	X(strspn, "aab", "a", "rrr", "rr", sink = strspn(a, b))                                                        \
	X(strcspn, "aab", "b", "rrr", "rr", sink = strcspn(a, b))                                                      \
	X(strpbrk, "abc", "xb", "rr", "rrr", sink = (long)strpbrk(a, b))                                               \
	X(strdup, "abc", "", "rrrr", "", free(strdup(a)))                                                              \
	X(strndup, "abc", "", "rr", "", free(strndup(a, 2)))                                                           \
	X(strtok_r, "ab,cd", "", "rrw", "wwwwwwww", sink = (long)strtok_r(a, ",", (char **)b))                         \
	X(strtok_r_last, "ab", "", "rrr", "wwwwwwww", sink = (long)strtok_r(a, ",", (char **)b))                       \
	X(strsep, "ab,cd", "", "rrw", "wwwwwwww", *(char **)b = a; sink = (long)strsep((char **)b, ","))               \
	X(strtol, " 12x", "", "rrrr", "wwwwwwww", sink = strtol(a, (char **)b, 10))                                    \
	X(strtoul, "0x1fg", "", "rrrrr", "", sink = (long)strtoul(a, NULL, 0))                                         \
	X(strtod, "1.5 ", "", "rrrr", "", sink = (long)strtod(a, NULL))                                                \
	X(atoi, "-7", "", "rrr", "", sink = atoi(a))                                                                   \
	X(memcpy, "", "abc", "www", "rrr", memcpy(a, b, sink = 3))                                                     \
	X(memmove, "abcd", "", "rrwww", "", memmove(a + 2, a, sink = 3))                                               \
	X(memset, "", "", "wwww", "", memset(a, 1, sink = 4))                                                          \
	X(bzero, "", "", "wwww", "", bzero(a, sink = 4))                                                               \
	X(memcmp, "abcd", "abxd", "rrrr", "rrrr", sink = memcmp(a, b, 4))                                              \
	X(memchr, "abcd", "", "rr", "", sink = (long)memchr(a, 'b', 4))                                                \
	X(memmem, "abcd", "bc", "rrr", "rr", sink = (long)memmem(a, 4, b, 2))                                          \
	X(qsort, "dcba", "", "wwww", "", qsort(a, 4, 1, compare))                                                      \
	X(wcslen, "", "", "rrrr", "", sink = wcslen((wchar_t *)a))                                                     \
	X(sprintf, "", "", "wwww", "", sprintf(a, "%d", 123))                                                          \
	X(snprintf, "", "", "wwwwwwww", "", snprintf(a, 8, "%s", "a long text"))                                       \
	X(snprintf_short, "", "", "www", "", snprintf(a, 8, "%d", 42))                                                 \
	X(snprintf_nothing, "", "", "", "", sink = snprintf(a, 0, "%d", 42))                                           \
	X(vsnprintf, "", "%d", "www", "rrr", format(a, b, 42))                                                         \
	X(percent_s, "abc", "de", "rrrr", "rr", fprintf(file, "%d%%%s%*d %.2s%m%c", 1, a, 3, 4, b, 'x'))               \
	X(percent_star_s, "abc", "de", "r", "rrr", fprintf(file, "%*.*s%5.*s%ls", 9, 1, a, -1, b, L""))                \
	X(puts_format, "%d\n", "", "rrrr", "", fprintf(file, a, 3))                                                    \
	X(fputs, "abc", "", "rrrr", "", fputs(a, file))                                                                \
	X(fwrite, "abcdefgh", "", "rrrrrr", "", fwrite(a, 2, 3, file))                                                 \
	X(read, "", "", "www", "", filled_pipe("abc"); sink = read(fds[0], a, 9))                                      \
	X(read_fails, "", "", "", "", sink = read(999, a, 9))                                                          \
	X(write, "abcd", "", "rrr", "", sink = write(fds[1], a, 3); sink = read(fds[0], (char[4]){0}, 4))              \
	X(readv, "", "", "wwww", "w", filled_pipe("abcde"); sink = readv(fds[0], (struct iovec[]){{a, 4}, {b, 4}}, 2)) \
	X(writev, "ab", "cd", "rr", "r", sink = writev(fds[1], (struct iovec[]){{a, 2}, {b, 1}}, 2);                   \
	  sink = read(fds[0], (char[4]){0}, 4))                                                                        \
	X(fread, "", "", "wwwwww", "", rewind(file); sink = fread(a, 2, 3, file))                                      \
	X(fgets, "", "", "wwww", "", FILE *f = fmemopen("ab\ncd", 5, "r"); sink = (long)fgets(a, 9, f); fclose(f))     \
	X(getline, "", "", "wwww", "wwwwwwww", FILE *f = fmemopen("ab\ncd", 5, "r"); static char *line; line = a;      \
	  *(size_t *)b = BYTES; sink = getline(&line, (size_t *)b, f); fclose(f))                                      \
	X(pipe, "", "", "wwwwwwww", "", sink = pipe((int *)a); close(((int *)a)[0]); close(((int *)a)[1]))             \
	X(stat, "/", "", "rr", "", struct stat st; sink = stat(a, &st))                                                \
	X(poll, "\1\0\0\0\1", "", "rrrrrrww", "", sink = poll((struct pollfd *)a, 1, 0))                               \
	X(select, "", "", "wwwwwwww", "", sink = select(5, (fd_set *)a, NULL, NULL, &(struct timeval){0}))             \
	X(clock_gettime, "", "", "wwwwwwwwwwwwwwww", "", clock_gettime(CLOCK_MONOTONIC, (struct timespec *)a))         \
	X(time, "", "", "wwwwwwww", "", time((time_t *)a))                                                             \
	X(gmtime_r, "", "", "rrrrrrrr", "", struct tm tm; gmtime_r((time_t *)a, &tm))                                  \
	X(inet_pton, "1.2.3.4", "", "rrrrrrrr", "wwww", sink = inet_pton(AF_INET, a, b))                               \
	X(inet_ntop, "", "", "", "wwwwwwww", static char addr[4]; sink = (long)inet_ntop(AF_INET, addr, b, BYTES))     \
	X(getcwd, "", "", "ww", "", if (chdir("/")) abort(); sink = (long)getcwd(a, BYTES))                            \
	X(setsockopt, "", "", "rrrr", "", sink = setsockopt(999, SOL_SOCKET, SO_REUSEADDR, a, 4))                      \
	X(send, "ab", "", "rr", "", sink = send(999, a, 2, 0))                                                         \
	X(sscanf, "", "", "wwww", "wwww", sink = sscanf("5 abc", "%d %s", (int *)a, b))                                \
	X(sscanf_one, "", "", "wwww", "", sink = sscanf("5 x", "%d %d", (int *)a, (int *)b))                           \
	X(sscanf_none, "", "", "", "", sink = sscanf("x", "%d %s", (int *)a, b))                                       \
	X(sscanf_sizes, "", "", "w.ww....wwww", "wwwwwwww", sink = sscanf("1 2 3 4.5", "%hhd%hd%*d%lf%n",              \
	  (signed char *)a, (short *)(a + 2), (double *)b, (int *)(a + 8)))                                            \
	X(sscanf_sets, "", "", "wwww", "w", sink = sscanf("]ab-1", "%3[]ab]%*[-^]%c", a, b))                           \
	X(sscanf_counts, "", "", "wwww", "w", sink = sscanf("7 :", "%hhd %n;%n", b, (int *)a, (int *)(b + 8)))         \
	X(sscanf_allocates, "", "", "wwwwwwww", "", sink = sscanf("word", "%ms", (char **)a); free(*(char **)a))       \
	X(sscanf_input, " 12", "", "rr", "wwww", sink = sscanf(a, "%d", (int *)b))                                     \
	X(sscanf_text, "ab", "cd", "rrr", "", sink = sscanf("x", a, b))                                                \
	X(fscanf, "", "", "wwww", "", FILE *f = fmemopen("77", 2, "r"); sink = fscanf(f, "%d", (int *)a); fclose(f))   \
	X(vsscanf, "", "%d%*c%hd", "wwww", "rrrrrrrrr", scan("4,5", b, a, (short[1]){0}))                              \
	X(strerror_r_unknown, "", "", "wwwwwwwwwwwwwwwwwww", "", sink = (long)strerror_r(9999, a, BYTES))              \
	X(strerror_r_known, "", "", "", "", sink = (long)strerror_r(2, a, BYTES))                                      \
	X(sem_getvalue, "", "", "wwww", "", static sem_t sem; sink = sem_getvalue(&sem, (int *)a))                     \
	X(strtok, "ab,cd", ",", "rrw", "rr", sink = (long)strtok(a, b))                                                \
	X(localtime, "", "", "rrrrrrrr", "", sink = (long)localtime((time_t *)a))                                      \
	X(sendmsg, "ab", "cd", "rr", "r", sink = sendmsg(pair[1], MESSAGE(a, 2, b, 1), 0); sink = read(pair[0], (char[4]){0}, 4)) \
	X(recvmsg, "", "", "ww", "w", sink = write(pair[1], "abc", 3); sink = recvmsg(pair[0], MESSAGE(a, 2, b, 4), 0)) \
	X(wcsnlen, "a\0\0\0b\0\0\0", "", "rrrrrrrr", "", sink = wcsnlen((wchar_t *)a, 2))                              \
	X(wcscpy, "", "a\0\0\0", "wwwwwwww", "rrrrrrrr", wcscpy((wchar_t *)a, (wchar_t *)b))                           \
	X(wcsncpy, "", "", "wwwwwwwwwwww", "rrrr", wcsncpy((wchar_t *)a, (wchar_t *)b, 3))                             \
	X(wcscat, "a\0\0\0", "b\0\0\0", "rrrrwwwwwwww", "rrrrrrrr", wcscat((wchar_t *)a, (wchar_t *)b))                \
	X(wcscmp, "a\0\0\0b\0\0\0", "b\0\0\0", "rrrr", "rrrr", sink = wcscmp((wchar_t *)a, (wchar_t *)b))              \
	X(wcsncmp, "a\0\0\0b\0\0\0", "a\0\0\0c\0\0\0", "rrrr", "rrrr", sink = wcsncmp((wchar_t *)a, (wchar_t *)b, 1))  \
	X(wcschr, "a\0\0\0b\0\0\0", "", "rrrrrrrr", "", sink = (long)wcschr((wchar_t *)a, L'b'))                       \
	X(wcsstr, "a\0\0\0b\0\0\0", "b\0\0\0", "rrrrrrrr", "rrrrrrrr", sink = (long)wcsstr((wchar_t *)a, (wchar_t *)b)) \
	X(wcsspn, "a\0\0\0b\0\0\0", "a\0\0\0", "rrrrrrrr", "rrrrrrrr", sink = wcsspn((wchar_t *)a, (wchar_t *)b))      \
	X(wmemchr, "a\0\0\0b\0\0\0", "", "rrrr", "", sink = (long)wmemchr((wchar_t *)a, L'a', 2))                      \
	X(swprintf, "", "", "wwwwwwwwwwww", "", sink = swprintf((wchar_t *)a, 6, L"%d", 42))

#define X(name, a0, b0, a_want, b_want, ...)                                                                           \
	static void call_##name(char *a, char *b)                                                                      \
	{                                                                                                              \
		(void)b;                                                                                               \
		__VA_ARGS__;                                                                                           \
	}
CASES(X)
#undef X

static const struct test {
	const char *name;
	const char *contents[2];
	size_t size[2];
	const char *want[2];
	void (*call)(char *, char *);
} tests[] = {
#define X(name, a0, b0, a_want, b_want, ...) {#name, {a0, b0}, {sizeof(a0), sizeof(b0)}, {a_want, b_want}, call_##name},
        CASES(X)
#undef X
};
#define TESTS (sizeof(tests) / sizeof(*tests))

enum { PROBE_READS, PROBE_WRITES, PHASES };
static _Alignas(16) char memory[TESTS][PHASES][2][BYTES + 8];

static void *make_call(void *arg)
{
	char(*m)[BYTES + 8] = arg;
	const struct test *t = &tests[(m - memory[0][0]) / (2 * PHASES)];

	t->call(m[0], m[1]);
	return NULL;
}

static void probe(volatile char *p, int phase)
{
	for (int i = 0; i < BYTES; i++) {
		char seen = p[i];
		if (phase == PROBE_WRITES)
			p[i] = seen;
	}
}

static void run_phase(const struct test *t, int phase)
{
	char(*m)[BYTES + 8] = memory[t - tests][phase];
	pthread_t thread;

	for (int i = 0; i < 2; i++)
		memcpy(m[i], t->contents[i], t->size[i]);
	pthread_create(&thread, NULL, make_call, m);
	probe(m[0], phase);
	probe(m[1], phase);
	pthread_join(thread, NULL);
}

static int check(const struct test *t, int buffer)
{
	char got[BYTES + 1] = "", want[BYTES + 1];

	for (int i = 0; i < BYTES; i++) {
		int written = omen_raced(&memory[t - tests][PROBE_READS][buffer][i], 1);
		int touched = omen_raced(&memory[t - tests][PROBE_WRITES][buffer][i], 1);
		got[i] = written ? 'w' : touched ? 'r' : '.';
	}
	memset(want, '.', BYTES);
	want[BYTES] = '\0';
	memcpy(want, t->want[buffer], strlen(t->want[buffer]));
	if (!strcmp(got, want))
		return 1;
	printf("FAIL cc/libcalls %s: %c is %s, not %s\n", t->name, 'a' + buffer, got, want);
	return 0;
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (pipe(fds) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || !(file = tmpfile()))
		abort();
	for (size_t i = 0; i < TESTS; i++) {
		run_phase(&tests[i], PROBE_READS);
		run_phase(&tests[i], PROBE_WRITES);
		if (check(&tests[i], 0) & check(&tests[i], 1))
			printf("ok cc/libcalls %s\n", tests[i].name);
	}
}
