/*
 * More releases than there are segment ids.  What happened long ago still races with a thread that has learnt of nothing
 * since, and new segments are not confused with the old ones whose ids they have.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { ROUNDS = 4500000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int under_lock, early, late;
static atomic_int finished;

static void *worker(void *is_first)
{
	if (is_first)
		early = 1; // race A
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		under_lock++;
		pthread_mutex_unlock(&lock);
	}
	if (is_first)
		late = 1; // race B
	atomic_fetch_add_explicit(&finished, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t thread[2];
	int seen;

	pthread_create(&thread[0], NULL, worker, &seen);
	pthread_create(&thread[1], NULL, worker, NULL);
	while (atomic_load_explicit(&finished, memory_order_relaxed) < 2)
		usleep(1000);
	seen = early; // race A
	seen += late; // race B
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return seen + under_lock != 2 + 2 * ROUNDS;
}
