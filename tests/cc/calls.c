// Calling conventions: varargs, structures by value, mandatory tail calls, recursion, function pointers.
#include <stdarg.h>
#include <stdio.h>

struct big {
	long a[6];
};
struct small {
	short a;
	char b;
};
struct mixed {
	double d;
	int i;
};

static int calls;

static double sum(int n, ...)
{
	va_list ap, copy;
	double s = 0;

	va_start(ap, n);
	va_copy(copy, ap);
	for (int i = 0; i < n; i++)
		s += i % 2 ? va_arg(ap, double) : va_arg(ap, int);
	s += va_arg(copy, int);
	va_end(copy);
	va_end(ap);
	return s;
}

static struct big twice(struct big b)
{
	for (int i = 0; i < 6; i++)
		b.a[i] *= 2;
	return b;
}

static struct small shrink(struct small s) { return (struct small){s.a / 2, s.b + 1}; }
static struct mixed mix(struct mixed *m) { return *m; }

static int odd(int n);
static int even(int n)
{
	calls++;
	if (!n)
		return 1;
	__attribute__((musttail)) return odd(n - 1);
}
static int odd(int n)
{
	calls++;
	if (!n)
		return 0;
	__attribute__((musttail)) return even(n - 1);
}

static int (*const table[])(int) = {even, odd};

int main(void)
{
	struct big b = twice((struct big){{1, 2, 3, 4, 5, 6}});
	struct small s = shrink((struct small){100, 'x'});
	struct mixed m = mix(&(struct mixed){2.5, 7});

	printf("%g\n", sum(5, 1, 2.5, 3, 4.5, 5));
	printf("%ld %ld %d %c %g %d\n", b.a[0], b.a[5], s.a, s.b, m.d, m.i);
	printf("%d %d %d\n", table[0](1000000), table[1](1000001), calls);
}
