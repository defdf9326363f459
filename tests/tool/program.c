/* A program for the stand-in runtime: prints how it was started, and fails at seeds that its argument selects. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "abi/hooks.h"
#include "abi/board.h"

#ifndef NOTE
#define NOTE OMEN_HOOKS
#endif

void stand_in_fail(int ending, const char *message, void *lock, const void *site);
void stand_in_race(const void *const sites[2], const uint32_t flags[2], void *address, void *lock);
void stand_in_scribble(void);
uint64_t stand_in_seed(void);

__asm__(".section .note.omen,\"a\",@note\n.balign 4\n.long 5, 2f - 1f, 1\n.asciz \"Omen\"\n.balign 4\n"
        "1: .asciz \"" NOTE "\"\n2:\n.balign 4\n.previous");

/* Sites as omen-cc writes them: 16 bytes each, strings relative to their fields. */
#define SITE(line, column, kind) ".long .Lfile - ., .Lfunction - ., " line "\n.short " column "\n.byte " kind ", 0\n"
/* clang-format off */
__asm__(".section omen_sites,\"a\",@progbits\n.balign 4\n"
        "the_site: " SITE("14", "3", "1")
        "read_site: " SITE("15", "13", "0")
        "twin_site: " SITE("16", "3", "1")
        "many_sites: .rept 600\n" SITE("15", "13", "0") ".endr\n"
        ".Lfile: .asciz \"counter.c\"\n.Lfunction: .asciz \"add\"\n.previous");
/* clang-format on */
extern const char the_site[], read_site[], twin_site[], many_sites[];

static struct {
	char name[8];
	struct {
		int min, max;
	} limits[4];
} config;

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;

static inline __attribute__((always_inline)) void inlined_wait(void)
{
	stand_in_fail(ENDING_DEADLOCK, "all threads wait", &lock_a, the_site);
}

static __attribute__((noinline)) void wait_for_ever(void)
{
	inlined_wait();
	__asm__ volatile("" ::: "memory"); /* no tail call: the test looks for this frame */
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

/* At some seeds: three pairs on two variables, or as many pairs as there are sites. */
static void race(uint64_t seed, bool many)
{
	static const uint32_t write_read[] = {ACCESS_WRITE, 0}, write_write[] = {ACCESS_WRITE, ACCESS_WRITE};
	static int counter;

	if (seed % 4 == 1)
		stand_in_race((const void *[]){the_site, read_site}, write_read, &config.limits[3].max, &lock_a);
	if (seed % 7 == 2) {
		stand_in_race((const void *[]){the_site, the_site}, write_write, &counter, NULL);
		stand_in_race((const void *[]){twin_site, the_site}, write_write, &counter, NULL);
		stand_in_race((const void *[]){twin_site, twin_site}, write_write, &counter, NULL);
	}
	for (int i = 0; many && i < 600; i++)
		stand_in_race((const void *[]){the_site, many_sites + 16 * i}, write_read, &counter, NULL);
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
	if (!strcmp(what, "race") || !strcmp(what, "races"))
		race(seed, !strcmp(what, "races"));
	if (!strcmp(what, "scribble"))
		stand_in_scribble();
	if (!strcmp(what, "always"))
		stand_in_fail(ENDING_CRASH, "segmentation fault", NULL, NULL);
	return 0;
}
