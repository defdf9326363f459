/* A program that wants %gs may get an error; its memory stays its own. */
#include <asm/prctl.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long own[8];
static int sum;

static void *worker(void *arg)
{
	long r = syscall(SYS_arch_prctl, ARCH_SET_GS, own);

	assert(r == 0 || errno == EPERM);
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&lock);
		sum++;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	assert(sum == 200);
	return 0;
}
