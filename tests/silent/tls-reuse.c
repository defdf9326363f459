// before: echo 'static __thread long big[1 << 17]; long *own(void) { return big; }' | $build/omen-cc -g -fPIC -shared -x c - -o libown.so
// flags: -pthread

// The C library frees the thread-local memory that an ended thread had of a library when it uses the stack again.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

static long *(*own)(void);

static void *work(void *n)
{
	*own() += (long)n;
	return *own() == (long)n ? n : NULL;
}

int main(void)
{
	pthread_t thread;
	void *result = NULL;

	own = (long *(*)(void))dlsym(dlopen("./libown.so", RTLD_LAZY), "own");
	for (long i = 1; i < 4; i++) {
		pthread_create(&thread, NULL, work, (void *)i);
		if (i < 3)
			pthread_detach(thread);
		sleep(1);
	}
	pthread_join(thread, &result);
	return result != (void *)3;
}
