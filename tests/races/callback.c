// flags: -pthread

/* One thread sets a callback and its argument while another handles events. */
#include <stddef.h>

#include "threads.h"

static void (*callback)(int *);
static int *argument;
static int first, second;

static void on_event(int *n)
{
	if (n)
		(*n)++;
}

static void *install(void *unused)
{
	argument = &second; // race A
	callback = on_event; // race B
	return unused;
}

static void *handle(void *unused)
{
	void (*call)(int *) = callback; // race B

	call(argument); // race A
	return unused;
}

int main(void)
{
	argument = &first;
	callback = on_event;
	together(install, handle);
	return 0;
}
