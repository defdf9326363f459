#include "rt/kernel/bad_pointers.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "abi/syscall_names.h"
#include "rt/core/text.h"
#include "rt/memory/wild_pointer.h"

/* ---- into the runtime's own memory ---- */

/* The arguments that are pointers, a bit each. */
static const struct {
	uint8_t pointers;
} rows[SYSCALLS_MAX] = {
#define A(n)                (1u << (n))
#define CALL(name, ...)     [SYS_##name] = {__VA_ARGS__},
#define POINTERS(arguments) .pointers = arguments,
#include "rt/kernel/syscalls.h"
};

/* Does the program map memory over pages of the runtime, or change or give back such pages? */
static bool refuse_mapping(const struct call *c, long *error)
{
	uint64_t low = (uint64_t)c->arg[0], high = low + (uint64_t)c->arg[1];

	if (high <= low || !(wild_maybe(low) || wild_maybe(high - 1) || high - low > 1ul << 30) ||
	    !wild_covers(low, high))
		return false;
	switch (c->nr) {
	case SYS_mmap:
		if ((c->arg[3] & MAP_FIXED_NOREPLACE) != MAP_FIXED_NOREPLACE && c->arg[3] & MAP_FIXED)
			text_die("the program maps memory at 0x%lx, where Omen has its own", low);
		return false;
	case SYS_munmap:
		*error = 0; /* as for memory that is not there */
		return true;
	case SYS_mremap:
		*error = -EFAULT;
		return true;
	default:
		*error = -ENOMEM;
		return true;
	}
}

bool bad_pointers_refuse(const struct call *c, long *error)
{
	uint32_t which = c->nr >= 0 && c->nr < SYSCALLS_MAX ? rows[c->nr].pointers : 0;

	if (c->nr == SYS_mmap || c->nr == SYS_munmap || c->nr == SYS_mremap || c->nr == SYS_mprotect ||
	    c->nr == SYS_madvise || c->nr == SYS_msync || c->nr == SYS_mlock)
		return refuse_mapping(c, error);
	for (; which; which &= which - 1) {
		uint64_t p = (uint64_t)c->arg[__builtin_ctz(which)];
		if (!wild_maybe(p) || !wild_covers(p, p + 1))
			continue;
		*error = -EFAULT;
		return true;
	}
	return false;
}

/* ---- to nowhere ---- */

#define NEAR 4096 /* an access through a pointer is at most so far from the pointer itself */

struct attempt {
	const struct call *call;
	void *place[5]; /* what __builtin_setjmp keeps: frame, code, stack */
};

/* Is one of the bad pointers in a vector in memory? */
static bool has_wild_vector(const struct call *c)
{
	const struct iovec *v = (const struct iovec *)c->arg[1];

	if (c->nr != SYS_readv && c->nr != SYS_writev && c->nr != SYS_preadv && c->nr != SYS_pwritev)
		return false;
	for (long i = 0; i < c->arg[2] && i < IOV_MAX; i++)
		if (v[i].iov_len && wild_maybe((uint64_t)v[i].iov_base) &&
		    wild_covers((uint64_t)v[i].iov_base, (uint64_t)v[i].iov_base + 1))
			return true;
	return false;
}

__attribute__((noinline)) long bad_pointers_try(struct call *c, long (*answer)(struct call *))
{
	struct fiber *f = omen.current;
	struct attempt *outer = f->attempt, own = {.call = c};

	f->attempt = &own;
	long r = __builtin_setjmp(own.place) || has_wild_vector(c) ? -EFAULT : answer(c);
	f->attempt = outer;
	return r;
}

bool bad_pointers_fault(uint64_t address, ucontext_t *uc)
{
	const struct attempt *a = omen.current ? omen.current->attempt : NULL;
	greg_t *regs = uc->uc_mcontext.gregs;
	uint64_t pc = (uint64_t)regs[REG_RIP];

	if (pc - omen.text_low >= omen.text_high - omen.text_low &&
	    pc - omen.libc_low >= omen.libc_high - omen.libc_low)
		return false; /* the program's own code, in a signal handler */
	for (int i = 0; a && i < 6; i++) {
		if (address - (uint64_t)a->call->arg[i] >= NEAR)
			continue;
		regs[REG_RBP] = (greg_t)a->place[0];
		regs[REG_RIP] = (greg_t)a->place[1];
		regs[REG_RSP] = (greg_t)a->place[2];
		return true;
	}
	return false;
}
