// outcomes: exit | lock-misuse
// races: 2
// A thread that takes the semaphore before the second post is not ordered after it: its destroy and free race with that post.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static struct object {
	pthread_mutex_t lock;
} *object;
static sem_t turn;

static void *end(void *unused)
{
	if (!sem_trywait(&turn))
		pthread_mutex_destroy(&object->lock);
	return unused;
}

int main(void)
{
	pthread_t thread;

	object = calloc(1, sizeof *object);
	pthread_mutex_init(&object->lock, NULL);
	sem_init(&turn, 0, 1);
	pthread_create(&thread, NULL, end, NULL);
	pthread_mutex_destroy(&object->lock);
	free(object);
	sem_post(&turn);
	pthread_join(thread, NULL);
	return 0;
}
