/*
 * A stand-in for libomen.so: keeps the contract of src/trace/board.h and nothing else, so that the tool can be tested
 * alone, also with behaviour that the real runtime should never show. Each run is a fork; "failures" are told by
 * the program under test through stand_in_fail().
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/board.h"

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

/* Ends the execution with a failure of two threads, one where this is called from, that wait for `lock`. */
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
	s[0] = (struct schedule_entry){.point = 5, .fiber = 2, .from = 1, .where = (uint64_t)site};
	s[1] = (struct schedule_entry){.point = 9, .fiber = 1, .from = 2, .blocked = 1};
	board->schedule_entries = 2;
	r->switches = 2;
	r->preemptions = 1;
	exit(0);
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
		for (int fd = 0; fd < 3; fd++)
			if (lseek(fd, 0, SEEK_SET) < 0 || (fd && ftruncate(fd, 0)))
				_exit(6);
		pid_t pid = fork();
		if (!pid)
			exit(run(c->seed + c->first + i * c->step, argc, argv, env));
		waitpid(pid, NULL, 0);
		board->runs_done++;
		if (board->result.ending >= ENDING_STATUS) {
			say('F');
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
