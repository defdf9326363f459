// flags: -pthread
// race A: may

/*
 * The receiver tests once and never waits again: `if` where `while` is needed, and the sender comes first half of the
 * time. In the recorded execution it waited, and a wait ends after the message. That it need not have waited is a
 * branch taken the other way, which prediction does not do.
 */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int skip, message, got;

static void *receive(void *unused)
{
	pthread_mutex_lock(&lock);
	if (!skip)
		pthread_cond_wait(&arrived, &lock);
	pthread_mutex_unlock(&lock);
	got = message; // race A
	return unused;
}

static void *send(void *unused)
{
	pthread_mutex_lock(&lock);
	skip = 1;
	pthread_mutex_unlock(&lock);
	message = 7; // race A
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&arrived);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(receive, send);
	return got > 7;
}
