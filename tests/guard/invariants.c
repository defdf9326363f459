// flags: -pthread -O0
// options: --invariant 'invariants.c:stock >= 0' --invariant 'invariants.c:ratio<1.5' --invariant 'invariants.c:level != 7' --invariant 'invariants.c:flags <= 0xffffffffffffff00'
// 1: invariant invariants.c:stock >= 0 does not hold: it is -1
// 2: invariant invariants.c:ratio<1.5 does not hold
// 3: invariant invariants.c:level != 7 does not hold: it is 7
// 4: invariant invariants.c:flags <= 0xffffffffffffff00 does not hold: it is 18446744073709551615
// 5: invariant main: invariant `seen >= 0' does not hold
// 6: invariant invariants.c:stock >= 0 does not hold: it is -3
// 7: invariant invariants.c:stock >= 0 does not hold: it is -1
// 8: invariant invariants.c:stock >= 0 does not hold: it is -5
// 20: nothing

/* Conditions that must hold after each write. */
#include <omen.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int stock;
static volatile double ratio = 1;
static atomic_uchar level;
static volatile unsigned long flags;
static volatile int one = 1;

static void *take(void *unused)
{
	stock -= one; /* 7 */
	return unused;
}

int main(int argc, char **argv)
{
	int seen = argc > 1 ? atoi(argv[1]) : 0, minus = -3 * one;
	pthread_t thread;

	switch (seen) {
	case 1: stock = -one; stock = 0; break; /* 1 */
	case 2: ratio = 1.5 * one; ratio = 0; break; /* 2 */
	case 3: atomic_fetch_add(&level, 7 * one); atomic_store(&level, 0); break; /* 3 */
	case 4: flags = -(unsigned long)one; flags = 0; break; /* 4 */
	case 5: seen = -one; OMEN_INVARIANT(seen >= 0); break; /* 5 */
	case 6: memcpy((void *)&stock, &minus, sizeof stock * one); stock = 0; break; /* 6 */
	case 7: pthread_create(&thread, NULL, take, NULL); pthread_join(thread, NULL); break;
	case 8: stock = -5 * one; break; /* 8 */

	case 20:
		for (int i = 0; i < 100; i++) {
			stock = i;
			ratio = 1.25;
			atomic_store(&level, 6);
			flags = 0xffffffffffffff00;
			OMEN_INVARIANT(stock == i);
		}
		break;
	}
	puts("end");
	return 0;
}
