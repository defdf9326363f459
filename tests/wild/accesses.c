/*
 * accesses ADDRESS [thread]: everything that a program can do with a wild pointer.  It prints a line for each: that it
 * faults, or what the call returns.  "thread": a second thread exists, so that accesses are instrumented.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf back;
static char *volatile faulted;
static char *wild;
static char room[64];
static sem_t over;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	faulted = info->si_addr;
	siglongjmp(back, 1);
}

static void *wait_for_end(void *arg)
{
	sem_wait(&over);
	return arg;
}

/* The fault is at the pointer or a little after it: libraries choose where in an object they begin. */
#define TRY(...)                                                                                                       \
	do {                                                                                                           \
		if (!sigsetjmp(back, 1)) {                                                                             \
			errno = 0;                                                                                     \
			long answer = (long)(__VA_ARGS__);                                                             \
			printf("%s: %ld %s\n", #__VA_ARGS__, answer, answer < 0 ? strerror(errno) : "");               \
		} else {                                                                                               \
			printf("%s: a fault %s\n", #__VA_ARGS__, faulted - wild < 64 ? "there" : "elsewhere");         \
		}                                                                                                      \
	} while (0)

struct pair {
	long one, two;
};

static void try_memory(volatile size_t size)
{
	TRY(*(volatile char *)wild);
	TRY(*(volatile short *)wild);
	TRY(*(volatile long *)wild);
	TRY(*(volatile double *)wild > 1);
	TRY(*(volatile int *)wild = 3);
	TRY(({
		struct pair copy = *(struct pair *)wild;
		copy.one;
	}));
	TRY(atomic_load((atomic_int *)wild));
	TRY((atomic_store((atomic_char *)wild, 7), 0));
	TRY(atomic_fetch_add((atomic_long *)wild, 1));
	TRY(({
		int expected = 0;
		atomic_compare_exchange_strong((atomic_int *)wild, &expected, 42);
	}));
	TRY((memcpy(room, wild, size), 0));
	TRY((memcpy(wild, room, size), 0));
	TRY((memset(wild, 1, size), 0));
	TRY(memcmp(wild, room, size));
	TRY(strlen(wild));
	TRY((strcpy(room, wild), 0));
}

static void try_locks(void)
{
	TRY(pthread_mutex_lock((pthread_mutex_t *)wild));
	TRY(pthread_mutex_trylock((pthread_mutex_t *)wild));
	TRY(pthread_mutex_unlock((pthread_mutex_t *)wild));
	TRY(pthread_rwlock_rdlock((pthread_rwlock_t *)wild));
	TRY(pthread_rwlock_unlock((pthread_rwlock_t *)wild));
	TRY(pthread_spin_lock((pthread_spinlock_t *)wild));
	TRY(pthread_cond_signal((pthread_cond_t *)wild));
	TRY(sem_post((sem_t *)wild));
	TRY(sem_trywait((sem_t *)wild));
}

static void try_calls(volatile size_t size)
{
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY), ends[2];
	struct iovec vector = {wild, size};

	if (pipe(ends) || write(ends[1], room, size) != (ssize_t)size)
		return;
	TRY(write(ends[1], wild, size));
	TRY(read(ends[0], wild, size));
	TRY(read(zero, wild, size));
	TRY(writev(ends[1], (struct iovec *)wild, 1));
	TRY(writev(ends[1], &vector, 1));
	TRY(open(wild, O_RDONLY));
	TRY(access(wild, R_OK));
	TRY(stat(wild, (struct stat *)room));
	TRY(unlink(wild));
	TRY(pipe((int *)wild));
	TRY(nanosleep((struct timespec *)wild, NULL));
	TRY(poll((struct pollfd *)wild, 1, 0));
	TRY(getcwd(wild, 4096) ? 1 : -1);
	close(null);
}

static void try_mappings(void)
{
	char *page = (char *)((unsigned long)wild & ~4095ul);

	TRY(munmap(page, 4096));
	TRY(mprotect(page, 4096, PROT_READ));
	TRY(madvise(page, 4096, MADV_DONTNEED));
	TRY(mremap(page, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0);
	TRY(*(volatile char *)wild);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	pthread_t thread;

	wild = (char *)strtoul(argv[1], NULL, 16);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sem_init(&over, 0, 0);
	if (argc > 2)
		pthread_create(&thread, NULL, wait_for_end, NULL);
	try_memory(16 + (size_t)argc);
	try_locks();
	try_calls(16);
	try_mappings();
	sem_post(&over);
	if (argc > 2)
		pthread_join(thread, NULL);
	return 0;
}
