// flags: -pthread
// 1: signal-unsafe-call malloc
// 2: signal-unsafe-call a stream
// 3: signal-unsafe-call a lock
// 4: signal-spoils-errno signal 10
// 5: signal-unsafe-call free
// 20: nothing
// 21: nothing
// 22: nothing

/* What signal handlers do. From case 20 on the program is correct. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t which, came;
static void *volatile block;
static sigjmp_buf back;

static void handle(int signal)
{
	int saved = errno;

	(void)signal;
	came = 1;
	if (which == 1)
		block = malloc(8);
	else if (which == 2)
		puts("came");
	else if (which == 3)
		pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
	else if (which == 5)
		free(block);
	else if (which == 22)
		siglongjmp(back, 1);
	if (which == 4 || which == 21)
		errno = ENOENT;
	if (which != 4)
		errno = saved;
	if (which == 20 && write(1, "came\n", 5) != 5)
		_exit(1);
}

static void deep(int n)
{
	char *volatile p = malloc(100);

	if (n)
		deep(n - 1);
	free(p);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handle};

	which = argc > 1 ? atoi(argv[1]) : 0;
	block = malloc(1);
	errno = 0;
	sigaction(SIGUSR1, &action, NULL);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR1);
	deep(10);
	return !came;
}
