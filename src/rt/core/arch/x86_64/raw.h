/*
 * Raw syscalls.  They stand in libomen's own text, which Syscall User Dispatch lets through, so they never trap.  Every
 * room of the runtime may make them.
 */
#ifndef OMEN_RAW_H
#define OMEN_RAW_H

#include <stdint.h>
#include <sys/syscall.h>

/* Returns what the kernel returns: a value or a negative errno. */
static inline long raw_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}

#define raw0(nr)                   raw_syscall(nr, 0, 0, 0, 0, 0, 0)
#define raw1(nr, a)                raw_syscall(nr, (long)(a), 0, 0, 0, 0, 0)
#define raw2(nr, a, b)             raw_syscall(nr, (long)(a), (long)(b), 0, 0, 0, 0)
#define raw3(nr, a, b, c)          raw_syscall(nr, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define raw4(nr, a, b, c, d)       raw_syscall(nr, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define raw5(nr, a, b, c, d, e)    raw_syscall(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define raw6(nr, a, b, c, d, e, f) raw_syscall(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
