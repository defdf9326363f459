/* Starts a program under control: fixed addresses, fixed random bytes, no vDSO, the board in its hands. */
#ifndef OMEN_LAUNCH_H
#define OMEN_LAUNCH_H

#include <signal.h>
#include <sys/types.h>

#include "abi/board.h"
#include "format/error.h"

struct launch {
	const char *path, *cwd; /* cwd NULL: stay here */
	char *const *argv, *const *env;
	int streams[3];
	const volatile sig_atomic_t *stop;   /* or NULL: nonzero ends the execution */
	const volatile sig_atomic_t *enough; /* or NULL: nonzero ends what is recorded; SIGINT is the caller's then */
	uint64_t for_ms;                     /* and so does this time; 0: it does not */
	void (*tick)(void *argument);        /* called now and then while it runs; or NULL */
	void *tick_argument;
	bool own_group; /* a worker: not reached by the terminal's Ctrl-C, killed as a group */
	bool stopped;   /* stays at its first instruction, for a debugger */
};

struct process {
	pid_t pid;
	int pidfd;
	int control, program_control; /* the two ends of the control socket */
	int board_fd;
	struct board *board;
};

/* A process that is not there: process_end() has nothing to do. */
extern const struct process process_nothing;

/* The environment a program is started with; malloc'ed. */
char **launch_environment(char *const *given);

/* Makes the board, all zero but for magic and version, and the control socket. */
bool process_prepare(struct process *p, struct error *e);
/* Starts the program; the board's configuration must stand. One warning line if the kernel forbids some of the control.
 */
bool process_start(struct process *p, const struct launch *l, struct error *e);
/*
 * Kills the process (its group, if it has its own), waits for it and gives everything back. Returns its wait status; a
 * process that had ended before keeps the one it ended with.
 */
int process_end(struct process *p);

#endif
