/*
 * Processors.  All threads share one kernel thread, so the set of processors that a thread asks for is only kept
 * here, and shown to whoever asks.
 *
 * A program that moves from one processor to the next may ask each for its number with the cpuid instruction, as
 * OpenMP's libomp does, and that instruction cannot be answered here.  So while a program asks for some of its
 * processors only, the process stays on one: the instruction gives the same answer every time, in a recording and in
 * its replay.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/kernel/kernel.h"
#include "rt/kernel/above.h"
#include "rt/fibers/fiber.h"

static struct {
	cpu_set_t all; /* the processors that the program may use */
	long size;     /* of the kernel's masks, in bytes */
	bool stays;    /* the process is bound to one of them */
	bool pinned;   /* for ever */
} state;

bool kernel_is_own_tid(long tid) { return !tid || is_our_pid((int)tid) || fiber_by_tid((uint32_t)tid); }

static struct fiber *fiber_of(long tid)
{
	struct fiber *f = tid ? fiber_by_tid((uint32_t)tid) : omen.current;

	return f ? f : omen.live[0]; /* a process id means its first thread */
}

static bool stay_on(unsigned cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return raw3(SYS_sched_setaffinity, 0, sizeof(one), &one) == 0;
}

/*
 * A server and the execution that it waits for are fastest on the same processor: 3 times as many executions a
 * second.
 */
void kernel_pin(uint64_t n)
{
	state.size = raw3(SYS_sched_getaffinity, 0, sizeof(state.all), &state.all);
	if (state.size <= 0)
		return;
	n %= (uint64_t)CPU_COUNT(&state.all);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &state.all) && n-- == 0)
			state.stays = state.pinned = stay_on(cpu);
}

static void stay(bool here)
{
	unsigned cpu = 0;

	if (here == state.stays || state.pinned)
		return;
	raw3(SYS_getcpu, &cpu, 0, 0);
	state.stays = here && stay_on(cpu);
	if (!here)
		raw3(SYS_sched_setaffinity, 0, state.size, &state.all);
}

void kernel_leave_processors(void)
{
	state.pinned = false;
	stay(false);
}

long kernel_getaffinity(struct call *c)
{
	long r = kernel_own_pid(c);

	if (r <= 0 || r > (long)sizeof(cpu_set_t) || !kernel_is_own_tid(c->arg[0]))
		return r;
	const struct fiber *f = fiber_of(c->arg[0]);
	if (!state.stays) {
		state.size = r;
		CPU_ZERO(&state.all);
		memcpy(&state.all, (const void *)c->arg[2], (size_t)r);
	}
	memcpy((void *)c->arg[2], CPU_COUNT(&f->processors) ? &f->processors : &state.all, (size_t)r);
	return r;
}

long kernel_setaffinity(struct call *c)
{
	cpu_set_t wanted;
	size_t size = (size_t)c->arg[1] < sizeof(wanted) ? (size_t)c->arg[1] : sizeof(wanted);

	if (!kernel_is_own_tid(c->arg[0]))
		return kernel_own_pid(c);
	CPU_ZERO(&wanted);
	memcpy(&wanted, (const void *)c->arg[2], size);
	if (!state.stays)
		state.size = world3(SYS_sched_getaffinity, 0, sizeof(state.all), &state.all);
	if (state.size <= 0)
		return kernel_own_pid(c);
	CPU_AND(&wanted, &wanted, &state.all);
	if (!CPU_COUNT(&wanted))
		return -EINVAL;
	fiber_of(c->arg[0])->processors = wanted;
	stay(!CPU_EQUAL(&wanted, &state.all));
	return 0;
}
