/* Futexes among fibers: glibc, libstdc++, libgomp and hand-written locks are all built on them. */
#include "rt/core/op.h"
#include "rt/kernel/kernel.h"
#include "rt/order/happens_before.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/kernel/signals.h"
#include "rt/fibers/fiber.h"
#include "rt/fibers/sched.h"

static int64_t deadline_of(long op, const struct timespec *t)
{
	int command = (int)op & FUTEX_CMD_MASK;
	int clock = op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;

	if (!t)
		return NEVER;
	if (command == FUTEX_LOCK_PI)
		clock = CLOCK_REALTIME;
	return kernel_deadline(clock, t, command != FUTEX_WAIT);
}

static bool bad_timeout(const struct timespec *t)
{
	return t && (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= 1000000000);
}

static long futex_wait(struct call *c, uint32_t bits)
{
	volatile uint32_t *word = (void *)c->arg[0];
	struct fiber *f = omen.current;
	int64_t deadline = deadline_of(c->arg[1], (const void *)c->arg[3]);

	if (!bits || bad_timeout((const void *)c->arg[3]))
		return -EINVAL;
	if (*word != (uint32_t)c->arg[2])
		return -EAGAIN;
	if (deadline != NEVER && deadline <= omen.clock)
		return -ETIMEDOUT;
	bool shared = !(c->arg[1] & FUTEX_PRIVATE_FLAG) && kernel_is_shared_memory((void *)word);
	f->wait = (struct wait){.kind = shared ? WAIT_SHARED : WAIT_KEY,
	                        .key = (void *)word,
	                        .bits = bits,
	                        .value = (uint32_t)c->arg[2],
	                        .deadline = deadline};
	enum wait_result r = sched_block(c->where);
	OP(FUTEX, .object = (const void *)word, .size = sizeof(*word));
	switch (r) {
	case WAIT_TIMEOUT:
		return -ETIMEDOUT;
	case WAIT_INTERRUPTED:
		/* with a timeout it is not restarted, as in the kernel */
		return signals_restart() && deadline == NEVER ? futex_wait(c, bits) : -EINTR;
	default:
		return 0;
	}
}

static long futex_wake(struct call *c, uint32_t bits)
{
	void *word = (void *)c->arg[0];
	uint32_t most = c->arg[2] < 1 ? 1 : (uint32_t)c->arg[2];
	uint32_t n = sched_wake(word, most, bits);

	if (n < most && !(c->arg[1] & FUTEX_PRIVATE_FLAG) && kernel_is_shared_memory(word))
		n += (uint32_t)raw3(SYS_futex, word, FUTEX_WAKE, most - n);
	c->result = n;
	sched_point(POINT_SYNC, c->where);
	return n;
}

static long futex_requeue(struct call *c, bool compare)
{
	void *from = (void *)c->arg[0], *to = (void *)c->arg[4];
	uint32_t most = (uint32_t)c->arg[3], moved = 0;

	if (compare && *(volatile uint32_t *)from != (uint32_t)c->arg[5])
		return -EAGAIN;
	uint32_t n = sched_wake(from, (uint32_t)c->arg[2], ~0u);
	for (uint32_t i = 0; i < omen.nlive && moved < most; i++) {
		struct fiber *f = omen.live[i];
		if (f->state == FIBER_BLOCKED && f->wait.key == from) {
			f->wait.key = to;
			moved++;
		}
	}
	return compare ? n + moved : n;
}

static long futex_wake_op(struct call *c)
{
	volatile int32_t *word = (void *)c->arg[4];
	uint32_t code = (uint32_t)c->arg[5];
	int32_t arg = (int32_t)(code << 8) >> 20, against = (int32_t)(code << 20) >> 20, old = *word;
	bool more;

	if (code >> 28 & FUTEX_OP_OPARG_SHIFT)
		arg = 1 << (arg & 31);
	switch (code >> 28 & 7) {
	case FUTEX_OP_SET:
		*word = arg;
		break;
	case FUTEX_OP_ADD:
		*word = old + arg;
		break;
	case FUTEX_OP_OR:
		*word = old | arg;
		break;
	case FUTEX_OP_ANDN:
		*word = old & ~arg;
		break;
	case FUTEX_OP_XOR:
		*word = old ^ arg;
		break;
	default:
		return -ENOSYS;
	}
	switch (code >> 24 & 15) {
	case FUTEX_OP_CMP_EQ:
		more = old == against;
		break;
	case FUTEX_OP_CMP_NE:
		more = old != against;
		break;
	case FUTEX_OP_CMP_LT:
		more = old < against;
		break;
	case FUTEX_OP_CMP_LE:
		more = old <= against;
		break;
	case FUTEX_OP_CMP_GT:
		more = old > against;
		break;
	case FUTEX_OP_CMP_GE:
		more = old >= against;
		break;
	default:
		return -ENOSYS;
	}
	uint32_t n = sched_wake((void *)c->arg[0], (uint32_t)c->arg[2], ~0u);
	if (more)
		n += sched_wake((void *)word, (uint32_t)c->arg[3], ~0u);
	return n;
}

