// expect: deadlock
// strategy: mixed random pct:3
// flags: -pthread

/* Two threads pass a token through pipes; the one that tests too early whether it is the last waits for another token. */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static int there[2], back[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool closing;

static bool is_closing(void)
{
	pthread_mutex_lock(&lock);
	bool now = closing;
	pthread_mutex_unlock(&lock);
	return now;
}

static void *echo(void *unused)
{
	char token;

	do {
		if (read(there[0], &token, 1) != 1 || write(back[1], &token, 1) != 1)
			return unused;
	} while (!is_closing());
	return unused;
}

int main(void)
{
	char token = 't';
	pthread_t thread;

	if (pipe(there) || pipe(back))
		return 1;
	pthread_create(&thread, NULL, echo, NULL);
	if (write(there[1], &token, 1) != 1)
		return 2;
	pthread_mutex_lock(&lock);
	closing = true;
	pthread_mutex_unlock(&lock);
	if (read(back[0], &token, 1) != 1)
		return 3;
	pthread_join(thread, NULL);
	return 0;
}
