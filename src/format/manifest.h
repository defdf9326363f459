/*
 * manifest.json: what an evidence directory contains and how to run it again. docs/format.md describes the keys.
 * src/cmd and src/classify write and read it.
 *
 * One struct serves two kinds of directory: an execution, which can be replayed and has all fields, and an exploration,
 * the parent of failures/N, which has only the program and the strategy.
 */
#ifndef OMEN_MANIFEST_H
#define OMEN_MANIFEST_H

#include "abi/board.h"
#include "format/file.h"

enum manifest_kind { MANIFEST_EXECUTION, MANIFEST_EXPLORATION };

/* What the program's standard input is. Its output does not matter: under the tool it always looks like a pipe. */
enum stream_kind { STREAM_NULL, STREAM_FILE, STREAM_PIPE, STREAM_TERMINAL };

struct manifest {
	enum manifest_kind kind;
	char *program;  /* absolute path */
	char *path;     /* the path that execve got: the kernel puts it on the program's stack */
	char *build_id; /* of the program; without one, its size and checksum */
	char *cwd;
	char **argv, **env; /* NULL-terminated */
	enum stream_kind input;
	bool has_stdin; /* the file stdin has the input */
	struct strategy_config strategy;
	struct memory_config memory;
	uint64_t seed;
	bool access_points;
	bool races;     /* races are looked for */
	uint32_t check; /* enum check */
	uint32_t ntolerated;
	uint64_t tolerated[BOARD_TOLERATED]; /* as in struct board_config */
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
	uint64_t event_hash; /* hash of what the execution did; 0: unknown */
	char *message;
	/* Evidence of a race; `race` is NULL in evidence of anything else. */
	char *race; /* the id of the race */
	struct board_watch watch;
	/*
	 * An execution that leaves its recording at the point `departs_at`, and before access number `touch` to the
	 * bytes of `watch` follows a schedule that holds threads. 0: it does not. `every_operation`: from there on
	 * every operation that others can notice is a point.
	 */
	bool every_operation;
	uint64_t departs_at, touch;
	uint64_t race_site[2];
	uint32_t race_flags[2];
};

bool manifest_write(const char *path, const struct manifest *m, struct error *e);
/* Reads and checks a manifest. On success the caller releases *m with manifest_free. */
bool manifest_read(const char *path, struct manifest *m, struct error *e);
void manifest_free(struct manifest *m);

#endif
