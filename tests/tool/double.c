/*
 * A stand-in for libomen.so: keeps the contract of src/abi/board.h and nothing else, so that the tool can be tested
 * alone, also with behaviour that the real runtime must never show. Each run is a fork; the program under test reports
 * failures and races through stand_in_fail() and stand_in_race().
 */
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/board.h"

typedef int main_function(int, char **, char **);

static struct board *board;
static main_function *program_main;

uint64_t stand_in_seed(void) { return board->result.seed; }

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct board_module *m = &board->result.modules[board->result.nmodules++];

	(void)size, (void)data;
	*m = (struct board_module){.base = info->dlpi_addr, .start = UINT64_MAX};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + ph->p_vaddr;
		if (ph->p_type != PT_LOAD)
			continue;
		m->start = start < m->start ? start : m->start;
		m->end = start + ph->p_memsz > m->end ? start + ph->p_memsz : m->end;
	}
	if (info->dlpi_name[0])
		snprintf(m->path, sizeof m->path, "%s", info->dlpi_name);
	else if (readlink("/proc/self/exe", m->path, sizeof m->path - 1) < 0)
		return 1;
	return 0;
}

/* Ends the execution with a failure: two threads wait for `lock`, one of them at the place of this call. */
void stand_in_fail(int ending, const char *message, void *lock, const void *site)
{
	struct board_result *r = &board->result;
	struct schedule_entry *s = board->schedule + board->replay_entries;

	r->ending = (uint32_t)ending;
	r->fiber = 1;
	r->threads = 2;
	r->signature = (uint64_t)ending;
	r->points = 20 + r->seed % 7;
	snprintf(r->message, sizeof r->message, "%s", message);
	dl_iterate_phdr(add_module, NULL);
	for (uint32_t i = 0; i < 2; i++) {
		struct board_stack *stack = &r->stacks[r->nstacks++];
		*stack = (struct board_stack){.fiber = i + 1, .depth = 1, .waits_for = 2 - i, .in_cycle = 1};
		snprintf(stack->state, sizeof stack->state, "waits for mutex %p held by T%u", lock, 2 - i);
		stack->pc[0] = (uint64_t)__builtin_return_address(0);
	}
	s[0] = (struct schedule_entry){.point = 5, .chosen = 2, .from = 1, .where = (uint64_t)site};
	s[1] = (struct schedule_entry){.point = 9, .chosen = 1, .from = 2, .blocked = 1};
	board->schedule_entries = 2;
	r->switches = 2;
	r->preemptions = 1;
	exit(0);
}

static struct board_stack here(uint32_t fiber, const void *pc, const void *caller)
{
	return (struct board_stack){.fiber = fiber, .depth = 2, .pc = {(uint64_t)pc, (uint64_t)caller}};
}

static bool is_watched(const void *address)
{
	for (uint32_t i = 0; i < board->nwatched; i++)
		if (board->watched[i].address == ((uint64_t)address & ~7ul))
			return true;
	return false;
}

static bool same(const struct board_race *a, const struct board_access *b)
{
	return a->access[0].site == b[0].site && a->access[1].site == b[1].site && a->access[0].flags == b[0].flags &&
	       a->access[1].flags == b[1].flags;
}

/* Races of this execution: T1 first, then T2 accesses `address`. */
void stand_in_race(const void *const sites[2], const uint32_t flags[2], void *address, void *lock)
{
	bool explain = board->config.detect == DETECT_EXPLAIN;
	const void *pc = __builtin_return_address(0);
	struct board_race r = {.address = (uint64_t)address,
	                       .instances = 1,
	                       .seed = board->result.seed,
	                       .in_stack_of = BOARD_NOBODY,
	                       .explained = explain};

	if (board->config.detect == DETECT_OFF || (explain && !is_watched(address)))
		return;
	for (uint32_t i = 0; i < 2; i++) {
		r.access[i] = (struct board_access){.site = (uint64_t)sites[i],
		                                    .address = (uint64_t)address,
		                                    .size = 4,
		                                    .flags = flags[i],
		                                    .stack = {.fiber = i + 1}};
		if (i || explain)
			r.access[i].stack = here(i + 1, pc, pc);
	}
	for (uint32_t i = 0; i < board->nraces; i++)
		if (same(&board->races[i], r.access)) {
			board->races[i].instances++;
			return;
		}
	if (explain) {
		r.access[0].flags |= ACCESS_HAS_VALUE;
		r.access[0].value = 3;
		r.access[1].nlocks = lock ? 1 : 0;
		r.access[1].lock[0] = (uint64_t)lock;
		board->threads[0] = (struct board_thread){.fiber = 2, .creator = 0, .created = here(0, pc, pc)};
		board->nthreads = 1;
	} else {
		board->watched[board->nwatched++] = (struct board_watch){(uint64_t)address & ~7ul, 15};
	}
	if (!board->result.nmodules)
		dl_iterate_phdr(add_module, NULL);
	board->new_races++;
	if (board->nraces == BOARD_RACES)
		board->races_lost++;
	else
		board->races[board->nraces++] = r;
}

