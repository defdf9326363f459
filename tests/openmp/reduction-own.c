// flags: -fopenmp

/* A user-defined reduction of a structure, and a reduction of an array. */
#include <stdio.h>

struct range {
	int low, high;
};

static struct range joined(struct range a, struct range b)
{
	return (struct range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

#pragma omp declare reduction(join : struct range : omp_out = joined(omp_out, omp_in)) initializer(omp_priv = {99, -99})

int main(void)
{
	struct range all = {99, -99};
	int count[3] = {0};

#pragma omp parallel for reduction(join : all) reduction(+ : count[:3])
	for (int i = -5; i < 10; i++) {
		all = joined(all, (struct range){i, i});
		count[(i + 6) % 3]++;
	}
	printf("%d %d %d %d %d\n", all.low, all.high, count[0], count[1], count[2]);
	return 0;
}
