// while: kill -USR1 "$(cat pid)"
// gone: pid
/*
 * Process ids: other processes get the real id, which is in the log. A process that reads it from a file can send a
 * signal; a child, its parent and /proc agree on it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t got[2];

static void note(int number) { got[number == SIGUSR2] = 1; }

static void *thread(void *arg)
{
	printf("thread %d\n", syscall(SYS_gettid) == getpid());
	return arg;
}

static int child(pid_t parent)
{
	char own[64], path[64];
	int right = getppid() == parent && getpid() != parent;

	snprintf(path, sizeof path, "/proc/%d", (int)getppid());
	right &= !access(path, F_OK);
	right &= readlink("/proc/self", own, sizeof own) > 0;
	return right ? 7 : 8;
}

int main(void)
{
	char link[64] = "";
	pid_t me = getpid();
	pthread_t other;
	int status = 0;

	signal(SIGUSR1, note);
	signal(SIGUSR2, note);
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	kill(me, SIGUSR2);
	if (readlink("/proc/self", link, sizeof link - 1) < 0)
		perror("/proc/self");
	char text[64];
	snprintf(text, sizeof text, "%d", (int)me);
	int right = !strcmp(text, link) && got[1] && syscall(SYS_gettid) == me;
	fflush(stdout);
	pid_t made = fork();
	if (!made)
		_exit(child(me));
	right &= waitpid(made, &status, 0) == made && WEXITSTATUS(status) == 7;
	FILE *out = fopen("pid", "w");
	fprintf(out, "%d\n", (int)me);
	fclose(out);
	fputs("ready\n", stderr);
	while (!got[0])
		pause();
	printf("pid %d\n", (int)me);
	return !right;
}
