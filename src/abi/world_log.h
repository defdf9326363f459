/*
 * The log of a recording: what the world answered, entry by entry.  It stands after the board in the same memory.
 * rt/world writes and replays it; the tool keeps it in files and checks it (run/recording_files.c).
 */
#ifndef OMEN_WORLD_LOG_H
#define OMEN_WORLD_LOG_H

#include <stdint.h>

/* Who answers syscalls: the kernel; the kernel, and the log keeps the answers; the log; the model of the world, after
 * the execution has left the recording (rt/model/model.h). */
enum world_mode { WORLD_REAL, WORLD_RECORD, WORLD_REPLAY, WORLD_MODEL };

enum world_kind {
	WORLD_CALL = 1, /* a syscall with its answer */
	WORLD_SIGNAL,   /* a signal from outside */
	WORLD_BEFORE,   /* what stood under a file name before the program first changed it */
	WORLD_PLACE,    /* the first entry: the directory in which the program was started */
	WORLD_LOOK,     /* the state of the program could not be compared, because it shares memory */
};

/* An entry.  `bytes` bytes follow it, padded to a multiple of 8. */
struct world_entry {
	uint8_t kind;   /* enum world_kind */
	uint8_t flags;  /* WORLD_FILE, WORLD_COPY, …; of a signal: enum admission */
	uint16_t nr;    /* of the syscall */
	uint32_t bytes; /* of what follows: what the call wrote to the program's memory, then `names`; of a signal: its
	                   siginfo */
	int64_t result; /* of the call; of a signal: the point at which the program noticed it */
	uint64_t check; /* a hash of the bytes written, or of the bytes read from a file that a replay reads again */
	int32_t fd;     /* the first argument of the call */
	uint32_t names; /* how many of the bytes, at their end, are names of files that it opened or changed, each with
	                   its NUL */
};

static inline const char *world_names(const struct world_entry *e)
{
	return (const char *)(e + 1) + e->bytes - e->names;
}

/* The entry at `log`, or NULL if it does not end within `left` bytes. */
static inline const struct world_entry *world_entry_in(const uint8_t *log, uint64_t left)
{
	const struct world_entry *e = (const struct world_entry *)log;

	if (left < sizeof(*e) || left - sizeof(*e) < e->bytes || e->names > e->bytes)
		return 0;
	return e;
}

/* Flags.  The descriptor is that of a file that is only read; its contents are not in the log. */
#define WORLD_FILE 1
/* The result is a copy of the descriptor. */
#define WORLD_COPY 2
/* The call did not consume what it received. */
#define WORLD_PEEK 4
/* The call mapped a file that can be written. */
#define WORLD_MAPPED 8
/* Flags of the first entry.  Descriptors were not polled where none can have become ready (rt/kernel/local_fds.h). */
#define WORLD_SPARES 1
/* The process id is the real one; the entry of the next call has it. */
#define WORLD_PID 2

/* WORLD_BEFORE: `result` is 0, or the error of stat().  After the name come its struct stat and its contents; those of
 * a file that is larger than this are left out. */
#define WORLD_BEFORE_MOST (64u << 20)

#define WORLD_LOG_SIZE (1ul << 36) /* sparse */

#endif
