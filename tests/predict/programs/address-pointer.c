// flags: -pthread
// race: none

/* A message is stored behind a pointer; a thread that reads the pointer writes to that message, or to the empty one. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message {
	int text, read;
} empty, letter, *inbox = &empty;

static void *post(void *unused)
{
	letter.text = 1;
	letter.read = 0;
	pthread_mutex_lock(&lock);
	inbox = &letter;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *look(void *unused)
{
	struct message *m;

	pthread_mutex_lock(&lock);
	m = inbox;
	pthread_mutex_unlock(&lock);
	m->read = 1;
	return unused;
}

int main(void)
{
	together(post, look);
	return letter.text + letter.read > 2;
}
