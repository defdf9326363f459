// flags: -pthread

/* The flag's writer asks the tool to ignore its writes: the flag orders all the same, also for an earlier reader. */
#include <pthread.h>
#include <stdatomic.h>

void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

static atomic_int ready;
static int data;

static void *set(void *unused)
{
	data = 7;
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	atomic_store_explicit(&ready, 1, memory_order_release);
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, set, NULL);
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	int seen = data;
	pthread_join(thread, NULL);
	return seen != 7;
}
