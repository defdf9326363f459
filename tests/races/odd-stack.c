// Assembly calls C with a misaligned stack, which works as long as the C code uses no vectors.
#include "threads.h"

int number;

void set(void);
void from_assembly(void);

__asm__(".text\n.globl from_assembly\n.type from_assembly, @function\nfrom_assembly:\n"
        "	call set\n" /* 8 bytes off */
        "	ret\n");

void set(void)
{
	number = 1; // race A
}

static void *work(void *arg)
{
	from_assembly();
	return arg;
}

int main(void) { together(work, work); }
