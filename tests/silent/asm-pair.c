// flags: -pthread

// A lock of two words, locked and unlocked by cmpxchg16b, whose operand is often declared as the first word only.
#include <pthread.h>

struct pair {
	long owner, turn;
};

static _Alignas(16) struct pair lock, narrow;
static long one, two;

static int exchange(struct pair *p, struct pair old, struct pair new)
{
	char done;

	__asm__ volatile("lock cmpxchg16b %0; setz %1"
	                 : "+m"(*p), "=q"(done), "+a"(old.owner), "+d"(old.turn)
	                 : "b"(new.owner), "c"(new.turn)
	                 : "memory", "cc");
	return done;
}

static int exchange_narrow(struct pair *p, struct pair old, struct pair new)
{
	char done;

	__asm__ volatile("lock cmpxchg16b %0; setz %1"
	                 : "+m"(p->owner), "=q"(done), "+a"(old.owner), "+d"(old.turn)
	                 : "b"(new.owner), "c"(new.turn)
	                 : "memory", "cc");
	return done;
}

/* Only the second word changes. */
static void *work(void *arg)
{
	for (int i = 0; i < 3; i++) {
		while (!exchange(&lock, (struct pair){0, 0}, (struct pair){0, 1}))
			__asm__ volatile("pause" : : : "memory");
		one++;
		exchange(&lock, (struct pair){0, 1}, (struct pair){0, 0});
		while (!exchange_narrow(&narrow, (struct pair){0, 0}, (struct pair){0, 1}))
			__asm__ volatile("pause" : : : "memory");
		two++;
		exchange_narrow(&narrow, (struct pair){0, 1}, (struct pair){0, 0});
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	return one != 6 || two != 6;
}
