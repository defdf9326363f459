/*
 * The world outside: every answer of the kernel that the program's course may depend on comes through here.
 *
 * A recording keeps these answers, in the order in which they came; in its replay they come from there, and the world
 * is not asked (docs/design.md, "Recordings").
 */
#ifndef OMEN_WORLD_H
#define OMEN_WORLD_H

#include "rt/core/rt.h"

/* From here on the board's configuration says what happens; before, and without the tool, the world answers. */
void world_start(void);
/* Who the process is, as others know it: the recorded one, also in a replay. False: without a log that is up to us. */
bool world_pid(uint32_t *pid);

/* In a forked child: the recording is the parent's. */
void world_leave(void);

/* In a snapshot of a replay: files that are read again are read by this process alone. */
void world_own_files(void);

/* The replay leaves its recording: from now on a model of the world answers. */
void world_depart(void);

/* What it gives to the outside from now on is kept, and told as it is. */
void world_keep(void);

/* The execution ends: what it has given to the outside is told, where the board asks for it. */
void world_given(void);

/*
 * Is the place looked for where a byte was written?  Then: where in its stream or file what is written to this
 * descriptor next will stand, UINT64_MAX if that cannot be said; and that the running fiber has put these bytes into
 * its buffer.
 */
bool world_locates(void);
uint64_t world_position(int fd);
void world_buffered(int fd, uint64_t from, uint64_t to);

/*
 * Are descriptors not looked at after calls that cannot have made one ready?  Recordings from before that was so say
 * nothing of it, and are replayed as they were made.
 */
bool world_spares_polls(void);

bool world_is_recorded(void);
bool world_is_replayed(void); /* the world is not asked */

/* A process was made; in a replay it is not, and the first tells which it was. */
bool world_made_before(long *pid);
void world_made(long pid);

/* A signal was let in (enum admission); and in a replay: is one to be let in now? */
void world_signal(uint32_t place, const siginfo_t *info);
bool world_signal_again(uint32_t place, siginfo_t *info);

/*
 * Whether the state of the program could be looked at.  Where it could not, as it shares memory with others, a
 * recording says so: a replay shares none.
 */
bool world_looked(bool found);

/* One syscall: what the kernel answers now, or what it answered then. */
long world_call(long nr, const long arg[6]);

/* A hash of the bytes that a call has taken from the program's memory, if it is one that writes or sends. */
uint64_t world_written(long nr, const long arg[6], long result);

#define world_args(a, b, c, d, e, f) ((const long[6]){(long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)})
#define world2(nr, a, b)             world_call(nr, world_args(a, b, 0, 0, 0, 0))
#define world3(nr, a, b, c)          world_call(nr, world_args(a, b, c, 0, 0, 0))
#define world4(nr, a, b, c, d)       world_call(nr, world_args(a, b, c, d, 0, 0))
#define world5(nr, a, b, c, d, e)    world_call(nr, world_args(a, b, c, d, e, 0))

#endif