/* Priority inheritance has no effect on one processor, but the word must change as the protocol says. */
static long futex_lock_pi(struct call *c, bool try)
{
	volatile uint32_t *word = (void *)c->arg[0];
	struct fiber *f = omen.current;
	int64_t deadline = deadline_of(c->arg[1], (const void *)c->arg[3]);

	if (!try && bad_timeout((const void *)c->arg[3]))
		return -EINVAL;
	for (;;) {
		uint32_t owner = *word & FUTEX_TID_MASK;
		if (owner == f->tid)
			return -EDEADLK;
		if (!owner || (*word & FUTEX_OWNER_DIED && !fiber_by_tid(owner))) {
			*word = f->tid | (*word & (FUTEX_OWNER_DIED | FUTEX_WAITERS));
			return 0;
		}
		if (!fiber_by_tid(owner))
			return -ESRCH;
		if (try)
			return -EAGAIN;
		*word |= FUTEX_WAITERS;
		f->wait = (struct wait){.kind = WAIT_KEY, .key = (void *)word, .bits = ~0u, .deadline = deadline};
		switch (sched_block(c->where)) {
		case WAIT_TIMEOUT:
			return -ETIMEDOUT;
		case WAIT_INTERRUPTED:
			signals_deliver();
			break;
		default:
			break;
		}
	}
}

static long futex_unlock_pi(struct call *c)
{
	volatile uint32_t *word = (void *)c->arg[0];

	if ((*word & FUTEX_TID_MASK) != omen.current->tid)
		return -EPERM;
	*word = 0;
	sched_wake((void *)word, UINT32_MAX, ~0u);
	sched_point(POINT_SYNC, c->where);
	return 0;
}

static long answer_futex(struct call *c)
{
	switch ((int)c->arg[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
		return futex_wait(c, FUTEX_BITSET_MATCH_ANY);
	case FUTEX_WAIT_BITSET:
		return futex_wait(c, (uint32_t)c->arg[5]);
	case FUTEX_WAKE:
		return futex_wake(c, FUTEX_BITSET_MATCH_ANY);
	case FUTEX_WAKE_BITSET:
		return futex_wake(c, (uint32_t)c->arg[5]);
	case FUTEX_REQUEUE:
		return futex_requeue(c, false);
	case FUTEX_CMP_REQUEUE:
		return futex_requeue(c, true);
	case FUTEX_WAKE_OP:
		return futex_wake_op(c);
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return futex_lock_pi(c, false);
	case FUTEX_TRYLOCK_PI:
		return futex_lock_pi(c, true);
	case FUTEX_UNLOCK_PI:
		return futex_unlock_pi(c);
	default:
		return -ENOSYS;
	}
}

/*
 * Programs that synchronise with a futex also use atomics, which are seen, or the C library, whose functions are
 * known.  Of a library that makes its own syscalls (libgomp) only the futex is seen: there a wait acquires and
 * releases, and a wake does too.
 */
static bool is_foreign(const struct call *c)
{
	uint64_t pc = c->where >> 1;

	return mode_is(DETECT) && (pc < omen.libc_low || pc >= omen.libc_high) &&
	       (pc < omen.text_low || pc >= omen.text_high);
}

long kernel_futex(struct call *c)
{
	const void *word = (const void *)c->arg[0];

	OP(FUTEX, .object = word, .size = sizeof(uint32_t));
	if (omen.current->object_kind == OBJECT_NONE) /* a lock inside the C library, or an unknown one */
		OP(OUTSIDE, .value = 1);
	if (likely(!is_foreign(c)))
		return answer_futex(c);
	omen.hidden = true; /* where the library need not wait, nothing is seen at all */
	order_acquire(word);
	order_release_too(word);
	long r = answer_futex(c);
	order_acquire(word);
	return r;
}

/* ---- robust mutexes: what the kernel does when their owner dies ---- */

static void owner_died(struct fiber *f, uint32_t *word, bool pi)
{
	if ((*word & FUTEX_TID_MASK) != f->tid)
		return;
	bool waiters = *word & FUTEX_WAITERS;
	order_release(word); /* the mutex begins with this word */
	*word = (*word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
	if (waiters || pi)
		sched_wake(word, pi ? UINT32_MAX : 1, ~0u);
}

void kernel_exit_robust(struct fiber *f)
{
	struct robust_list_head *head = f->robust_list;
	struct robust_list *at;

	if (!head)
		return;
	long offset = head->futex_offset;
	struct robust_list *pending = head->list_op_pending;
	int steps = 0;
	for (at = head->list.next; ((uintptr_t)at & ~1ul) != (uintptr_t)&head->list && steps < 2048; steps++) {
		struct robust_list *entry = (void *)((uintptr_t)at & ~1ul);
		at = entry->next;
		owner_died(f, (uint32_t *)((char *)entry + offset), false);
	}
	if (pending)
		owner_died(f, (uint32_t *)((char *)((uintptr_t)pending & ~1ul) + offset), (uintptr_t)pending & 1);
}
