// flags: -pthread

/* Fields of different sizes that share eight bytes, and one that crosses into the next eight. */
#include <stdint.h>

#include "../races/threads.h"

static struct __attribute__((packed, aligned(8))) {
	int32_t a;
	int16_t b;
	int8_t c;
	int32_t d;
	int8_t e;
} s;

static void *one(void *unused)
{
	s.a++;
	s.c++;
	return unused;
}

static void *two(void *unused)
{
	s.b++;
	s.e++;
	return unused;
}

static void *three(void *unused)
{
	s.d++;
	return unused;
}

int main(void)
{
	together(one, two, three);
	return s.a + s.b + s.c + s.d + s.e != 5;
}
