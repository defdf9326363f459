// flags: -pthread

/* stdio between threads: blocking fgets on a pipe, flockfile around several calls, one stream shared by many. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "must.h"

static int channel[2];
static FILE *shared;

static void *reads_lines(void *unused)
{
	FILE *f = fdopen(channel[0], "r");
	char line[64];
	int n = 0;

	must(f != NULL);
	while (fgets(line, sizeof line, f)) {
		int number;
		must(sscanf(line, "line %d", &number) == 1 && number == n++);
	}
	must(n == 5);
	fclose(f);
	return unused;
}

static void *writes_lines(void *unused)
{
	for (int i = 0; i < 5; i++) {
		must(dprintf(channel[1], "line %d\n", i) > 0);
		sched_yield();
	}
	close(channel[1]);
	return unused;
}

static void *writes_locked(void *number)
{
	for (int i = 0; i < 3; i++) {
		flockfile(shared);
		fputc_unlocked('[', shared);
		sched_yield();
		fprintf(shared, "%ld", (long)number);
		sched_yield();
		fputs("]\n", shared);
		funlockfile(shared);
	}
	return NULL;
}

static void *is_locked_out(void *unused)
{
	must(ftrylockfile(shared) != 0);
	return unused;
}

int main(void)
{
	pthread_t thread[4];
	char line[64];
	int seen[4] = {0};

	must(pipe(channel) == 0);
	must(pthread_create(&thread[0], NULL, reads_lines, NULL) == 0);
	must(pthread_create(&thread[1], NULL, writes_lines, NULL) == 0);
	must(pthread_join(thread[0], NULL) == 0);
	must(pthread_join(thread[1], NULL) == 0);

	shared = tmpfile();
	must(shared != NULL);
	for (long i = 0; i < 4; i++)
		must(pthread_create(&thread[i], NULL, writes_locked, (void *)i) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_join(thread[i], NULL) == 0);
	rewind(shared);
	while (fgets(line, sizeof line, shared)) {
		must(line[0] == '[' && line[2] == ']' && line[3] == '\n' && line[1] >= '0' && line[1] < '4');
		seen[line[1] - '0']++;
	}
	for (int i = 0; i < 4; i++)
		must(seen[i] == 3);
	flockfile(shared);
	must(pthread_create(&thread[0], NULL, is_locked_out, NULL) == 0);
	must(pthread_join(thread[0], NULL) == 0);
	funlockfile(shared);
	fclose(shared);
	puts("ok");
	return 0;
}
