/*
 * manifest.json: what an evidence directory holds and how to run it again.
 *
 * One struct for the two kinds of directory: an execution (replayable: all fields) and an exploration (the parent of
 * failures/N: program and strategy only).
 */
#ifndef OMEN_MANIFEST_H
#define OMEN_MANIFEST_H

#include "abi/board.h"
#include "format/file.h"

enum manifest_kind { MANIFEST_EXECUTION, MANIFEST_EXPLORATION };

/* What the program's standard input was. Its output is no matter: under the tool it always looks like a pipe. */
enum stream_kind { STREAM_NULL, STREAM_FILE, STREAM_PIPE, STREAM_TERMINAL };

struct manifest {
	enum manifest_kind kind;
	char *program;  /* absolute path */
	char *path;     /* what was passed to execve: the kernel puts it on the program's stack */
	char *build_id; /* of the program, or its size and checksum */
	char *cwd;
	char **argv, **env; /* NULL-terminated */
	enum stream_kind input;
	bool has_stdin; /* the input stands in the file stdin */
	struct strategy_config strategy;
	struct memory_config memory;
	uint64_t seed;
	bool access_points;
	bool races;     /* were looked for */
	uint32_t check; /* enum check */
	uint32_t npassed;
	uint64_t passed[BOARD_PASSED]; /* as in struct board_config */
	bool blind;
	uint32_t nwithout;
	struct board_code without[BOARD_WITHOUT];
	uint32_t ninvariants;
	struct board_invariant invariants[BOARD_INVARIANTS];
	uint64_t event_budget, timeout_ms;
	uint32_t ending;
	int32_t status;
	uint64_t signature;
	uint64_t points;
	uint64_t event_hash; /* of what the execution did; 0: not known */
	char *message;
	/* The evidence of a race; race NULL: of something else. */
	char *race; /* its id */
	struct board_watch watch;
	/* An execution that leaves its recording at this point; and before the access with number `touch` to the bytes
	 * of `watch` something is done to its threads. 0: no such thing. */
	bool every;
	uint64_t departs_at, touch;
	uint64_t race_site[2];
	uint32_t race_flags[2];
};

bool manifest_write(const char *path, const struct manifest *m, struct error *e);
/* Reads and checks a manifest; everything in *m is malloc'ed. */
bool manifest_read(const char *path, struct manifest *m, struct error *e);
void manifest_free(struct manifest *m);

#endif
