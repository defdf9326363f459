/* The options of all sub-commands: one table says which command knows which. */
#ifndef OMEN_OPTIONS_H
#define OMEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/board.h"
#include "format/error.h"

enum command_bit { CMD_RECORD = 1, CMD_EXPLORE = 2, CMD_REPLAY = 4, CMD_REPORT = 8, CMD_TRIAGE = 16, CMD_PREDICT = 32 };

struct options {
	struct strategy_config strategy;
	struct memory_config memory;
	uint64_t seed, runs, jobs, event_budget, timeout_ms;
	uint64_t budget_seconds;
	uint64_t for_ms;           /* record, triage: how long the program is recorded; 0: to its end */
	uint64_t progress_seconds; /* triage: between two lines of progress */
	uint64_t primaries;        /* triage: executions besides the recorded one that races are tried in */
	uint64_t k, instances; /* triage: executions with the other order for each instance, and instances of a race */
	const char *as_optimised; /* triage: the same program as the compiler makes it */
	char **words;             /* of the command line before the program */
	size_t nwords;
	bool resume;            /* triage: go on with what is in `data` */
	uint64_t interleavings; /* triage: if there are not more, all are executed */
	bool unreduced;         /* also those that cannot differ */
	bool method;            /* triage: the verdict of the replay method too */
	uint64_t to, from;      /* replay: stop there, or go on from there; 0: neither */
	bool departs;           /* replay: with a strategy of its own */
	int access_points;      /* -1: as the strategy needs */
	const char *data, *output;
	const char *suppressions;
	bool blind;   /* mutexes are not seen */
	bool merging; /* explore: accesses are merged as for a recording */
	const char *without[8];
	uint32_t nwithout;
	bool no_predict; /* triage */
	bool program;    /* one stands behind -- */
	uint32_t tier;   /* predict: the last one to ask */
	uint64_t window; /* predict: events that the maximal tier looks at together */
	const char *invariants[BOARD_INVARIANTS];
	uint32_t ninvariants;
	bool json, races, check, precise, no_log, record_files, outputs, all_outputs, first_failure, trace, gdb,
	        timeline, help;
};

/*
 * Reads the options of `command` from argv and moves the operands to its front; stops at "--", and for a command that
 * runs a program at the first operand, as what follows is the program's. False: wrong use, `e` says what.
 */
bool options_parse(enum command_bit command, int *argc, char **argv, struct options *o, struct error *e);
/* Prints the options of a command, one a line. */
void options_help(enum command_bit command, FILE *out);

#endif
