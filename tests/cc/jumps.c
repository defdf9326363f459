// Control flow that is neither a call nor a plain branch: setjmp, computed goto, switch, asm goto, irreducible loops.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;
static int visits;

__attribute__((noinline)) static void deep(int n)
{
	visits++;
	if (!n)
		longjmp(place, 7);
	deep(n - 1);
	visits--;
}

static int interpret(const char *code)
{
	static const void *const label[] = {&&inc, &&dec, &&dbl, &&end};
	int acc = 0;

	goto *label[*code++ - '0'];
inc:
	acc++;
	goto *label[*code++ - '0'];
dec:
	acc--;
	goto *label[*code++ - '0'];
dbl:
	acc *= 2;
	goto *label[*code++ - '0'];
end:
	return acc;
}

static int choose(int n)
{
	switch (n) {
	case 0:
		return 10;
	case 1:
	case 2:
		return 20;
	case 100 ... 200:
		return 30;
	default:
		return n < 0 ? -1 : 1;
	}
}

static int irreducible(int n)
{
	int r = 0;

	if (n & 1)
		goto middle;
top:
	r += 3;
middle:
	r += n;
	if (--n > 0)
		goto top;
	return r;
}

static int is_zero(int n)
{
	__asm__ goto("test %0, %0\n\tjz %l[zero]" : : "r"(n) : "cc" : zero);
	return 0;
zero:
	return 1;
}

static int asm_loop(int n)
{
	int turns = 0;
again:
	turns++;
	__asm__ goto("subl $1, %0\n\tjnz %l[again]" : "+r"(n) : : "cc" : again);
	return turns;
}

static unsigned add_asm(unsigned a, unsigned b)
{
	__asm__("addl %1, %0" : "+r"(a) : "r"(b) : "cc");
	return a;
}

static long memory_asm(long *p)
{
	__asm__ volatile("addq $5, %0" : "+m"(*p) : : "cc", "memory");
	return *p;
}

int main(void)
{
	volatile int tries = 0;
	long cell = 37;
	int back = setjmp(place);

	if (tries++ < 3)
		deep(10 * tries);
	printf("%d %d %d\n", back, tries, visits);
	printf("%d\n", interpret("00202213"));
	printf("%d %d %d %d %d\n", choose(0), choose(2), choose(150), choose(-4), choose(9));
	printf("%d %d\n", irreducible(5), irreducible(6));
	printf("%d %d %d\n", is_zero(0), is_zero(3), asm_loop(4));
	printf("%u %ld\n", add_asm(40, 2), memory_asm(&cell));
}
