/* Runs clang, and keeps the temporary files between its runs. */
#include "cc/driver.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	char *directory; /* of the temporary files; NULL before it exists */
	size_t files;
	volatile sig_atomic_t signal; /* the signal that asked us to end, or 0 */
	volatile pid_t child;         /* the child that is running, or 0 */
} state;

void fail(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "omen: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	exit(1);
}

/* Removes the whole directory: clang may have put files of its own in it. */
static void remove_files(void)
{
	DIR *d = opendir(state.directory);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(state.directory);
}

/* Only passes the signal on: run_child() ends the driver when the child is gone. */
static void on_signal(int number)
{
	state.signal = number;
	if (state.child)
		kill(state.child, number);
}

void make_temporary_directory(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const char *where = getenv("TMPDIR");

	if (asprintf(&state.directory, "%s/omen-cc.XXXXXX", where && *where ? where : "/tmp") < 0)
		fail("out of memory");
	if (!mkdtemp(state.directory))
		fail("cannot make a directory %s: %s (set TMPDIR to one that can be written)", state.directory,
		     strerror(errno));
	atexit(remove_files);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
		struct sigaction before;
		/* A signal that is ignored stays ignored (nohup). */
		if (!sigaction(ending[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ending[i], &(struct sigaction){.sa_handler = on_signal}, NULL);
	}
}

const char *temporary_file(const char *ending)
{
	char *path;

	if (asprintf(&path, "%s/%zu%s", state.directory, state.files++, ending) < 0)
		fail("out of memory");
	return path;
}

static void end_by_signal(int number)
{
	remove_files();
	signal(number, SIG_DFL);
	raise(number);
}

/* A command line that may be too long for the kernel goes into a response file again. */
static struct list shorten(const struct list *args)
{
	enum { LIMIT = 512 * 1024 };
	size_t length = 0;
	struct list shorter = {0};

	for (size_t i = 0; i < args->n; i++)
		length += strlen(args->at[i]) + 1;
	if (length < LIMIT)
		return *args;

	const char *path = temporary_file(".args");
	FILE *f = fopen(path, "w");
	char *at;
	if (!f || asprintf(&at, "@%s", path) < 0)
		fail("cannot write %s: %s", path, strerror(errno));
	for (size_t i = 1; i < args->n; i++) {
		fputc('"', f);
		for (const char *s = args->at[i]; *s; s++) {
			if (*s == '"' || *s == '\\')
				fputc('\\', f);
			fputc(*s, f);
		}
		fputs("\"\n", f);
	}
	if (fclose(f))
		fail("cannot write %s: %s", path, strerror(errno));
	list_add(&shorter, args->at[0]);
	list_add(&shorter, at);
	return shorter;
}

void run_child(const struct list *args)
{
	extern char **environ;
	struct list words = shorten(args);
	pid_t child;
	int status;
	int error = posix_spawnp(&child, words.at[0], NULL, NULL, (char **)words.at, environ);

	if (error)
		fail("cannot run %s: %s (is it installed?)", words.at[0], strerror(error));
	state.child = child;
	if (state.signal)
		kill(child, state.signal);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			fail("cannot wait for %s: %s", words.at[0], strerror(errno));
	state.child = 0;

	if (state.signal)
		end_by_signal(state.signal);
	if (WIFSIGNALED(status))
		exit(128 + WTERMSIG(status));
	if (WEXITSTATUS(status))
		exit(WEXITSTATUS(status));
}
