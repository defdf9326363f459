// flags: -pthread
// race A: verdict=output-differs states=differ

/* As states-registers.c, with registers of 32 bytes where the processor has them. */
#include <stdio.h>

#include "../races/threads.h"

typedef double wide __attribute__((vector_size(32)));

static wide from, to;

static void *set(void *unused)
{
	from = (wide){0, 0, 6}; // race A
	return unused;
}

#define COPY(name, attribute)                                                                                          \
	attribute static void *name(void *unused)                                                                      \
	{                                                                                                              \
		to = from;                                                                                             \
		return unused;                                                                                         \
	}

/* clang-format off */
COPY(copy, ) COPY(copy_at_once, __attribute__((target("avx2")))) // race A
        /* clang-format on */

        int main(void)
{
	together(set, __builtin_cpu_supports("avx2") ? copy_at_once : copy);
	printf("%g\n", to[2]);
	return 0;
}
