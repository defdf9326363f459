/*
 * The program starts as for any replay, so it has the same addresses and the same schedule. Only then gdb attaches to
 * it. gdb is no part of the execution: the threads are fibers of one kernel thread, and a breakpoint stops all of them.
 */
#include "cmd/gdb.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "format/file.h"

#define NOT_ATTACHED 125 /* the exit status that omen-gdb.py gives gdb */

extern char **environ;

/* Finds omen-gdb.py: next to this executable, or where `make install` puts it; malloc'ed. */
static char *find_script(struct error *e)
{
	static const char *const places[] = {"omen-gdb.py", "../lib/omen/omen-gdb.py"};
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		char *path = must_format("%s/%s", self, places[i]);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	error_set(e, "cannot find omen-gdb.py next to %s/omen; install it again", self);
	return NULL;
}

/* Starts gdb in the foreground. It gets Ctrl-C, which the tool ignores. */
static int start_gdb(pid_t *gdb, pid_t program, const char *script, char *const *arguments)
{
	char pid[16];
	/*
	 * gdb must not look for threads in glibc's list: the kernel knows none of them. And leaving gdb needs no
	 * confirmation, as the execution can be repeated.
	 */
	char *first[] = {"gdb",  "-q",
	                 "-iex", "set pagination off",
	                 "-iex", "set confirm off",
	                 "-iex", "set libthread-db-search-path /",
	                 "-p",   pid,
	                 "-x",   (char *)script};
	size_t count = sizeof first / sizeof first[0], more = 0;
	posix_spawnattr_t attributes;
	sigset_t heard;

	snprintf(pid, sizeof pid, "%d", (int)program);
	while (arguments[more])
		more++;
	char **argv = must_alloc((count + more + 1) * sizeof *argv);
	memcpy(argv, first, sizeof first);
	memcpy(argv + count, arguments, more * sizeof *argv);
	argv[count + more] = NULL;
	sigemptyset(&heard);
	sigaddset(&heard, SIGINT);
	sigaddset(&heard, SIGQUIT);
	sigaddset(&heard, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &heard);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	int error = posix_spawnp(gdb, "gdb", NULL, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	free(argv);
	return error;
}

bool gdb_run(struct process *p, const struct launch *l, const char *evidence, char *const *arguments, int *status,
             struct error *e)
{
	struct launch stopped = *l;
	siginfo_t info;
	pid_t gdb;
	int ended = 0;

	*status = EXIT_OMEN;
	char *script = find_script(e);
	if (!script)
		return false;
	stopped.stopped = true;
	stopped.own_group = true; /* Ctrl-C is for gdb: it stops the program in its own way */
	if (!process_start(p, &stopped, e)) {
		free(script);
		return false;
	}
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	setenv("OMEN_EVIDENCE", evidence, 1);
	int error = start_gdb(&gdb, p->pid, script, arguments);
	free(script);
	if (error) {
		*status = EXIT_USE;
		return error_set(e, "cannot start gdb: %s; install it, or replay without --gdb", strerror(error));
	}
	while (waitpid(gdb, &ended, 0) < 0 && errno == EINTR)
		;
	kill(p->pid, SIGKILL);
	/* WNOWAIT: process_end() still needs the process. */
	waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOWAIT);
	if (WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_ATTACHED)
		return error_set(e,
		                 "gdb may not attach to the program; see /proc/sys/kernel/yama/ptrace_scope, and in a "
		                 "container its ptrace permission (--cap-add=SYS_PTRACE)");
	return true;
}
