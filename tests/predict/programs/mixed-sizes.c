// flags: -pthread
// race A: sp
// race B: hb

/* One word, written as a whole and read byte by byte; and two bytes of one word that are two variables. */
#include <stdint.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union {
	uint64_t whole;
	uint8_t bytes[8];
} word, pair;
static int one, two, seen;

static void *first(void *unused)
{
	pair.bytes[0] = 1;
	word.whole = 0x0102030405060708; // race A
	pthread_mutex_lock(&lock);
	one = 1;
	pthread_mutex_unlock(&lock);
	pair.bytes[6] = 1; // race B
	return unused;
}

static void *second(void *unused)
{
	pair.bytes[1] = 1;
	pthread_mutex_lock(&lock);
	two = 1;
	pthread_mutex_unlock(&lock);
	seen = word.bytes[3]; // race A
	*(volatile uint32_t *)&pair.bytes[4] = 7; // race B
	return unused;
}

int main(void)
{
	together(first, second);
	return one + two + seen + pair.bytes[0] + pair.bytes[1] > 300;
}
