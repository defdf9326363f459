/*
 * Waiting for the world.  While others can run, descriptors are looked at after every operation that may have made one
 * ready, and from time to time; when nobody can run, the process waits.
 */
#include "rt/kernel/kernel.h"

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/op.h"
#include "rt/ending/ending.h"
#include "rt/fibers/choose.h"
#include "rt/fibers/sched.h"
#include "rt/kernel/above.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/signals.h"

#define POLLED_MAX 4096

static struct {
	struct pollfd polled[POLLED_MAX];
	struct fiber *owner[POLLED_MAX];
} state;

static uint32_t gather_polled(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED || f->wait.kind != WAIT_FDS)
			continue;
		for (uint32_t k = 0; k < f->wait.nfds && n < POLLED_MAX; k++) {
			state.polled[n] = f->wait.fds[k];
			state.polled[n].revents = 0;
			state.owner[n++] = f;
		}
	}
	return n;
}

void kernel_poll(int64_t timeout)
{
	struct timespec t = {timeout / 1000000000, timeout % 1000000000};
	uint64_t all = ~0ul;
	uint32_t n = gather_polled();

	omen.io_dirty = false;
	if (!n && !timeout)
		return;
	if (timeout)
		raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	if (omen.knocking || omen.signal_arrived)
		t = (struct timespec){0};
	bool for_ever = timeout < 0 && !omen.knocking && !omen.signal_arrived;
	long ready = world5(SYS_ppoll, state.polled, n, for_ever ? NULL : &t, &omen.kernel_mask, 8);
	if (timeout)
		raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.kernel_mask, NULL, 8);
	for (uint32_t i = 0; ready > 0 && i < n; i++)
		if (state.polled[i].revents)
			sched_unblock(state.owner[i], WAIT_WOKEN);
}

/* The replay of a recording waits for the world as the recording did. */
bool kernel_is_alone(void)
{
	return !omen.children && !world_is_replayed() && (mode_is(SERVED) || omen.strategy->jumps);
}

/* Does a fiber wait for something that only the outside can bring? */
static bool waits_for_world(bool *shared)
{
	bool world = false;

	*shared = false;
	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED || f->wait.kind == WAIT_KEY || f->wait.kind == WAIT_SIGNAL ||
		    (f->wait.kind == WAIT_FDS && local_fds_only(f->wait.fds, f->wait.nfds)))
			continue;
		world = true;
		*shared |= f->wait.kind == WAIT_SHARED;
	}
	return world;
}

static bool waits_for_child(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind == WAIT_CHILD)
			return true;
	return false;
}

void kernel_look_again(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED)
			continue;
		if (f->wait.kind == WAIT_CHILD ||
		    (f->wait.kind == WAIT_SHARED && *(volatile uint32_t *)f->wait.key != f->wait.value))
			sched_unblock(f, WAIT_WOKEN);
	}
}

void kernel_idle(void)
{
	bool shared, world;

	signals_take_in();
	kernel_fire_timers();
	if (omen.io_waiters)
		kernel_poll(0);
	if (omen.nrunnable)
		return;
	world = waits_for_world(&shared);
	if (!world && omen.next_deadline == NEVER && signals_expected() && !kernel_is_alone())
		world = true; /* nothing else can happen, so the program may be waiting for a signal from outside */
	if (!world && (!kernel_time_is_real() || omen.next_deadline == NEVER)) {
		if (omen.next_deadline == NEVER) {
			if (OP(STUCK))
				return;
			ending_deadlock();
		}
		OP(TIME_PASSES, .value = (uint64_t)(omen.next_deadline - omen.clock));
		omen.clock = omen.next_deadline;
		kernel_fire_timers();
		return;
	}
	if (ending_has_cycle())
		ending_deadlock();
	int64_t timeout = omen.next_deadline == NEVER ? -1 : omen.next_deadline - omen.clock;
	/* no descriptor and no signal tells of these: they are looked at every millisecond */
	if ((shared || waits_for_child()) && (timeout < 0 || timeout > 1000000))
		timeout = 1000000;
	int64_t before = kernel_world_clock();
	OP(IDLED);
	kernel_poll(timeout);
	int64_t elapsed = kernel_world_clock() - before;
	omen.clock += timeout >= 0 && elapsed > timeout ? timeout : elapsed;
	kernel_sync_clock();
	kernel_look_again();
	kernel_fire_timers();
}
