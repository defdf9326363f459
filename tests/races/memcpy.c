// flags: -pthread

/* memcpy of a size known only at run time, out of a struct of which another thread writes a field. */
#include <string.h>

#include "threads.h"

struct record {
	long id;
	char name[24];
	int age;
};

static struct record record, copy;
static volatile size_t size = sizeof record;

static void *save(void *unused)
{
	memcpy(&copy, &record, size); // race A
	return unused;
}

static void *birthday(void *unused)
{
	record.age++; // race A
	return unused;
}

int main(void)
{
	together(save, birthday);
	return 0;
}
