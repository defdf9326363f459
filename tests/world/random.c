/* Threads print random numbers of every source, the time and other values that the kernel gives differently each time. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void from_file(const char *path)
{
	char line[200] = "";
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, line, sizeof line - 1);

	printf("%s: %zd %.60s\n", path, n, line);
	close(fd);
}

static void *say(void *arg)
{
	struct timespec now, cpu;
	uint64_t number = 0;
	unsigned seed;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	seed = (unsigned)now.tv_nsec ^ (unsigned)(uintptr_t)&seed;
	if (getrandom(&number, sizeof number, 0) != sizeof number)
		return NULL;
	printf("thread %ld at %p: %lx %x, %ld.%09ld, %ld\n", (long)arg, (void *)&seed, (unsigned long)number, rand_r(&seed),
	       (long)now.tv_sec, now.tv_nsec, cpu.tv_nsec);
	return arg;
}

int main(void)
{
	uint64_t number = 0;
	int fd = open("/dev/urandom", O_RDONLY);
	struct rusage usage;
	struct sysinfo info;
	struct statfs file_system;
	struct tms cpu;
	pthread_t thread[4];
	char name[] = "/tmp/random-XXXXXX";

	if (read(fd, &number, sizeof number) != sizeof number)
		return 1;
	printf("urandom %lx, AT_RANDOM %lx\n", (unsigned long)number, *(unsigned long *)getauxval(AT_RANDOM));
	srand((unsigned)time(NULL) ^ (unsigned)getpid());
	printf("rand %d, a pointer %p\n", rand(), malloc(100));
	for (long i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, say, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	from_file("/proc/sys/kernel/random/uuid");
	from_file("/proc/self/stat");
	from_file("/proc/loadavg");
	getrusage(RUSAGE_SELF, &usage);
	sysinfo(&info);
	statfs("/tmp", &file_system);
	printf("%ld faults, %lu kB free, %lu blocks free, %ld ticks\n", usage.ru_minflt, info.freeram >> 10,
	       (unsigned long)file_system.f_bfree, (long)times(&cpu));
	printf("%s, %d processors, load %.2f\n", mktemp(name), get_nprocs(), (double)info.loads[0] / 65536);
	printf("parent %d, session %d, group %d\n", getppid(), getsid(0), getpgid(0));
	printf("new session %d: session %d, group %d %d, process %d\n", setsid(), getsid(0), getpgid(0), getpgrp(), getpid());
	return 0;
}
