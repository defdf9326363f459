// flags: -pthread
// race B C: verdict=spec-violated consequence=assertion violation=failed-assert

/* A state machine: the stopping thread must find it running, but it may not have reached that state. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

enum state { IDLE, STARTING, RUNNING, STOPPED };

static volatile enum state state;

static void *start(void *unused)
{
	if (state == IDLE) {
		state = STARTING; // race B
		state = RUNNING;  // race C
	}
	return unused;
}

static void *stop(void *unused)
{
	enum state now = state; // race B C

	assert(now != STARTING); // violation B C
	return unused;
}

int main(void)
{
	together(start, stop);
	puts("ready");
	return 0;
}
