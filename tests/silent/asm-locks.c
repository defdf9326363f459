// flags: -pthread

// Locks and counters in inline assembly, in the forms that real programs use.
#include <pthread.h>

static volatile int exchanged, compared;
static volatile short bits;
static long one, two, three, total;

static void lock_exchanged(void)
{
	int busy = 1;

	do
		__asm__ volatile("xchgl %0, %1" : "+r"(busy), "+m"(exchanged) : : "memory");
	while (busy);
}

static void unlock_exchanged(void) { __asm__ volatile("movl $0, %0" : "=m"(exchanged) : : "memory"); }

/* With the address in a register. */
static int compare_and_set(volatile int *p, int old, int new)
{
	int seen;

	__asm__ volatile("lock\n\tcmpxchgl %2, (%1)" : "=a"(seen) : "r"(p), "r"(new), "0"(old) : "memory", "cc");
	return seen == old;
}

static void unlock_compared(void) { __asm__ volatile("lock; decl %0" : "+m"(compared) : : "memory", "cc"); }

static void lock_bit(void)
{
	unsigned char busy;

	do
		__asm__ volatile("lock; btsw $3, %1; setc %0" : "=q"(busy), "+m"(bits) : : "memory");
	while (busy);
}

static void unlock_bit(void) { __asm__ volatile("lock; andw $~8, %0" : "+m"(bits) : : "memory", "cc"); }

/* No barrier for the compiler, but an atomic operation. */
static long next(long *p)
{
	long n = 1;

	__asm__ volatile("lock; xaddq %0, %1" : "+r"(n), "+m"(*p));
	return n;
}

static void *work(void *arg)
{
	for (int i = 0; i < 3; i++) {
		lock_exchanged();
		one++;
		unlock_exchanged();
		while (!compare_and_set(&compared, 0, 1))
			__asm__ volatile("pause" : : : "memory");
		two++;
		unlock_compared();
		lock_bit();
		three++;
		unlock_bit();
		next(&total);
	}
	return arg;
}

static int result, flag;

static void *publish(void *arg)
{
	result = 7;
	__asm__ volatile("movl %1, %0" : "=m"(flag) : "r"(1) : "memory");
	return arg;
}

int main(void)
{
	pthread_t thread[2];
	int seen;

	pthread_create(&thread[0], NULL, work, NULL);
	work(NULL);
	pthread_join(thread[0], NULL);
	pthread_create(&thread[1], NULL, publish, NULL);
	__asm__ volatile("movl %1, %0" : "=r"(seen) : "m"(flag) : "memory");
	if (seen && result != 7)
		return 1;
	pthread_join(thread[1], NULL);
	return one != 6 || two != 6 || three != 6 || total != 6;
}
