/*
 * One process makes many executions: it stops before main, or at a point of a replay, and forks itself once for each. A
 * fork copies everything: fibers, heap, descriptors.  Only Syscall User Dispatch must be switched on again.  A fork
 * takes 0.1 ms.
 */
#include "rt/snapshot/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/sched.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/observe/timeline_record.h"
#include "rt/fibers/point_density.h"
#include "rt/kernel/kernel.h"
#include "rt/kernel/signals.h"
#include "rt/world/world.h"
#include "rt/memory/memory_check.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"
#include "rt/observe/step_record.h"
#include "rt/core/text.h"
#include "rt/snapshot/rewind.h"

static struct {
	bool rewinds;               /* a child makes many executions */
	bool tells_all;             /* the tool hears of every execution */
	struct rewind_shared alone; /* if not, what is otherwise shared with the child */
} state;

static struct rewind_shared *shared(void) { return state.rewinds ? rewind_shared() : &state.alone; }

static void tell(char what)
{
	if (raw3(SYS_write, CONTROL_FD, &what, 1) != 1)
		raw1(SYS_exit_group, 1); /* the tool is gone */
}

static void wait_for_tool(void)
{
	char ack;
	long n;

	while ((n = raw3(SYS_read, CONTROL_FD, &ack, 1)) == -EINTR)
		;
	if (n != 1)
		raw1(SYS_exit_group, 1);
}

static void reset_result(uint64_t seed)
{
	struct board_result *r = &omen.board->result;

	r->ending = ENDING_NONE;
	r->status = 0;
	r->nstacks = r->nmodules = r->stack_is_shadow = 0;
	r->fault_address = r->signature = r->violation_key = 0;
	r->history_cut = r->nstale = 0;
	r->message[0] = 0;
	r->seed = seed;
}

/* The state where executions begin: earlier output and earlier choices stay. */
static struct {
	long position[3];
	uint64_t entries;
	uint32_t watched;
	uint64_t tolerated;
} begins;

static void note_start(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		long at = raw3(SYS_lseek, fd, 0, SEEK_CUR);
		begins.position[fd] = at > 0 ? at : 0;
	}
	begins.entries = omen.board->stop_entries = omen.board->schedule_entries;
	omen.board->stop_point = omen.points;
	begins.watched = omen.board->nwatched;
	begins.tolerated = omen.board->tolerated;
}

/* Removes the output of the execution before, and moves the input back. */
static void reset_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (raw3(SYS_lseek, fd, 0, SEEK_CUR) <= begins.position[fd])
			continue;
		raw3(SYS_lseek, fd, begins.position[fd], SEEK_SET);
		if (fd > 0)
			raw2(SYS_ftruncate, fd, begins.position[fd]);
	}
}

