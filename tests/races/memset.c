// flags: -pthread

/* A buffer is cleared while it is read. */
#include <string.h>

#include "threads.h"

static unsigned char key[64];

static void *forget(void *unused)
{
	memset(key, 0, sizeof key); // race A
	return unused;
}

static void *use(void *unused)
{
	(void)unused;
	return (void *)(long)key[63]; // race A
}

int main(void)
{
	together(forget, use);
	return 0;
}
