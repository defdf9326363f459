/* For loops whose progress is only in a register. */
#ifndef WAKE_H
#define WAKE_H

#include <linux/futex.h>
#include <sys/syscall.h>

enum { LONG = 24000 }; /* long enough to look endless */

/* A scheduling point that is no call: a syscall keeps all registers, so the compiler writes nothing to memory for it. */
static inline void wake_nobody(void)
{
	static int word;
	long number = SYS_futex;

	__asm__ volatile("syscall" : "+a"(number) : "D"(&word), "S"(FUTEX_WAKE_PRIVATE), "d"(1) : "rcx", "r11");
}

#endif
