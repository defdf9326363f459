#include "run/execute.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "run/standard_streams.h"
#include "format/enum_names.h"

/* For tests: is each rewind checked, or wrong on purpose so that the check must find it? */
static uint32_t verification(void)
{
	const char *wanted = getenv("OMEN_VERIFY_REWIND");

	return !wanted || !*wanted || !strcmp(wanted, "0") ? VERIFY_OFF
	       : !strcmp(wanted, "forget")                 ? VERIFY_FORGET
	                                                   : VERIFY_ON;
}

void configure(struct board *b, const struct manifest *m, enum board_mode mode)
{
	b->config.mode = mode;
	b->config.access_points = m->access_points;
	b->config.detect = m->races ? DETECT_RACES : DETECT_OFF;
	b->config.check = m->check;
	b->config.ntolerated = m->ntolerated;
	memcpy(b->config.tolerated, m->tolerated, sizeof m->tolerated);
	b->config.blind = m->blind;
	b->config.nwithout = m->nwithout;
	memcpy(b->config.without, m->without, sizeof m->without);
	b->config.ninvariants = m->ninvariants;
	memcpy(b->config.invariant, m->invariants, sizeof m->invariants);
	b->config.strategy = m->strategy;
	b->config.memory = m->memory;
	/* Long turns cost little; short ones try more schedules. A replay has the turns of its recording. */
	b->config.loop_budget = m->strategy.id == STRATEGY_FAIR ? 20000 : 2000;
	b->config.loop_stretch = m->strategy.id == STRATEGY_FAIR ? 10 : 0;
	b->config.seed = m->seed;
	b->config.step = 1;
	b->config.runs = 1;
	b->config.event_budget = m->event_budget;
	b->config.timeout_ms = m->timeout_ms;
	b->config.verify_rewind = verification();
}

void wait_status_format(int status, char *out, size_t size)
{
	char name[64];

	if (WIFSIGNALED(status)) {
		signal_format(WTERMSIG(status), name, sizeof name);
		snprintf(out, size, "killed by %s", name);
	} else {
		snprintf(out, size, "exited with status %d", WEXITSTATUS(status));
	}
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

#define TICK_MS        100
#define ENOUGH_WAIT_MS 10000 /* how long the program has to reach a point where the recorded part can end */

/*
 * Once enough is recorded, asks the program to end at its next point. It asks again and again, as the program may just
 * begin a wait.
 */
static void ask_to_end(struct process *p, const struct launch *l, uint64_t start, uint64_t *asked)
{
	uint64_t now = now_ms();

	if (!(l->enough && *l->enough) && (!l->for_ms || now - start < l->for_ms))
		return;
	if (!*asked)
		*asked = now;
	if (!__atomic_load_n(&p->board->begun, __ATOMIC_ACQUIRE))
		return;                        /* main has not begun: there are no points yet */
	if (!p->board->end_asked && l->enough) /* the tool must end the processes that the program leaves behind */
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	__atomic_store_n(&p->board->end_asked, 1, __ATOMIC_RELEASE);
	kill(p->pid, now - *asked < ENOUGH_WAIT_MS ? TIMEOUT_SIGNAL : SIGKILL);
}

/*
 * Waits until the process is gone. True if it is still there and the tool must end it, because its time is up or the
 * caller asks for it.
 */
static bool wait_for_end(struct process *p, const struct launch *l, uint64_t timeout_ms)
{
	uint64_t start = now_ms(), end = start + timeout_ms, asked = 0;

	for (;;) {
		struct pollfd gone = {.fd = p->pidfd, .events = POLLIN};
		uint64_t now = now_ms();
		if ((timeout_ms && now >= end) || (l->stop && *l->stop))
			return true;
		if (l->tick)
			l->tick(l->tick_argument);
		ask_to_end(p, l, start, &asked);
		uint64_t patience = timeout_ms && end - now < TICK_MS ? end - now : TICK_MS;
		if (poll(&gone, 1, (int)patience) > 0)
			return false;
	}
}

bool execute(struct process *p, const struct launch *l, struct error *e)
{
	struct board_result *r = &p->board->result;
	siginfo_t info = {0};
	char how[96];

	/* Ctrl-C is meant for the program, which may handle it; the tool must stay to report what happens then. */
	if (!l->own_group) {
		if (!l->enough)
			signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
	}
	if (!process_start(p, l, e))
		return false;
	if (wait_for_end(p, l, p->board->config.timeout_ms)) {
		struct pollfd gone = {.fd = p->pidfd, .events = POLLIN};
		kill(p->pid, TIMEOUT_SIGNAL);
		if (poll(&gone, 1, TIMEOUT_GRACE_MS) <= 0)
			kill(p->pid, SIGKILL);
		if (r->ending == ENDING_NONE) {
			r->ending = ENDING_TIMEOUT;
			snprintf(r->message, sizeof r->message, "still running after %lu ms; killed",
			         (unsigned long)p->board->config.timeout_ms);
		}
	}
	if (l->streams[1] == 1 && l->streams[2] == 2)
		line_note_open(r->open_lines);
	/* WNOWAIT: process_end() still needs the process. */
	waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOWAIT);
	if (r->ending != ENDING_NONE)
		return true;
	int status = info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status;
	wait_status_format(status, how, sizeof how);
	return error_set(e, "cannot tell how %s ended: %s before the runtime could say; run it without omen to see",
	                 l->argv[0], how);
}