static void judge(int status)
{
	struct board_result *r = &omen.board->result;

	if (r->ending != ENDING_NONE)
		return;
	if (WIFSIGNALED(status)) {
		r->ending = ENDING_CRASH;
		r->status = WTERMSIG(status);
		text_format(r->message, sizeof(r->message),
		            "killed by signal %d before anything could be said about it", r->status);
	} else {
		r->ending = WEXITSTATUS(status) ? ENDING_STATUS : ENDING_EXIT;
		r->status = WEXITSTATUS(status);
	}
	r->signature = r->ending * 1000003u + (uint32_t)r->status;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	raw2(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Does the process end within this time? */
static bool ends_within(struct pollfd *process, uint64_t ms)
{
	uint64_t start = now_ms();

	for (uint64_t gone = 0; gone < ms; gone = now_ms() - start) {
		uint64_t left = ms - gone < INT32_MAX ? ms - gone : INT32_MAX;
		if (raw3(SYS_poll, process, 1, left) > 0)
			return true;
	}
	return false;
}

/* The time of the execution with this number is up: asks it to report where its threads are, and kills it. */
static bool stop_execution(struct pollfd *process, long pid, uint64_t number)
{
	struct rewind_shared *s = shared();

	s->late = number + 1;
	raw2(SYS_kill, pid, TIMEOUT_SIGNAL);
	if (ends_within(process, TIMEOUT_GRACE_MS))
		return true;
	if (s->number == number)
		raw2(SYS_kill, pid, SIGKILL);
	return s->number == number;
}

/* True: the time of an execution of the process was up. */
static bool stop_late(long pid, uint64_t limit)
{
	const volatile struct rewind_shared *s = shared();
	struct pollfd p = {.fd = (int)raw2(SYS_pidfd_open, pid, 0), .events = POLLIN};
	bool late = false;

	if (p.fd < 0)
		return false;
	for (bool ended = false; !late && !ended;) {
		uint64_t number = s->number, gone = s->is_over ? 0 : now_ms() - s->began;
		ended = gone < limit && ends_within(&p, limit - gone);
		late = !ended && number == s->number && !s->is_over && now_ms() - s->began >= limit &&
		       stop_execution(&p, pid, number);
	}
	raw1(SYS_close, p.fd);
	return late;
}

/* Waits for the execution, and ends it when its time is up. */
static void supervise(long pid)
{
	struct board_result *r = &omen.board->result;
	uint64_t limit = omen.board->config.timeout_ms;
	bool late = limit && stop_late(pid, limit);
	int status = 0;

	while (raw4(SYS_wait4, pid, &status, __WALL, NULL) == -EINTR)
		;
	if (late && r->ending == ENDING_NONE) {
		r->ending = ENDING_TIMEOUT;
		r->signature = ENDING_TIMEOUT;
		text_format(r->message, sizeof(r->message), "still running after %lu ms; killed", limit);
		return;
	}
	judge(status);
}

static bool is_failure(uint32_t ending)
{
	static const bool failure[] = {
#define X(id, name, fails) fails,
	        ENDINGS(X)
#undef X
	};
	return ending >= sizeof(failure) || failure[ending];
}

/* Retries: other programs may use up memory or processes for a moment. */
static long make_process(void)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	long pid;

	for (int i = 0; i < 100; i++) {
		/* no SIGCHLD when it ends: the next execution would find that pending */
		pid = raw5(SYS_clone, 0, 0, NULL, NULL, 0);
		if (pid != -EAGAIN && pid != -ENOMEM)
			break;
		raw2(SYS_nanosleep, &pause, NULL);
	}
	return pid;
}

static void forget_outputs(void)
{
	struct board *b = omen.board;

	b->noutputs = b->outputs_lost = 0;
	memset(b->outputs_hash, 0, sizeof(b->outputs_hash));
	memset(b->printed_size, 0, sizeof(b->printed_size));
	memset(b->printed_hash, 0, sizeof(b->printed_hash));
}

/* The board is ready for an execution with this seed. */
static void begin_run(uint64_t seed)
{
	reset_result(seed);
	reset_descriptors();
	omen.board->schedule_entries = begins.entries;
	if (mode_is(SERVED))
		omen.board->nwatched = begins.watched;
	omen.board->invented = omen.board->early_reads = 0;
	forget_outputs();
	omen.board->tolerated = begins.tolerated;
	omen.board->plan.out_of_order = false;
	omen.board->touch_order = 0;
	omen.board->nnotes = 0;
	omen.board->unclear[0] = 0;
	omen.board->new_races = omen.board->new_stdout = omen.board->new_notices = 0;
	shared()->began = now_ms();
	shared()->is_over = false;
}

/* Forks an execution with this seed: true in the execution itself, false in the server when it is over. */
static bool fork_run(uint64_t seed)
{
	begin_run(seed);
	shared()->late = 0;
	omen.board->nforks++;
	long pid = make_process();
	if (pid < 0)
		text_die("cannot fork the program for a run (error %ld)", -pid);
	if (pid == 0) {
		if (state.rewinds)
			rewind_forked();
		else
			raw1(SYS_close, CONTROL_FD);
		raw2(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL); /* so that it ends if the tool is killed */
		kernel_arm();
		return true;
	}
	supervise(pid);
	return false;
}

/* pct and mixed need the length of an execution: measures it with one fair execution.  True: in that execution. */
static bool measure(void)
{
	struct strategy_config *s = &omen.board->config.strategy;
	uint32_t wanted = s->id;

	if ((wanted != STRATEGY_PCT && wanted != STRATEGY_MIXED) || s->length)
		return false;
	s->id = STRATEGY_FAIR;
	if (fork_run(omen.board->config.seed))
		return true;
	s->id = wanted;
	s->length = omen.board->result.points ? omen.board->result.points : 1;
	omen.board->nraces = omen.board->races_lost = omen.board->nnotices = 0; /* the tool has not read them */
	return false;
}

struct extent {
	uint64_t low, size;
	int protection;
};

/* The i-th segment of a module, in whole pages.  False: it holds more than contents of the file. */
static bool from_file(const struct dl_phdr_info *info, int i, struct extent *e)
{
	const ElfW(Phdr) *p = &info->dlpi_phdr[i];
	uint64_t low = info->dlpi_addr + p->p_vaddr;

	if (p->p_type != PT_LOAD || (p->p_flags & PF_W))
		return false;
	e->low = low & ~4095ul;
	e->size = ((low + p->p_memsz + 4095) & ~4095ul) - e->low;
	e->protection = (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_X ? PROT_EXEC : 0);
	return true;
}

/*
 * A fork does not copy the page tables of mappings that hold only pages of a file, so the execution would take a fault
 * for each piece of code that it reaches.  A fork does copy all page tables of a mapping that has one page of its own.
 * So this gives each mapping one: it writes a byte over itself.
 */
static int keep_tables(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct extent e;

	(void)size;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (!from_file(info, i, &e) || raw3(SYS_mprotect, e.low, e.size, e.protection | PROT_WRITE) < 0)
			continue;
		volatile char *byte = (volatile char *)e.low;
		*byte = *byte;
		raw3(SYS_mprotect, e.low, e.size, e.protection);
	}
	return 0;
}

