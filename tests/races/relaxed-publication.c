// flags: -pthread

/* Published through an atomic pointer, relaxed on both sides: the pointer arrives, the object need not. */
#include <stdatomic.h>

#include "threads.h"

struct message {
	int length;
};

static struct message message;
static struct message *_Atomic published;

static void *publish(void *unused)
{
	message.length = 5; // race A
	atomic_store_explicit(&published, &message, memory_order_relaxed);
	return unused;
}

static void *subscribe(void *unused)
{
	for (int i = 0; i < 100; i++) {
		struct message *m = atomic_load_explicit(&published, memory_order_relaxed);
		if (m)
			return (void *)(long)m->length; // race A
	}
	return unused;
}

int main(void)
{
	together(publish, subscribe);
	return 0;
}
