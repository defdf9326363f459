// flags: -pthread -O2

/*
 * Members of a structure that is not aligned as its type says. Some are shared under the lock and one belongs to one thread:
 * it is where the compiler assumes the shared one.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct mixed {
	void *pointer;
	int shared, own;
};

static struct mixed *it;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void share(void)
{
	pthread_mutex_lock(&lock);
	it->shared++;
	pthread_mutex_unlock(&lock);
}

static void *first(void *unused)
{
	share();
	for (int i = 0; i < 5; i++) {
		it->own++;
		__asm__ volatile("" ::: "memory");
	}
	return unused;
}

static void *second(void *unused)
{
	usleep(10000);
	share();
	return unused;
}

int main(void)
{
	pthread_t a, b;
	char *memory = malloc(64);

	it = (struct mixed *)(memory + 4);
	it->shared = it->own = 0;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(memory);
	return 0;
}
