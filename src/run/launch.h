/*
 * Starts a program under control: with fixed addresses and random bytes, without vDSO, and with the board. Input: a
 * struct launch; output: a struct process, with the board that it shares with the tool. src/run, src/cmd and
 * src/classify call this.
 */
#ifndef OMEN_LAUNCH_H
#define OMEN_LAUNCH_H

#include <signal.h>
#include <sys/types.h>

#include "abi/board.h"
#include "format/error.h"

struct launch {
	const char *path, *cwd; /* cwd NULL: the tool's directory */
	char *const *argv, *const *env;
	int streams[3];
	const volatile sig_atomic_t *stop;   /* or NULL; nonzero ends the execution */
	const volatile sig_atomic_t *enough; /* or NULL; nonzero ends the recorded part; SIGINT is the caller's */
	uint64_t for_ms;                     /* the recorded part also ends after this time; 0: never */
	void (*tick)(void *argument);        /* or NULL; called about ten times a second while the program runs */
	void *tick_argument;
	bool own_group; /* a worker: the terminal's Ctrl-C does not reach it, and it is killed as a group */
	bool stopped;   /* it stops at its first instruction, for a debugger */
};

struct process {
	pid_t pid;
	int pidfd;
	int control, program_control; /* the two ends of the control socket */
	int board_fd;
	struct board *board;
};

/* No process: process_end() does nothing for it. */
extern const struct process process_nothing;

/* The environment for the program, made from `environment`; everything in it is malloc'ed. */
char **launch_environment(char *const *environment);

/* Makes the board, all zero except magic and version, and the control socket. */
bool process_prepare(struct process *p, struct error *e);
/*
 * Starts the program; the board must be configured. If the kernel refuses some of the control, so that replays
 * may differ, a warning is printed once.
 */
bool process_start(struct process *p, const struct launch *l, struct error *e);
/*
 * Kills the process (its group, if it has its own), waits for it and releases everything. Returns the wait status: of a
 * process that had already ended, the one it ended with.
 */
int process_end(struct process *p);

#endif
