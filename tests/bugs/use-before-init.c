// expect: crash
// at: server
// strategy: mixed random pct:3
// flags: -pthread

/* Order violation: the server assumes that the loader, started before it, has already published the settings. */
#include <pthread.h>
#include <stdio.h>

struct settings {
	int port;
};

static struct settings defaults = {8080};
static struct settings *volatile settings;

static void *loader(void *unused)
{
	settings = &defaults;
	return unused;
}

static void *server(void *unused)
{
	printf("listening on %d\n", settings->port); /* HERE */
	return unused;
}

int main(void)
{
	pthread_t first, second;

	pthread_create(&first, NULL, loader, NULL);
	pthread_create(&second, NULL, server, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
