// flags: -pthread -O0
// record: yes

/*
 * Main reads again a byte that another thread has written since, and just before that the byte next to it in the same
 * word; a third thread has read the word too, so that main's two reads share a shadow cell.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

static struct {
	_Atomic char ready;
	char seen, count;
} word __attribute__((aligned(8)));
static sem_t go;

static void *write_ready(void *unused)
{
	sem_wait(&go);
	atomic_store_explicit(&word.ready, 1, memory_order_relaxed); // race A
	return unused;
}

static void *read_seen(void *unused)
{
	sem_wait(&go);
	return word.seen ? unused : NULL;
}

static void let_others_run(void)
{
	for (int i = 0; i < 5; i++)
		sched_yield();
}

int main(void)
{
	pthread_t writer, reader;
	int sum;

	sem_init(&go, 0, 0);
	pthread_create(&writer, NULL, write_ready, NULL);
	pthread_create(&reader, NULL, read_seen, NULL);
	sum = *(char *)&word.ready;
	sem_post(&go);
	let_others_run();
	sem_post(&go);
	let_others_run();
	sum += word.count;
	sum += *(char *)&word.ready; // race A
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	return sum > 100;
}
