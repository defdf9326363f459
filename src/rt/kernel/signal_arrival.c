/*
 * Signals from outside.  The kernel's handler notes them; they are let in at points only, so that a recording can say
 * when. The end of the recorded part is one of them.
 */
#include "rt/kernel/signal_state.h"

#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/kernel/above.h"

#define SIGNALS_END 0x656e64 /* a si_code that nobody else sends */

static struct {
	uint64_t outside; /* these have come and are not let in yet */
	siginfo_t outside_info[SIGNALS + 1];
	volatile bool ends; /* enough was recorded: the execution ends at the next point */
} state;

static void end_at_next_point(void)
{
	state.ends = true;
	omen.knocking = 1;
}

void signals_on_async(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (signal == TIMEOUT_SIGNAL && omen.board && info->si_pid == (pid_t)raw0(SYS_getppid)) {
		if (!execution_is_late())
			return; /* it was meant for the execution before */
		if (!omen.board->end_asked)
			ending_fail(ENDING_TIMEOUT, "still running after %lu ms", omen.board->config.timeout_ms);
		end_at_next_point();
		return;
	}
	if (signal == SIGPIPE && world_is_replayed())
		return; /* showing output again has caused it; the recorded one is in the log */
	/*
	 * a recording must say when: the signal waits for the next point, unless it comes a second time before that
	 */
	bool deadly = !(omen.off & OFF_BEFORE) && signals_is_default(signal) && !signals_is_ignored(signal) &&
	              !(omen.current->mask & BIT(signal));
	if (deadly && signal == SIGINT && omen.board && omen.board->config.interruptible) {
		end_at_next_point();
		return;
	}
	if (deadly && (!world_is_recorded() || state.outside & BIT(signal)))
		signals_die_by_default(signal);
	state.outside_info[signal] = *info;
	__atomic_fetch_or(&state.outside, BIT(signal), __ATOMIC_RELAXED);
	omen.knocking = 1;
}

/*
 * The end of the recorded part is in the log as a signal, so that a replay ends there.  It has the time with it: an
 * execution that leaves the recording ends at about the same time.
 */
static void end_recording(enum admission place)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = TIMEOUT_SIGNAL;
	info.si_code = SIGNALS_END;
	info.si_value.sival_ptr = (void *)omen.clock;
	world_record_signal(place, &info);
	ending_ended(place != ADMIT_IDLE);
}

bool signals_is_end(const siginfo_t *info, int64_t *clock)
{
	*clock = (int64_t)info->si_value.sival_ptr;
	return info->si_signo == TIMEOUT_SIGNAL && info->si_code == SIGNALS_END;
}

static void let_in(const siginfo_t *info)
{
	signals.info[info->si_signo] = *info;
	signals.pending |= BIT(info->si_signo);
	omen.signal_arrived = true;
}

/*
 * The kernel's handler may run at any time.  The signal has effects only from here on, so that a recording can say
 * when.
 */
void signals_admit(enum admission place)
{
	siginfo_t info;

	while (world_replay_signal(place, &info)) {
		if (signals_is_end(&info, &(int64_t){0}))
			ending_ended(place != ADMIT_IDLE);
		let_in(&info);
	}
	if (!omen.knocking || world_is_replayed())
		return;
	omen.knocking = 0;
	uint64_t came = __atomic_exchange_n(&state.outside, 0, __ATOMIC_RELAXED);
	for (int s = 1; came; s++, came >>= 1) {
		if (!(came & 1))
			continue;
		info = state.outside_info[s];
		info.si_signo = s;
		world_record_signal(place, &info);
		let_in(&info);
	}
	if (state.ends && place != ADMIT_SENT)
		end_recording(place);
}

void signals_forget_arrived(void)
{
	state.outside = 0;
	omen.knocking = 0;
}