static bool holds(const struct dl_phdr_info *info, const void *address)
{
	struct extent e;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (from_file(info, i, &e) && (uint64_t)address - e.low < e.size)
			return true;
	return false;
}

/* Only for files that nobody can have patched in memory: libomen's and the C library's. */
static int drop_tables(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct extent e;

	(void)size;
	(void)arg;
	if (!holds(info, (const void *)drop_tables) && !holds(info, (const void *)strsignal))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (from_file(info, i, &e))
			raw3(SYS_madvise, e.low, e.size, MADV_DONTNEED);
	return 0;
}

void snapshot_prepare(void) { dl_iterate_phdr(drop_tables, NULL); }

static void note_output(void)
{
	struct board *b = omen.board;
	uint64_t hash = 0xcbf29ce484222325u;
	static uint8_t piece[4096];
	uint32_t i = 0;
	long n;

	for (long at = 0; (n = raw4(SYS_pread64, 1, piece, sizeof(piece), at)) > 0; at += n)
		for (long k = 0; k < n; k++)
			hash = (hash ^ piece[k]) * 0x100000001b3u;
	while (i < b->nstdouts && b->stdouts[i].hash != hash)
		i++;
	if (i == BOARD_STDOUTS) {
		b->stdouts_lost++;
		return;
	}
	if (i == b->nstdouts) {
		b->stdouts[b->nstdouts++] = (struct board_stdout){.hash = hash};
		b->new_stdout = 1;
	}
	b->stdouts[i].count++;
}

/* From here on the model answers, and every access is a point.  An execution and its replays do the same. */
static void depart(void)
{
	world_depart();
	mode_set(DEPARTED, true);
	density_start();
	omen.loop_budget = LOOP_BUDGET;
	omen.most_stretch = omen.stretch = 0;
	timeline_depart();
	step_record_depart();
	mode_threads_changed();
}

/* In the execution: it continues as recorded, or leaves the recording. */
static void go_on(void)
{
	const struct strategy_config next = omen.board->config.next_strategy;

	world_own_files();
	if (next.id == STRATEGY_REPLAY)
		return;
	mode_set(EXPLORE, true);
	memory_explore();
	depart();
	sched_depart(&next);
}

/* ---- executions with seeds ---- */

static uint64_t seed_of(uint64_t number)
{
	const struct board_config *c = &omen.board->config;

	return c->seed + c->first + number * c->step;
}

/* The execution with this number is over. */
static void run_is_over(uint64_t number)
{
	struct board *b = omen.board;

	b->runs_done = number + 1;
	if (b->config.count_stdouts)
		note_output();
	bool failed = is_failure(b->result.ending), found = b->new_races || b->new_notices || b->new_stdout;
	if (!state.tells_all && !failed && !found)
		return;
	tell(failed && !state.tells_all ? 'F' : 'R');
	wait_for_tool();
}

/* In a child that was rewound: the next execution. */
static void begin_next(void)
{
	struct rewind_shared *s = shared();

	run_is_over(s->number);
	if (s->number + 1 == omen.board->config.runs) {
		s->child_said = BOARD_QUIT;
		raw1(SYS_exit_group, 0);
	}
	s->number++;
	begin_run(seed_of(s->number));
	rewind_begin();
}

/* Returns in an execution that is a fork. */
static void serve(void)
{
	struct rewind_shared *s = shared();

	for (; s->number < omen.board->config.runs; s->number++) {
		if (fork_run(seed_of(s->number)))
			return;
		if (s->child_said)
			break;
		run_is_over(s->number);
	}
	tell('E');
	raw1(SYS_exit_group, 0);
}