/* What a program with a wild pointer could leave behind. */
void stand_in_scribble(void)
{
	board->nraces = board->nwatched = board->nthreads = board->result.nmodules = 0xffffffff;
	for (uint32_t i = 0; i < BOARD_RACES; i++)
		for (int k = 0; k < 2; k++)
			board->races[i].access[k] =
			        (struct board_access){.site = 1 + i, .nlocks = 0xffff, .stack = {.depth = 0xffff}};
	memset(board->result.modules, 0x41, sizeof board->result.modules);
	board->new_races = 1;
}

static void note_exit(void)
{
	if (board->result.ending == ENDING_NONE)
		board->result.ending = ENDING_EXIT;
}

static void say(char what)
{
	if (write(CONTROL_FD, &what, 1) != 1)
		_exit(5);
}

static int run(uint64_t seed, int argc, char **argv, char **env)
{
	board->result.seed = seed;
	if (getenv("STAND_IN_DIVERGES") && board->config.strategy.id == STRATEGY_REPLAY) {
		board->result.ending = ENDING_DIVERGED;
		strcpy(board->result.message, "the program left the schedule at point 5");
		return 0;
	}
	if (getenv("STAND_IN_HANGS") && board->config.strategy.id == STRATEGY_REPLAY)
		pause();
	atexit(note_exit);
	return program_main(argc, argv, env);
}

static void serve(int argc, char **argv, char **env)
{
	const struct board_config *c = &board->config;
	char answer;

	for (uint64_t i = 0; i < c->runs; i++) {
		memset(&board->result, 0, sizeof board->result);
		board->schedule_entries = 0;
		board->new_races = 0;
		board->nwatched = 0;
		for (int fd = 0; fd < 3; fd++)
			if (lseek(fd, 0, SEEK_SET) < 0 || (fd && ftruncate(fd, 0)))
				_exit(6);
		pid_t pid = fork();
		if (!pid)
			exit(run(c->seed + c->first + i * c->step, argc, argv, env));
		waitpid(pid, NULL, 0);
		board->runs_done++;
		if (board->result.ending >= ENDING_STATUS || board->new_races) {
			say(board->result.ending >= ENDING_STATUS ? 'F' : 'R');
			if (read(CONTROL_FD, &answer, 1) != 1)
				_exit(7);
		}
		if (getenv("STAND_IN_DIES") && i == 3)
			abort();
	}
	say('E');
	_exit(0);
}

static int stand_in_main(int argc, char **argv, char **env)
{
	if (board->config.mode == BOARD_SERVE)
		serve(argc, argv, env);
	return run(board->config.seed, argc, argv, env);
}

__attribute__((constructor)) static void begin(void)
{
	const char *fd = getenv("OMEN_BOARD");

	if (!fd || atoi(fd) != BOARD_FD)
		_exit(3);
	board = mmap((void *)BOARD_ADDRESS, BOARD_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
	             BOARD_FD, 0);
	if (board == MAP_FAILED || board->config.magic != BOARD_MAGIC)
		_exit(4);
	if (getenv("STAND_IN_CRASHES"))
		abort();
}

int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
	int (*real)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
	        dlsym(RTLD_NEXT, "__libc_start_main");

	program_main = function;
	return real(stand_in_main, argc, argv, init, fini, rtld_fini, stack_end);
}
