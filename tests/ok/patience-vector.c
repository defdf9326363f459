// flags: -pthread -O2

/*
 * A loop that counts in the last element of the widest vector register that exists, and nowhere else.  Compiled code
 * does not use these registers here.
 */
#include <pthread.h>

#include "must.h"
#include "parts/wake.h"

typedef double plain __attribute__((vector_size(16)));
typedef double wide __attribute__((vector_size(32)));
typedef double widest __attribute__((vector_size(64)));

#define COUNT(name, attributes, type, add, move, counter, last)                                                        \
	__attribute__((no_sanitize("thread"))) attributes static void *name(void *unused)                              \
	{                                                                                                              \
		type step = {0}, now = {0};                                                                            \
                                                                                                                       \
		step[last] = 1;                                                                                        \
		__asm__ volatile(move " %0, %%" counter : : "x"(now));                                                 \
		while (now[last] < LONG) {                                                                             \
			__asm__ volatile(add : : "x"(step));                                                           \
			wake_nobody();                                                                                 \
			__asm__ volatile(move " %%" counter ", %0" : "=x"(now));                                       \
		}                                                                                                      \
		return unused;                                                                                         \
	}

COUNT(count, , plain, "addpd %0, %%xmm11", "movapd", "xmm11", 1)
COUNT(count_wide, __attribute__((target("avx"))), wide, "vaddpd %0, %%ymm11, %%ymm11", "vmovapd", "ymm11", 3)
COUNT(count_widest, __attribute__((target("avx512f"))), widest, "vaddpd %0, %%zmm21, %%zmm21", "vmovapd", "zmm21", 7)

int main(void)
{
	pthread_t t;

	must(pthread_create(&t, NULL,
	                    __builtin_cpu_supports("avx512f") ? count_widest
	                    : __builtin_cpu_supports("avx")   ? count_wide
	                                                      : count,
	                    NULL) == 0);
	must(pthread_join(t, NULL) == 0);
	puts("counted");
	return 0;
}
