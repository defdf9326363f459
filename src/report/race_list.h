/*
 * The distinct races of all executions and workers.  Two races are the same if they have the same unordered pair of
 * (site, kind of access).  Of each race the execution with the smallest seed is kept, so that the result does not
 * depend on the number of workers.
 *
 * In: boards, and what explaining replays left on them.  Out: a list of races.  Callers: the commands and classify.
 */
#ifndef OMEN_RACE_LIST_H
#define OMEN_RACE_LIST_H

#include "run/kept_execution.h"
#include "report/race_access.h"
#include "report/symbol.h"

struct verdict;
struct optimised;

struct race {
	struct board_race seen; /* as the board had it after the kept execution, or after its explaining replay */
	struct execution *execution;
	uint64_t instances;          /* over all executions */
	uint64_t executions;         /* that have it; 0: not known */
	char id[32];                 /* race_id.h */
	char *evidence;              /* its directory; NULL: none */
	struct verdict *verdict;     /* NULL: not classified */
	struct optimised *optimised; /* what becomes of it in the optimised program; NULL: the user did not ask */
	const char *found_by;        /* NULL: as report.found_by says */
	const struct race *cluster;  /* the race that stands for it: races_cluster */
	struct race *next;           /* in its bucket */
};

#define RACE_BUCKETS 4096

struct races {
	struct race **list;
	size_t count;
	struct race *buckets[RACE_BUCKETS]; /* the same races, hashed by their two accesses */
	uint64_t lost;                      /* how often a board had no room for a race */
};

/* Adds the board's races from number `from` on, all from the execution on the board.  Returns how many it has. */
uint32_t races_take(struct races *all, const struct board *b, uint32_t from);
/* Adds how often the board has seen each race; call it once, when nothing more comes from this board. */
void races_count(struct races *all, const struct board *b);
/*
 * Adds what a replay of `x` under DETECT_EXPLAIN left on the board: every pair of accesses to the watched bytes.
 * `whole`: the replay went to its end; otherwise it only explains races that the list has.
 */
void races_explain(struct races *all, struct execution *x, const struct board *b, bool whole);
/* Whether a race is the one of the accesses with these places and flags, in any order. */
bool race_is(const struct board_race *r, const uint64_t place[2], const uint32_t flags[2]);
void races_free(struct races *all);

/*
 * Groups the races that a reader takes for one: those on the same variable or block, between the same functions.  The
 * first race of each group in the list stands for all of it.
 */
void races_cluster(struct race **races, size_t count);

#endif
