// flags: -pthread -D_GNU_SOURCE
// race A: sp

/* A recursive mutex: the inner unlock does not release it, so `inside` is protected. The outer unlock ends that. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int inside, outside, mine, yours;

static void add(int *to)
{
	pthread_mutex_lock(&lock);
	*to = 1;
	pthread_mutex_unlock(&lock);
}

static void *first(void *unused)
{
	outside = 1; // race A
	pthread_mutex_lock(&lock);
	add(&mine);
	inside = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	add(&yours);
	inside = 2;
	pthread_mutex_unlock(&lock);
	outside = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return inside + outside > 4;
}
