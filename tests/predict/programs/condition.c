// flags: -pthread
// race A: hb

/* A hand-over by condition variable: the message is ordered, what the sender counts afterwards is not. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int full, message, sent, got, known;

static void *receive(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!full)
		pthread_cond_wait(&arrived, &lock);
	pthread_mutex_unlock(&lock);
	got = message;
	known = sent; // race A
	return unused;
}

static void *send(void *unused)
{
	message = 7;
	pthread_mutex_lock(&lock);
	full = 1;
	pthread_cond_signal(&arrived);
	pthread_mutex_unlock(&lock);
	sent = 1; // race A
	return unused;
}

int main(void)
{
	together(receive, send);
	return got + known > 8;
}
