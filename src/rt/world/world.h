/*
 * The world outside: every answer of the kernel that the execution may depend on comes through here.  In: syscalls,
 * signals and processes.  Out: what the kernel answers now, what the recording has, or what the model of the world
 * answers.
 *
 * A recording keeps the answers in their order.  A replay takes them from there and does not ask the kernel
 * (docs/design.md, "Recordings").  Every room of the runtime may call these functions.
 */
#ifndef OMEN_WORLD_H
#define OMEN_WORLD_H

#include "rt/core/rt.h"

/* From now on the board's configuration says who answers.  Before that, and without the tool, the kernel does. */
void world_start(void);
/* The process id as others know it: a replay has the recorded one.  False: there is no log, the caller may choose one.
 */
bool world_pid(uint32_t *pid);

/* In a forked child: only the parent records or replays. */
void world_end_in_child(void);

/* In a snapshot of a replay: opens the files that are read again anew, so that this process shares no position. */
void world_own_files(void);

/* The replay leaves its recording: from now on a model of the world answers. */
void world_depart(void);

/* Keeps the bytes of all output from now on, so that the board gets them and not only their hashes. */
void world_keep_outputs(void);

/* The execution ends: puts its output on the board, if the configuration asks for that. */
void world_report_outputs(void);

/* Does the tool search who wrote a certain byte? */
bool world_tracks_writer(void);
/* If so: the position, in its stream or file, of the next byte written to this descriptor; UINT64_MAX: not known. */
uint64_t world_write_position(int fd);
/* If so: the running fiber has put the bytes for these positions into a buffer. */
void world_note_buffered(int fd, uint64_t from, uint64_t to);

/*
 * Are descriptors not polled after calls that cannot have made one ready?  Recordings made before that rule do not say
 * so, and their replay must poll as they did.
 */
bool world_polls_sparingly(void);

bool world_is_recorded(void);
/* The kernel is not asked: the recording or the model answers. */
bool world_is_replayed(void);

/* True: this is a replay, which makes no process, and *pid is the recorded result. */
bool world_replay_process(long *pid);
/* Records that a process was made. */
void world_record_process(long pid);

/* Records that a signal was let in; `place`: enum admission. */
void world_record_signal(uint32_t place, const siginfo_t *info);
/* Replay: is a signal to be let in now? */
bool world_replay_signal(uint32_t place, siginfo_t *info);

/*
 * Could the program's memory be read?  `found`: whether it can now.  If not, as it is shared with other processes, a
 * recording says so, and its replay gets the same answer although it shares none.
 */
bool world_memory_readable(bool found);

/* One syscall: what the kernel answers now, what the recording has, or what the model answers. */
long world_call(long nr, const long arg[6]);

/* A hash of the bytes that a call has sent or written; 0 for other calls. */
uint64_t world_sent_hash(long nr, const long arg[6], long result);

#define world_args(a, b, c, d, e, f) ((const long[6]){(long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)})
#define world2(nr, a, b)             world_call(nr, world_args(a, b, 0, 0, 0, 0))
#define world3(nr, a, b, c)          world_call(nr, world_args(a, b, c, 0, 0, 0))
#define world4(nr, a, b, c, d)       world_call(nr, world_args(a, b, c, d, 0, 0))
#define world5(nr, a, b, c, d, e)    world_call(nr, world_args(a, b, c, d, e, 0))

#endif
