/*
 * What the recorder and the replayer know of a syscall.  In: its number, and for some calls the arguments.  Out: which
 * memory it fills, what it sends, how it is replayed, its name.  All of it comes from the table of syscalls
 * (syscalls.h). Only files of this room use it.
 */
#ifndef OMEN_CALL_RULES_H
#define OMEN_CALL_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* FILLS in the table. */
enum fill {
	FILL_NOTHING,
	FILL_FIXED,
	FILL_RESULT,
	FILL_TYPED,
	FILL_TIMES,
	FILL_SIZED,
	FILL_IOVEC,
	FILL_PAGES,
	FILL_BITS,
	FILL_MSGHDR,
	FILL_MMSGHDR,
	FILL_SENT,
	FILL_COUNTERS, /* the values of a set of semaphores: only the kernel knows how many */
};

struct output {
	uint8_t arg, fill, of;
	uint16_t bytes;
};

#define OUTPUTS 3

/* SENDS in the table. */
enum send { SEND_NOTHING, SEND_BUFFER, SEND_IOVEC, SEND_MSGHDR };

/* LOG in the table. */
enum replay {
	REPLAY_ANSWER,
	REPLAY_AGAIN,
	REPLAY_OPEN,
	REPLAY_READ,
	REPLAY_CLOSE,
	REPLAY_CLOSE_RANGE,
	REPLAY_DUP,
	REPLAY_WRITE,
	REPLAY_MAP,
	REPLAY_SHMAT,
	REPLAY_SHMDT,
};

struct call_rule {
	struct output output[OUTPUTS];
	uint8_t replay; /* enum replay */
	uint8_t send;   /* enum send */
	bool known;     /* LOG is in its row */
};

/* Of a call without a row: nothing is known. */
const struct call_rule *call_rule(long nr);

/* What a call fills whose command says so (ioctl, fcntl, shmctl, …). */
struct output call_command_output(long nr, const long arg[6]);

/* "syscall" where the number has no name. */
const char *call_name(long nr);

#endif
