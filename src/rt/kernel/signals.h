/*
 * Virtual signals: masks and pending signals of each fiber, delivered where the scheduler says.  In: signals from
 * outside, from the program and from faults.  Out: handlers run, waits end, or the process ends.  Every room of the
 * runtime may use it.
 */
#ifndef OMEN_SIGNALS_H
#define OMEN_SIGNALS_H

#include "rt/ending/above.h"
#include "rt/fibers/above.h"
#include "rt/kernel/kernel.h"

/* Takes over the process's signals. */
void signals_start(void);

/* Sets the kernel's own handler for `signal`, for good. */
void signals_install(int signal, void (*handler)(int, siginfo_t *, void *), int flags);

/* Runs the handler of one signal.  Everything that the handler does has this function on its stack. */
void signals_run_handler(siginfo_t *info);

/* The signals for the process that no fiber takes yet, a bit each. */
uint64_t signals_waiting(void);

/* Hands what came from outside to the fibers that can take it. */
void signals_take_in(void);

/* Is it not a signal, but the end of the recorded part?  Then *clock is its time. */
bool signals_is_end(const siginfo_t *info, int64_t *clock);

/* In a forked child: what is pending belongs to the parent. */
void signals_forget_pending(void);

/* Posts a signal to a fiber; f == NULL: to the process. */
void signals_post(struct fiber *f, int signal, const siginfo_t *info);

/* The mask of the running fiber has changed: delivers what it lets through now.  True: a handler ran. */
bool signals_unblocked(void);

/*
 * A call was interrupted: true if it is to be repeated, as all handlers have SA_RESTART; otherwise it returns -EINTR.
 */
bool signals_restart(void);

/* The handler for faults: runs the program's handler, or reports the crash. */
void signals_fault(int signal, siginfo_t *info, void *context);

/* Would this signal end the process? */
bool signals_kills(int signal);

/* Around execve: the kernel takes the virtual mask; if execve fails it gets its own back. */
void signals_before_exec(void);
void signals_after_exec(void);

/* What was read from a signalfd has our real process id as its sender: replaces it by the virtual one. */
void signals_after_read(int fd, void *buffer, long size);
void signals_forget_fd(int fd);

long signals_action(struct call *);
long signals_mask(struct call *);
long signals_pending(struct call *);
long signals_suspend(struct call *);
long signals_pause(struct call *);
long signals_timedwait(struct call *);
long signals_altstack(struct call *);
long signals_kill(struct call *);
long signals_tkill(struct call *);
long signals_tgkill(struct call *);
long signals_queueinfo(struct call *);
long signals_tgqueueinfo(struct call *);
long signals_fd(struct call *);

#endif
