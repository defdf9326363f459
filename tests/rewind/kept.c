// flags: -pthread
/* What is not undone: the process then ends, and the next execution is a fork. Each execution says what it finds. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared, seen;
static char *before, where[100];

static void __attribute__((constructor)) early(void)
{
	before = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	before[4096] = 1;
}

static void handle(int signal) { (void)signal; }

static void *work(void *arg)
{
	shared = 1;
	return arg;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handle}, was;
	struct rlimit limit;
	pthread_t thread;
	int status = 0;

	sigaction(SIGUSR1, NULL, &was);
	getrlimit(RLIMIT_CORE, &limit);
	printf("%s %d %d %d %d\n", getcwd(where, sizeof(where)) ? where : "", was.sa_handler == SIG_DFL,
	       (int)limit.rlim_cur, before[4096], fcntl(0, F_GETFD));
	pthread_create(&thread, NULL, work, NULL);
	seen = shared;
	pthread_join(thread, NULL);
	printf("%d\n", seen);
	switch (argc > 1 ? atoi(argv[1]) : 0) {
	case 1:
		return chdir("/");
	case 2:
		return sigaction(SIGUSR1, &action, NULL);
	case 3:
		return close(0);
	case 4:
		if (fork() == 0)
			_exit(3);
		return wait(&status) < 0 || WEXITSTATUS(status) != 3;
	case 5:
		limit.rlim_cur = 7;
		return setrlimit(RLIMIT_CORE, &limit);
	case 6:
		return munmap(before, 8192);
	case 7:
		return mprotect(before, 8192, PROT_READ);
	default:
		return 0;
	}
}
