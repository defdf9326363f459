// flags: -pthread

/* Bit-fields of one byte: a write to one writes the other. */
#include "threads.h"

static struct {
	unsigned char open : 1, dirty : 1;
} file;

static void *open_it(void *unused)
{
	file.open = 1; // race A
	return unused;
}

static void *touch_it(void *unused)
{
	file.dirty = 1; // race A
	return unused;
}

int main(void)
{
	together(open_it, touch_it);
	return 0;
}
