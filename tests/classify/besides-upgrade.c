// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=deadlock runs=2
// variant: -DAPART = deadlock

/* Two readers both want to write, and neither stops reading before. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t change = PTHREAD_MUTEX_INITIALIZER;
#ifdef APART
static _Thread_local long reads;
#else
static long reads;
#endif
static int version;

static void *reader(void *unused)
{
	reads++; // race A
	pthread_rwlock_rdlock(&table);
	pthread_mutex_lock(&change); // failure X
	pthread_mutex_unlock(&change);
	pthread_rwlock_unlock(&table);
	return unused;
}

static void *writer(void *unused)
{
	reads++; // race A
	pthread_mutex_lock(&change);
	pthread_rwlock_wrlock(&table); // failure X
	version++;
	pthread_rwlock_unlock(&table);
	pthread_mutex_unlock(&change);
	return unused;
}

int main(void)
{
	together(reader, writer);
	printf("version %d\n", version);
	return 0;
}
