/* What rt/kernel asks of rooms above it. */
#ifndef OMEN_ABOVE_KERNEL_H
#define OMEN_ABOVE_KERNEL_H

#include "rt/core/rt.h"

/* ---- rt/world: the answers of the world, recorded or again ---- */

/* One syscall: what the kernel answers now, or what it answered then. */
long world_call(long nr, const long arg[6]);

#define world_args(a, b, c, d, e, f) ((const long[6]){(long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)})
#define world2(nr, a, b)             world_call(nr, world_args(a, b, 0, 0, 0, 0))
#define world3(nr, a, b, c)          world_call(nr, world_args(a, b, c, 0, 0, 0))
#define world4(nr, a, b, c, d)       world_call(nr, world_args(a, b, c, d, 0, 0))
#define world5(nr, a, b, c, d, e)    world_call(nr, world_args(a, b, c, d, e, 0))

bool world_is_recorded(void);
bool world_is_replayed(void); /* the world is not asked */

/*
 * Are descriptors not looked at after calls that cannot have made one ready?  Recordings from before that was so say
 * nothing of it, and are replayed as they were made.
 */
bool world_spares_polls(void);

/* A process was made; in a replay it is not, and the first tells which it was. */
bool world_made_before(long *pid);
void world_made(long pid);

/* A signal was let in (enum admission); and in a replay: is one to be let in now? */
void world_signal(uint32_t place, const siginfo_t *info);
bool world_signal_again(uint32_t place, siginfo_t *info);

/* ---- rt/threads ---- */

/* A handler that has come back has changed errno. */
void notice_errno(int signal, const void *handler);

/* ---- rt/start ---- */

/* In the child of the program's own fork: one fiber, no board. */
void omen_in_fork_child(void);

#endif
