/*
 * Races, merged over workers and executions: distinct by the unordered pair of (site, kind of access). Of each one the
 * execution with the smallest seed is kept, so that the result does not depend on how many workers there were.
 */
#ifndef OMEN_RACE_LIST_H
#define OMEN_RACE_LIST_H

#include "report/kept_execution.h"
#include "report/symbol.h"

struct verdict;
struct optimised;

struct race {
	struct board_race seen; /* as on the board after the kept execution, or after its explanation */
	struct execution *execution;
	uint64_t instances;          /* over all executions */
	uint64_t executions;         /* in how many of them it was seen; 0: not known */
	char id[32];                 /* stable across runs and shifted lines */
	char *evidence;              /* its directory, or NULL */
	struct verdict *verdict;     /* NULL: not classified */
	struct optimised *optimised; /* what it is as the compiler makes the program; NULL: nobody has asked */
	const char *found_by;        /* NULL: as the report says */
	const struct race *cluster;  /* the one that stands for it and its like: races_cluster */
	struct race *next;           /* in its bucket */
};

#define RACE_BUCKETS 4096

struct races {
	struct race **list;
	size_t count;
	struct race *buckets[RACE_BUCKETS]; /* the same ones, by their two accesses */
	uint64_t lost;                      /* distinct ones that found no room on a board */
};

/* Takes the board's races from number `from` on, all seen in the execution on the board. Returns how many it has. */
uint32_t races_take(struct races *all, const struct board *b, uint32_t from);
/* Adds up how often each was seen, when nothing more comes from this board. */
void races_count(struct races *all, const struct board *b);
/*
 * Takes what a replay of `x` under DETECT_EXPLAIN left on the board: every pair on the watched bytes. `whole`: the
 * replay went to its end; otherwise it only tells more of the races that are known.
 */
void races_explain(struct races *all, struct execution *x, const struct board *b, bool whole);
/*
 * What an access is recognised by after other lines were changed: where it is in the program's own source, and where
 * the access itself is if that is somewhere else (or NULL). And what two of them are.
 */
uint64_t access_identity(const struct board_result *r, uint32_t flags, const struct frame *place,
                         const struct frame *site);
uint64_t race_identity(uint64_t one, uint64_t other);
/* The id of a race with this identity; `twin`: the how manieth of those that have it, from 1 on. */
void race_name(uint64_t identity, unsigned twin, char *id, size_t size);
/* Puts them in the order of a report and gives each its id. */
void races_identify(struct races *all);
void races_free(struct races *all);
/*
 * Races on the same variable or block, between the same functions, are one to who reads of them: the first of each in
 * the list stands for all.
 */
void races_cluster(struct race **races, size_t count);

/* What makes two accesses equal, of ACCESS_* flags. */
#define ACCESS_KIND (ACCESS_WRITE | ACCESS_ATOMIC | ACCESS_FREE)
/* Whether a race on the board is the one of these two accesses. */
bool race_is(const struct board_race *r, const uint64_t place[2], const uint32_t flags[2]);
/* Where an access is made: its site, or the address of its code. */
uint64_t access_place(const struct board_access *a);
/* The first 8 of the bytes that both access. */
struct board_watch race_watch(const struct board_race *r);

/* "write", "read", "free"; without "atomic", which JSON tells apart. */
const char *access_kind(uint32_t flags);
/* How many bytes from race.seen.address on both accesses touch; 0 if that is not known. */
uint64_t race_common_bytes(const struct race *r);
/* Where access 0 or 1 stands in the program's own source, if it can be told. False if nothing is known. */
bool race_place(const struct race *r, int access, struct frame *out);
/* Its stack, as symbol_stack; 0 if it is not known. */
size_t race_stack(const struct race *r, int access, struct frame *out, size_t max);
/* Where a thread was made; NULL if that is not known. */
const struct board_thread *race_thread(const struct race *r, uint32_t fiber);

#endif
