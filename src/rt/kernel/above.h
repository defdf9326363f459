/* What rt/kernel calls in rooms above it.  Each group names the room that defines it. */
#ifndef OMEN_ABOVE_KERNEL_H
#define OMEN_ABOVE_KERNEL_H

#include "rt/core/rt.h"

/* ---- rt/world: the answers of the world ---- */

/* Makes one syscall: the kernel, the recording or the model answers it. */
long world_call(long nr, const long arg[6]);

#define world_args(a, b, c, d, e, f) ((const long[6]){(long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)})
#define world2(nr, a, b)             world_call(nr, world_args(a, b, 0, 0, 0, 0))
#define world3(nr, a, b, c)          world_call(nr, world_args(a, b, c, 0, 0, 0))
#define world4(nr, a, b, c, d)       world_call(nr, world_args(a, b, c, d, 0, 0))
#define world5(nr, a, b, c, d, e)    world_call(nr, world_args(a, b, c, d, e, 0))

bool world_is_recorded(void);
/* True: the recording or the model answers, not the kernel. */
bool world_is_replayed(void);
/* True: the model answers. */
bool world_is_modelled(void);

/*
 * True: no poll of descriptors after calls that cannot make one ready.  An older recording does not say so, and its
 * replay must poll as the recording did.
 */
bool world_polls_sparingly(void);

/* True: this is a replay, which makes no process, and *pid is the recorded result. */
bool world_replay_process(long *pid);
/* Records that a process was made. */
void world_record_process(long pid);

/* Records that a signal was admitted; `place`: enum admission. */
void world_record_signal(uint32_t place, const siginfo_t *info);
/* In a replay: must a signal be admitted here?  Sets *info. */
bool world_replay_signal(uint32_t place, siginfo_t *info);

/* ---- rt/snapshot ---- */

/* The execution is over.  Does not return if the process is rewound for the next one. */
void execution_over(void);
/* Is the execution that is under way the one whose time is up? */
bool execution_is_late(void);

/* ---- rt/threads ---- */

/* A signal handler has changed errno and returned. */
void notice_errno(int signal, const void *handler);

/* ---- rt/start ---- */

/* In the child of the program's own fork: keeps one fiber, and no board. */
void omen_in_fork_child(void);

#endif
