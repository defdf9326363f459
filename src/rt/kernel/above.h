/* What rt/kernel asks of rooms above it: each group is defined by the room named before it. */
#ifndef OMEN_ABOVE_KERNEL_H
#define OMEN_ABOVE_KERNEL_H

#include "rt/core/rt.h"

/* ---- rt/world: the answers of the world ---- */

/* One syscall: what the kernel answers now, what the recording has, or what the model answers. */
long world_call(long nr, const long arg[6]);

#define world_args(a, b, c, d, e, f) ((const long[6]){(long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)})
#define world2(nr, a, b)             world_call(nr, world_args(a, b, 0, 0, 0, 0))
#define world3(nr, a, b, c)          world_call(nr, world_args(a, b, c, 0, 0, 0))
#define world4(nr, a, b, c, d)       world_call(nr, world_args(a, b, c, d, 0, 0))
#define world5(nr, a, b, c, d, e)    world_call(nr, world_args(a, b, c, d, e, 0))

bool world_is_recorded(void);
/* The kernel is not asked: the recording or the model answers. */
bool world_is_replayed(void);

/*
 * Are descriptors not polled after calls that cannot have made one ready?  Recordings made before that rule do not say
 * so, and their replay must poll as they did.
 */
bool world_polls_sparingly(void);

/* True: this is a replay, which makes no process, and *pid is the recorded result. */
bool world_replay_process(long *pid);
/* Records that a process was made. */
void world_record_process(long pid);

/* Records that a signal was let in; `place`: enum admission. */
void world_record_signal(uint32_t place, const siginfo_t *info);
/* Replay: is a signal to be let in now? */
bool world_replay_signal(uint32_t place, siginfo_t *info);

/* ---- rt/threads ---- */

/* A handler that has returned has changed errno. */
void notice_errno(int signal, const void *handler);

/* ---- rt/start ---- */

/* In the child of the program's own fork: one fiber, no board. */
void omen_in_fork_child(void);

#endif