/* Makes all executions from here. Returns in each of them. */
static void make_executions(void)
{
	const struct board_config *c = &omen.board->config;

	state.rewinds = !c->only_forks && c->runs > 1 && rewind_start();
	if (state.rewinds && rewind_mark()) {
		begin_next();
		return;
	}
	state.rewinds = state.rewinds && rewind_save();
	serve();
}

void snapshot_serve(void)
{
	mode_set(SERVED, true);
	dl_iterate_phdr(keep_tables, NULL);
	kernel_pin((uint64_t)raw0(SYS_getppid) + omen.board->config.first);
	if (!measure())
		make_executions();
}

void snapshot_here(void)
{
	const struct board_config *c = &omen.board->config;

	omen.stop_at = UINT64_MAX;
	if (c->departs) {
		depart();
		return;
	}
	if (c->stop == STOP_END)
		ending_fail(ENDING_STOPPED, "stopped at point %lu", omen.points);
	mode_set(SERVED, true);
	step_record_look_at_program();
	note_start();
	state.tells_all = true;
	make_executions();
	go_on();
}

/* ---- executions with plans, from a stop ---- */

#define FORKS_FIRST 2 /* executions from one stop that are forks: for few, a copy of the memory is not worth it */

static char hear_tool(void)
{
	char said;
	long n;

	while ((n = raw3(SYS_read, CONTROL_FD, &said, 1)) == -EINTR)
		;
	return n == 1 ? said : BOARD_QUIT;
}

/* The process continues as if it had made no execution from here. */
static void go_on_as_before(void)
{
	reset_descriptors();
	reset_result(omen.board->config.seed);
	omen.board->schedule_entries = begins.entries;
	omen.board->invented = omen.board->early_reads = 0;
	omen.board->tolerated = begins.tolerated;
}

/* In an execution: true if it leaves the recording. */
static bool begin_plan(void)
{
	const struct board_plan *p = &omen.board->plan;

	/* also in a fork: what notes leave on the stack must be the same in all executions whose states are compared */
	rewind_begin();
	world_own_files();
	memory_be_brief(!p->keep_stacks);
	if (p->order == PLAN_RECORDED) {
		mode_set(COUNT_TOUCHES, false); /* it does not stop again */
		mode_past_race();
		return false;
	}
	world_depart();
	if (p->other_clocks)
		kernel_shift_clock(p->other_clocks);
	if (p->keep_outputs)
		world_keep_outputs();
	return true;
}

static void plan_is_over(void)
{
	omen.board->runs_done++;
	tell('R');
}

static void reset_plan(void)
{
	struct board_plan *p = &omen.board->plan;

	p->outcome = PLAN_NONE;
	p->state = p->touched = 0;
}

/* In a child that was rewound: the next execution, if the tool wants one from here. */
static void begin_next_plan(void)
{
	struct rewind_shared *s = shared();

	plan_is_over();
	char said = hear_tool();
	if (said != BOARD_PLAN) {
		s->child_said = said;
		raw1(SYS_exit_group, 0);
	}
	s->number++;
	reset_plan();
	begin_run(omen.board->plan.seed);
	rewind_begin();
}

/* Makes the executions that the tool asks for.  True: in an execution; false: the tool wants no more from here. */
static bool make_plans(void)
{
	const struct board_config *c = &omen.board->config;
	bool may_rewind = !c->only_forks;

	state.rewinds = false;
	rewind_not_yet();
	for (uint64_t made = 0;; made++) {
		char said = state.rewinds && shared()->child_said ? shared()->child_said : hear_tool();
		if (said == BOARD_QUIT)
			raw1(SYS_exit_group, 0);
		if (said == BOARD_GO_ON)
			return false;
		reset_plan();
		if (made == FORKS_FIRST && may_rewind && rewind_start()) {
			state.rewinds = true;
			if (rewind_mark()) {
				begin_next_plan();
				return true;
			}
			state.rewinds = rewind_save();
		}
		if (state.rewinds)
			shared()->number++;
		if (fork_run(omen.board->plan.seed))
			return true;
		if (!state.rewinds || !shared()->child_said)
			plan_is_over();
	}
}

bool snapshot_at_stop(uint32_t i)
{
	struct board *b = omen.board;

	if (b->config.stop == STOP_DEPART) {
		world_depart();
		return true;
	}
	mode_set(SERVED, true);
	note_start();
	b->stop_reached = i;
	tell('S');
	if (make_plans())
		return begin_plan();
	go_on_as_before();
	return false;
}

bool execution_is_late(void)
{
	const struct rewind_shared *s = rewind_shared();

	return !mode_is(REWINDS) || !s->is_ready || s->late == s->number + 1;
}
