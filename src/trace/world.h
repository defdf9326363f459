/* The log of a recording as it stands behind the board: what the world answered, entry by entry. */
#ifndef OMEN_TRACE_WORLD_H
#define OMEN_TRACE_WORLD_H

#include <stdint.h>

enum world_mode { WORLD_REAL, WORLD_RECORD, WORLD_REPLAY };

enum world_kind { WORLD_CALL = 1, WORLD_SIGNAL };

/* Followed by `bytes` bytes, padded to a multiple of 8. */
struct world_entry {
	uint8_t kind;   /* enum world_kind */
	uint8_t flags;  /* WORLD_FILE */
	uint16_t nr;    /* of the syscall */
	uint32_t bytes; /* what it wrote to the program's memory; of a file: its path; of a signal: its siginfo */
	int64_t result; /* of a signal: the point at which it was noticed */
	uint64_t check; /* of what was read from a file that is read again, or written: a hash */
};

/* Flags: the descriptor is that of a file that is only read, and not in the log. */
#define WORLD_FILE 1

#define WORLD_LOG_SIZE (1ul << 36) /* sparse */

#endif
