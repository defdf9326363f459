// flags: -pthread

// State that the C library keeps for all threads, used under a lock; and its reentrant variants without one.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[2][8] = {"a b 1", "c d 2"};
static struct {
	int year, number;
	char word[8], date[32];
} seen[2];

static void *work(void *arg)
{
	long i = (long)arg;
	time_t t = i * 100000000;
	struct tm own;
	char buffer[64];

	pthread_mutex_lock(&mutex);
	seen[i].year = localtime(&t)->tm_year;
	strcpy(seen[i].date, asctime(gmtime(&t)));
	strcpy(seen[i].word, strtok(text[i], " "));
	pthread_mutex_unlock(&mutex);
	localtime_r(&t, &own);
	asctime_r(&own, buffer);
	ctime_r(&t, buffer);
	strerror_r(9999, buffer, sizeof(buffer));
	sscanf(text[i] + 4, "%d%*c%s", &seen[i].number, buffer);
	return NULL;
}

int main(void)
{
	pthread_t thread[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return seen[0].number != 1 || seen[1].number != 2 || seen[0].year != 70;
}
