// flags: -pthread

/* Other programs are started in every way while threads run: fork+exec, vfork+exec, posix_spawn, system, popen. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "must.h"

extern char **environ;

static atomic_int stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long work;

static void *works(void *unused)
{
	while (!stop) {
		pthread_mutex_lock(&lock);
		work++;
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
	return unused;
}

static int exit_status(pid_t child)
{
	int status;

	must(waitpid(child, &status, 0) == child);
	must(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void by_fork(void)
{
	pid_t child = fork();

	must(child >= 0);
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "exit 3", NULL);
		_exit(127);
	}
	must(exit_status(child) == 3);
}

static void by_vfork(void)
{
	pid_t child = vfork();

	must(child >= 0);
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "exit 4", NULL);
		_exit(127);
	}
	must(exit_status(child) == 4);
}

static void by_spawn(void)
{
	char *const arguments[] = {"sh", "-c", "exit 5", NULL};
	pid_t child;

	must(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
	must(exit_status(child) == 5);
	must(posix_spawn(&child, "/no/such/program", NULL, NULL, arguments, environ) == ENOENT);
}

static void by_popen(void)
{
	char line[32] = "";
	FILE *f = popen("echo hello; exit 6", "r");

	must(f != NULL);
	must(fgets(line, sizeof line, f) && strcmp(line, "hello\n") == 0);
	int status = pclose(f);
	must(WIFEXITED(status) && WEXITSTATUS(status) == 6);
}

int main(void)
{
	pthread_t thread[2];
	int status;

	for (int i = 0; i < 2; i++)
		must(pthread_create(&thread[i], NULL, works, NULL) == 0);
	by_fork();
	by_vfork();
	by_spawn();
	by_popen();
	status = system("exit 7");
	must(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	must(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
	stop = 1;
	for (int i = 0; i < 2; i++)
		must(pthread_join(thread[i], NULL) == 0);
	puts("ok");
	return 0;
}
