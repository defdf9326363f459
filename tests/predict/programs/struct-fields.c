// flags: -pthread
// race A: sp
// race B: hb

/* A structure of 8 bytes with fields of different threads; two fields are bits of one byte, which is one variable. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	int size;
	short kind;
	char state;
	unsigned char open : 1, dirty : 1;
} file;
static int one, two;

static void *first(void *unused)
{
	file.size = 1;
	file.open = 1; // race A
	pthread_mutex_lock(&lock);
	one = 1;
	pthread_mutex_unlock(&lock);
	file.state = 'a'; // race B
	return unused;
}

static void *second(void *unused)
{
	file.kind = 1;
	pthread_mutex_lock(&lock);
	two = 1;
	pthread_mutex_unlock(&lock);
	file.dirty = 1;   // race A
	file.state = 'b'; // race B
	return unused;
}

int main(void)
{
	together(first, second);
	return file.size + file.kind + file.open + file.dirty + one + two > 6;
}
