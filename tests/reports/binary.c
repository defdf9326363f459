/* Two threads add to a number whose bytes are then written out. */
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>
static struct { char head[60]; uint32_t sum; uint8_t tail[8]; } out = {.sum = 8, .tail = {1, 2, 0xff, 10, 13}};
static void *add(void *arg)
{
	uint32_t was = out.sum;
	out.sum = was + (uint32_t)(long)arg;
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return write(1, &out, sizeof out) != sizeof out;
}
