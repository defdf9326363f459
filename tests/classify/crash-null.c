// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=null-dereference

/* The session exists when a thread tests it, and is gone when the thread uses it. */
#include <stdio.h>

#include "../races/threads.h"

struct session {
	int user;
};

static struct session first = {7};
static struct session *volatile session = &first;

static void *serve(void *unused)
{
	if (session)                                // race A
		printf("user %d\n", session->user); // race B violation A B
	return unused;
}

static void *log_out(void *unused)
{
	session = NULL; // race A B
	return unused;
}

int main(void)
{
	together(serve, log_out);
	return 0;
}
