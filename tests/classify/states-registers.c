// flags: -pthread
// race A B C D E F: verdict=output-differs states=differ

/*
 * One thread writes values of all kinds, the other copies them.  Right after the race what it read is only in a register:
 * a general one, a vector register of some width, or the stack of x87.
 */
#include <stdio.h>

#include "../races/threads.h"

typedef double wide __attribute__((vector_size(32)));
typedef int quad __attribute__((vector_size(16)));

static struct values {
	long whole;
	float narrow;
	double real;
	long double extended;
	quad quad;
	wide wide;
} from, to;

static void *set(void *unused)
{
	from.whole = 1;              // race A
	from.narrow = 2;             // race B
	from.real = 3;               // race C
	from.extended = 4;           // race D
	from.quad = (quad){0, 5};    // race E
	from.wide = (wide){0, 0, 6}; // race F
	return unused;
}

static void *copy(void *unused)
{
	to.whole = from.whole;       // race A
	to.narrow = from.narrow;     // race B
	to.real = from.real;         // race C
	to.extended = from.extended; // race D
	to.quad = from.quad;         // race E
	to.wide = from.wide;         // race F
	return unused;
}

int main(void)
{
	together(set, copy);
	printf("%ld %g %g %Lg %d %g\n", to.whole, (double)to.narrow, to.real, to.extended, to.quad[1], to.wide[2]);
	return 0;
}
