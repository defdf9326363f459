/*
 * Many executions from one process: it stops before main and forks itself, once for each run.  A fork copies everything
 * there is: fibers, heap, descriptors; only Syscall User Dispatch must be switched on again.  0.1 ms.
 */
#include "rt/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/sched.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "rt/arch/x86_64/raw.h"
#include "rt/ending.h"
#include "rt/env/env.h"
#include "rt/rt.h"
#include "rt/sched.h"
#include "rt/text.h"

static void tell(char what)
{
	if (raw3(SYS_write, CONTROL_FD, &what, 1) != 1)
		raw1(SYS_exit_group, 1); /* the tool is gone */
}

static void wait_for_tool(void)
{
	char ack;

	if (raw3(SYS_read, CONTROL_FD, &ack, 1) != 1)
		raw1(SYS_exit_group, 1);
}

static void reset_result(uint64_t seed)
{
	struct board_result *r = &omen.board->result;

	r->ending = ENDING_NONE;
	r->status = 0;
	r->nstacks = r->nmodules = r->stack_is_shadow = 0;
	r->fault_address = r->signature = 0;
	r->message[0] = 0;
	r->seed = seed;
}

/* The output of the run before is gone, the input is where it was. */
static void reset_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (raw3(SYS_lseek, fd, 0, SEEK_CUR) <= 0)
			continue;
		raw3(SYS_lseek, fd, 0, SEEK_SET);
		if (fd > 0)
			raw2(SYS_ftruncate, fd, 0);
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

/* Waits for the run; ends it when its time is up. */
static void supervise(long pid, int pidfd)
{
	struct board_result *r = &omen.board->result;
	uint64_t limit = omen.board->config.timeout_ms;
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	int status = 0;

	long ready = limit ? raw3(SYS_poll, &p, 1, limit) : 1;
	if (ready == 0) {
		raw2(SYS_kill, pid, TIMEOUT_SIGNAL);
		if (raw3(SYS_poll, &p, 1, TIMEOUT_GRACE_MS) == 0)
			raw2(SYS_kill, pid, SIGKILL);
	}
	while (raw4(SYS_wait4, pid, &status, 0, NULL) == -EINTR)
		;
	raw1(SYS_close, pidfd);
	if (ready == 0 && r->ending == ENDING_NONE) {
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

/* Forks the run with this seed: true in the run itself, false in the server when it is over. */
static bool fork_run(uint64_t seed)
{
	int pidfd = -1;

	reset_result(seed);
	reset_descriptors();
	omen.board->schedule_entries = 0;
	long pid = raw5(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &pidfd, NULL, 0);
	if (pid < 0)
		text_die("cannot fork the program for a run (error %ld)", -pid);
	if (pid == 0) {
		raw1(SYS_close, CONTROL_FD);
		env_arm();
		return true;
	}
	supervise(pid, pidfd);
	return false;
}

/* pct wants to know how long an execution is: one fair run tells. */
static bool measure(void)
{
	struct strategy_config *s = &omen.board->config.strategy;
	uint32_t wanted = s->id;

	if (wanted != STRATEGY_PCT || s->length)
		return false;
	s->id = STRATEGY_FAIR;
	if (fork_run(omen.board->config.seed))
		return true;
	s->id = wanted;
	s->length = omen.board->result.points ? omen.board->result.points : 1;
	return false;
}

/*
 * A fork does not copy the page tables of mappings that hold nothing but pages of a file: the run would take a fault
 * for each piece of code it comes to.  A mapping with one page of its own is copied whole; so each gets one, by writing
 * a byte over itself.
 */
static int keep_tables(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t low = (info->dlpi_addr + p->p_vaddr) & ~4095ul;
		uint64_t high = (info->dlpi_addr + p->p_vaddr + p->p_memsz + 4095) & ~4095ul;
		int protection = (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_X ? PROT_EXEC : 0);
		if (p->p_type != PT_LOAD || (p->p_flags & PF_W))
			continue;
		if (raw3(SYS_mprotect, low, high - low, protection | PROT_WRITE) < 0)
			continue;
		volatile char *byte = (volatile char *)low;
		*byte = *byte;
		raw3(SYS_mprotect, low, high - low, protection);
	}
	return 0;
}

void snapshot_serve(void)
{
	const struct board_config *c = &omen.board->config;

	omen.serving = true;
	dl_iterate_phdr(keep_tables, NULL);
	env_pin((uint64_t)raw0(SYS_getppid) + c->first);
	if (measure())
		return;
	for (uint64_t i = 0; i < c->runs; i++) {
		if (fork_run(c->seed + c->first + i * c->step))
			return;
		omen.board->runs_done = i + 1;
		if (is_failure(omen.board->result.ending)) {
			tell('F');
			wait_for_tool();
		}
	}
	tell('E');
	raw1(SYS_exit_group, 0);
}
