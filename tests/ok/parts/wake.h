/* For loops that get on in a register only. */
#ifndef WAKE_H
#define WAKE_H

#include <linux/futex.h>
#include <sys/syscall.h>

enum { LONG = 24000 }; /* long enough to be suspected */

/* A point that is no call: a syscall keeps all registers, so that nothing goes to memory for it. */
static inline void wake_nobody(void)
{
	static int word;
	long number = SYS_futex;

	__asm__ volatile("syscall" : "+a"(number) : "D"(&word), "S"(FUTEX_WAKE_PRIVATE), "d"(1) : "rcx", "r11");
}

#endif
