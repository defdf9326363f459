/* A program for the stand-in runtime: says what it was started with, fails at seeds that its argument tells. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "rt/hooks.h"
#include "trace/board.h"

#ifndef NOTE
#define NOTE OMEN_VERSION
#endif

void stand_in_fail(int ending, const char *message, void *lock, const void *site);
uint64_t stand_in_seed(void);

__asm__(".section .note.omen,\"a\",@note\n.balign 4\n.long 5, 2f - 1f, 1\n.asciz \"Omen\"\n.balign 4\n"
        "1: .asciz \"" NOTE "\"\n2:\n.balign 4\n.previous");

/* A site as `omen cc` writes it: a write at counter.c:14 in add. */
__asm__(".section omen_sites,\"a\",@progbits\n.balign 4\nthe_site: .long .Lfile - ., .Lfunction - ., 14\n.short "
        "3\n.byte 1, 0\n"
        ".Lfile: .asciz \"counter.c\"\n.Lfunction: .asciz \"add\"\n.previous");
extern const char the_site[];

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;

static inline __attribute__((always_inline)) void inlined_wait(void)
{
	stand_in_fail(ENDING_DEADLOCK, "all threads wait", &lock_a, the_site);
}

static __attribute__((noinline)) void wait_for_ever(void)
{
	inlined_wait();
	__asm__ volatile("" ::: "memory"); /* no tail call: this frame is looked for */
}

static void say_surroundings(void)
{
	const unsigned char *random = (void *)getauxval(AT_RANDOM);
	int open_files = 0;

	for (int fd = 0; fd < 1024; fd++)
		open_files += fcntl(fd, F_GETFD) >= 0;
	printf("stack %p random %02x%02x vdso %lx files %d spin %s other %s\n", (void *)&open_files, random[0],
	       random[15], getauxval(AT_SYSINFO_EHDR), open_files, getenv("GOMP_SPINCOUNT"), getenv("OMEN_OTHER"));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	char line[64];
	uint64_t seed = stand_in_seed();

	fprintf(stderr, "argument %s\n", what);
	if (!strcmp(what, "surroundings"))
		say_surroundings();
	if (!strcmp(what, "cat"))
		while (fgets(line, sizeof line, stdin))
			fputs(line, stdout);
	if (!strcmp(what, "sleep"))
		sleep(100);
	if (!strcmp(what, "silent-death"))
		_exit(9);
	if (!strcmp(what, "fail") && seed % 10 == 3)
		wait_for_ever();
	if (!strcmp(what, "fail") && seed % 25 == 7)
		stand_in_fail(ENDING_ASSERTION, "x == 1", NULL, NULL);
	if (!strcmp(what, "always"))
		stand_in_fail(ENDING_CRASH, "segmentation fault", NULL, NULL);
	return 0;
}
