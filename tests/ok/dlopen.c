// before: clang-19 -g -O1 -fPIC -shared $SRC/parts/tls-library.c -o libtls.so
// flags: -pthread -ldl

/* A library with thread-local variables is loaded while threads run: each thread gets its own copy. */
#include <dlfcn.h>
#include <pthread.h>

#include "must.h"

static pthread_barrier_t loaded;
static int (*next)(void);

static void *uses(void *unused)
{
	pthread_barrier_wait(&loaded);
	must(next() == 101);
	sched_yield();
	must(next() == 102);
	return unused;
}

int main(void)
{
	pthread_t thread[4];

	pthread_barrier_init(&loaded, NULL, 5);
	for (int i = 0; i < 4; i++)
		must(pthread_create(&thread[i], NULL, uses, NULL) == 0);
	void *library = dlopen("./libtls.so", RTLD_NOW);
	must(library != NULL);
	next = (int (*)(void))dlsym(library, "next");
	must(next != NULL);
	pthread_barrier_wait(&loaded);
	must(next() == 101);
	for (int i = 0; i < 4; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(dlclose(library) == 0);
	must(dlopen("./no-such-library.so", RTLD_NOW) == NULL);
	puts("ok");
	return 0;
}
