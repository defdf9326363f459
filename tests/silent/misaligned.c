// flags: -pthread -O2

/* Members of structures that are not aligned as their type says, each thread's own or under the lock. */
#include <pthread.h>
#include <stdlib.h>

struct mixed {
	void *pointer;
	int one, two;
	short half;
	char byte, other;
	long word;
};

static struct mixed *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *number)
{
	struct mixed *shared = &all[0], *own = &all[1 + (long)number];

	for (int i = 0; i < 50; i++) {
		pthread_mutex_lock(&lock);
		shared->pointer = number;
		shared->one++;
		shared->two++;
		shared->half++;
		shared->byte++;
		shared->other++;
		shared->word++;
		pthread_mutex_unlock(&lock);
		own->two++;
		own->byte++;
		own->word++;
	}
	return NULL;
}

int main(void)
{
	for (int offset = 0; offset < 8; offset++) {
		char *memory = calloc(4, sizeof(*all));
		pthread_t thread[2];

		all = (struct mixed *)(memory + offset);
		for (long i = 0; i < 2; i++)
			pthread_create(&thread[i], NULL, run, (void *)i);
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
		free(memory);
	}
	return 0;
}
