/* The log of a recording as it stands behind the board: what the world answered, entry by entry. */
#ifndef OMEN_WORLD_LOG_H
#define OMEN_WORLD_LOG_H

#include <stdint.h>

/* WORLD_MODEL: the recording was left (rt/model/model.h). */
enum world_mode { WORLD_REAL, WORLD_RECORD, WORLD_REPLAY, WORLD_MODEL };

enum world_kind {
	WORLD_CALL = 1,
	WORLD_SIGNAL,
	WORLD_BEFORE, /* what was there under a name before the program first changed it */
	WORLD_PLACE,  /* the first entry: the directory that the program was started in */
	WORLD_LOOK,   /* the state of the program could not be looked at: it shares memory */
};

/* Followed by `bytes` bytes, padded to a multiple of 8. */
struct world_entry {
	uint8_t kind;   /* enum world_kind */
	uint8_t flags;  /* WORLD_FILE …; of a signal: enum admission */
	uint16_t nr;    /* of the syscall */
	uint32_t bytes; /* what it wrote to the program's memory, then `names`; of a signal: its siginfo */
	int64_t result; /* of a signal: the point at which it was noticed */
	uint64_t check; /* of what was read from a file that is read again, or written: a hash */
	int32_t fd;     /* of a call: its first argument */
	uint32_t names; /* at the end of the bytes: the files that it opened or changed, each with its NUL */
};

static inline const char *world_names(const struct world_entry *e)
{
	return (const char *)(e + 1) + e->bytes - e->names;
}

/* The entry at `log`, or NULL if it does not end within so many bytes. */
static inline const struct world_entry *world_entry_in(const uint8_t *log, uint64_t left)
{
	const struct world_entry *e = (const struct world_entry *)log;

	if (left < sizeof(*e) || left - sizeof(*e) < e->bytes || e->names > e->bytes)
		return 0;
	return e;
}

/* Flags: the descriptor is that of a file that is only read, and not in the log; */
#define WORLD_FILE 1
/* the result is a copy of the descriptor; */
#define WORLD_COPY 2
/* what was received is still there; */
#define WORLD_PEEK 4
/* a file that can be written was mapped. */
#define WORLD_MAPPED 8
/* Of the first entry: descriptors are not polled where nothing can have become ready (rt/kernel/local_fds.h). */
#define WORLD_SPARES 1
/* And: the process id is the real one, which the next call tells. */
#define WORLD_PID 2

/* WORLD_BEFORE: `result` is 0, or the error of looking at it; after the name comes its struct stat and its contents,
 * which are left out of a file that is larger than this. */
#define WORLD_BEFORE_MOST (64u << 20)

#define WORLD_LOG_SIZE (1ul << 36) /* sparse */

#endif
