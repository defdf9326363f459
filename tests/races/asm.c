// Inline assembly without a lock: what it reads and writes races like any other access.
#include "threads.h"

static int counter, shown;
static long words[2];
_Alignas(16) struct {
	long first, second;
} pair; // not static: the compiler sees no store to the second word

static void *update(void *arg)
{
	__asm__("addl $1, %0" : "+m"(counter)); // race A
	__asm__("movl %1, %0" : "=m"(shown) : "r"(1)); // race B
	__asm__("movq $5, 8(%0)" : : "r"(words) : "memory"); // race C
	long one = 0, other = 0; // the operand is the first word of what is exchanged
	__asm__ volatile("lock cmpxchg16b %0" : "+m"(pair.first), "+a"(one), "+d"(other) : "b"(1l), "c"(2l) : "cc"); // race D
	return arg;
}

static void *look(void *arg)
{
	int seen, copy;

	seen = counter; // race A
	__asm__("movl %1, %0" : "=r"(copy) : "m"(shown)); // race B
	seen += (int)words[1]; // race C
	seen += (int)pair.second; // race D
	seen += copy;
	return seen ? arg : NULL;
}

int main(void) { together(update, look); }
