// flags: -pthread

/* A bit-field of width zero begins a new memory location. */
#include "../races/threads.h"

static struct {
	unsigned a : 4;
	unsigned : 0;
	unsigned b : 4;
} s;

static void *one(void *unused)
{
	s.a = 3;
	return unused;
}

static void *two(void *unused)
{
	s.b = 4;
	return unused;
}

int main(void)
{
	together(one, two);
	return s.a + s.b != 7;
}
