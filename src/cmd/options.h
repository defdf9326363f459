/*
 * The options of all sub-commands. One table says which command has which.
 *
 * In:  the words of the command line after the command.
 * Out: struct options with a value for each option, and the operands.
 * main.c calls it; the commands read the struct.
 */
#ifndef OMEN_OPTIONS_H
#define OMEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/board.h"
#include "format/error.h"

enum command_bit { CMD_RECORD = 1, CMD_EXPLORE = 2, CMD_REPLAY = 4, CMD_REPORT = 8, CMD_TRIAGE = 16, CMD_PREDICT = 32 };

struct options {
	/* How the program runs. */
	struct strategy_config strategy;
	bool strategy_given;
	struct memory_config memory;
	int access_points; /* -1: as the strategy needs it */
	uint64_t seed, runs, jobs, event_budget, timeout_ms;
	bool program_given; /* the command line has a program after -- */

	/* What is looked for. */
	bool races, check, precise;
	const char *invariants[BOARD_INVARIANTS];
	uint32_t ninvariants;
	const char *without[8]; /* --without-sync */
	uint32_t nwithout;
	const char *suppressions;

	/* Evidence and report. */
	const char *data, *output;
	bool json, outputs, all_outputs;

	/* omen record and triage. */
	uint64_t for_ms; /* how long the program is recorded; 0: to its end */
	bool no_log, record_files, count, no_rewind;

	/* omen explore. */
	bool first_failure;

	/* omen triage. */
	uint64_t k;             /* executions of a race in the other order */
	uint64_t instances;     /* of a race, to try */
	uint64_t primaries;     /* executions that races are tried in, besides the recorded one */
	uint64_t interleavings; /* if there are at most this many, all are executed */
	uint64_t progress_seconds;
	const char *as_optimised; /* the same program as the compiler optimises it */
	bool resume, no_predict;
	bool replay_method;   /* also give the verdict of the replay method */
	char **command_words; /* the words of the command line before the program */
	size_t ncommand_words;

	/* omen triage and predict. */
	uint64_t budget_seconds;

	/* omen predict. */
	uint32_t tier;   /* the last tier to run */
	uint64_t window; /* events that the maximal tier compares at once; 0: let it choose */

	/* omen replay and report. */
	uint64_t stop_at;     /* point to stop at; 0: none */
	uint64_t snapshot_at; /* point to continue from; 0: none */
	bool trace, gdb, timeline;

	/* For tests of Omen. */
	bool blind;     /* the detector ignores mutexes */
	bool merging;   /* accesses are merged as for a recording */
	bool unreduced; /* also interleavings that cannot differ are executed */

	bool help;
};

/*
 * Reads the options of `command` from argv and moves the operands to its front. Stops at "--", and, for a command that
 * runs a program, at the first operand: what follows is the program's. False: wrong use, `e` says why.
 */
bool options_parse(enum command_bit command, int *argc, char **argv, struct options *o, struct error *e);
/* Prints the options of a command in groups, one per line. */
void options_help(enum command_bit command, FILE *out);

#endif
