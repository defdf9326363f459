// flags: -pthread
// expect: crash
/* A copy of many bytes; the compiler does not know how many. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char message[256];
static volatile size_t length = 200;

static void *send(void *unused)
{
	char mine[256];

	memset(mine, 1, sizeof mine);
	memcpy(message, mine, length);
	return unused;
}

static void *receive(void *unused)
{
	char mine[256];

	memcpy(mine, message, length);
	if (mine[0] != mine[199])
		abort();
	return unused;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, send, NULL);
	pthread_create(&thread[1], NULL, receive, NULL);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
