// expect: assertion
// at: reader
// strategy: mixed random pct:3
// flags: -pthread

/* Multi-variable atomicity violation: length and text are each locked, but not both together. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[32] = "hello";
static size_t length = 5;

static void set_length(size_t n)
{
	pthread_mutex_lock(&lock);
	length = n;
	pthread_mutex_unlock(&lock);
}

static void set_text(const char *s)
{
	pthread_mutex_lock(&lock);
	strcpy(text, s);
	pthread_mutex_unlock(&lock);
}

static void *writer(void *word)
{
	set_length(strlen(word));
	set_text(word);
	return NULL;
}

static void *reader(void *unused)
{
	pthread_mutex_lock(&lock);
	printf("%s has %zu letters\n", text, length);
	assert(strlen(text) == length); /* HERE */
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t w, r;

	setvbuf(stdout, NULL, _IOLBF, 0);
	pthread_create(&w, NULL, writer, "good morning");
	pthread_create(&r, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	return 0;
}
