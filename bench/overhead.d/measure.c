/*
 * measure FILE COMMAND ARGS: runs COMMAND, waits for it and everything it started, and writes to FILE one line: CPU
 * seconds (user and system, all processes together), wall seconds, peak memory in kB (of the largest process).  The
 * status is the command's, 128 + signal if one ended it.
 *
 * Processes that the command leaves behind become children of this one, so nothing runs uncounted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int fail(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	return 125;
}

int main(int argc, char **argv)
{
	int status, result = 125;
	struct rusage usage;
	double start, end;
	pid_t child, pid;
	FILE *file;

	if (argc < 3) {
		fprintf(stderr, "usage: measure FILE COMMAND ARGS\n");
		return 125;
	}
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return fail("prctl");
	start = end = now();
	child = fork();
	if (child < 0)
		return fail("fork");
	if (child == 0) {
		execvp(argv[2], argv + 2);
		_exit(fail(argv[2]));
	}
	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (pid != child)
			continue;
		end = now();
		result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	getrusage(RUSAGE_CHILDREN, &usage);
	file = fopen(argv[1], "w");
	if (!file)
		return fail(argv[1]);
	fprintf(file, "%.6f %.6f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime), end - start, usage.ru_maxrss);
	if (fclose(file))
		return fail(argv[1]);
	return result;
}
