// never: the recorded execution ends as none of them
// A freed lock: if the block is really freed the lock contains what the heap stores there, and nobody can take it.
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
	pthread_mutex_t *lock = malloc(sizeof(*lock));

	pthread_mutex_init(lock, NULL);
	free(lock);
	pthread_mutex_lock(lock);
	return 0;
}
