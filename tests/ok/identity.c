// flags: -pthread

/* Thread and process ids agree however a thread asks for them, and threads have names and processors. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "must.h"

static pid_t ids[3];
static pthread_barrier_t all;

static void *asks(void *number)
{
	char name[16];
	unsigned cpu, node;
	int policy;
	struct sched_param parameter;
	cpu_set_t set;

	must(getpid() == syscall(SYS_getpid));
	must(gettid() == syscall(SYS_gettid));
	must(gettid() != getpid());
	must(syscall(SYS_tgkill, getpid(), gettid(), 0) == 0);
	must(pthread_setname_np(pthread_self(), "asker") == 0);
	must(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "asker") == 0);
	must(pthread_getschedparam(pthread_self(), &policy, &parameter) == 0);
	must(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) >= 1);
	must(getcpu(&cpu, &node) == 0 && sched_getcpu() >= 0);
	ids[(long)number] = gettid();
	pthread_barrier_wait(&all);
	must(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
	return NULL;
}

int main(void)
{
	pthread_t thread[3];
	unsigned char random[64] = {0};
	int zeros = 0;

	must(gettid() == getpid());
	must(getppid() > 0);
	pthread_barrier_init(&all, NULL, 3);
	for (long i = 0; i < 3; i++)
		must(pthread_create(&thread[i], NULL, asks, (void *)i) == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(getrandom(random, sizeof random, 0) == sizeof random);
	for (size_t i = 0; i < sizeof random; i++)
		zeros += random[i] == 0;
	must(zeros < 16);
	puts("ok");
	return 0;
}
