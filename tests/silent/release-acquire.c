// flags: -pthread

/* Publication: a release store, an acquire load that sees it. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

struct message {
	int length;
	char text[12];
};

static struct message message;
static struct message *_Atomic published;

static void *publish(void *unused)
{
	message = (struct message){5, "hello"};
	atomic_store_explicit(&published, &message, memory_order_release);
	return unused;
}

static void *subscribe(void *unused)
{
	struct message *m;

	while (!(m = atomic_load_explicit(&published, memory_order_acquire)))
		sched_yield();
	return m->text[m->length - 1] == 'o' ? unused : NULL;
}

int main(void)
{
	together(publish, subscribe, subscribe);
	return 0;
}
