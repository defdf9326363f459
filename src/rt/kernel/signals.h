/* Virtual signals: per-fiber masks and pending sets, delivered where the scheduler says. */
#ifndef OMEN_SIGNALS_H
#define OMEN_SIGNALS_H

#include "rt/fibers/above.h"
#include "rt/ending/above.h"
#include "rt/kernel/kernel.h"

/* Takes over the process's signals. */
void signals_start(void);

/* The kernel's own handler for `signal`, for good. */
void signals_install(int signal, void (*handler)(int, siginfo_t *, void *), int flags);

/* Runs the handler of one signal: everything that it does has this on its stack. */
void signals_run_handler(siginfo_t *info);

/* Those sent to the process that no fiber takes yet, a bit each. */
uint64_t signals_waiting(void);

/* Hands what came from outside to the fibers that can take it. */
void signals_take_in(void);

/* Not a signal, but the end of the recorded part, at this time. */
bool signals_is_end(const siginfo_t *info, int64_t *clock);

/* In a forked child: what was pending was the parent's. */
void signals_forget_pending(void);

/* Posts a signal to a fiber, or to the process with f == NULL. */
void signals_post(struct fiber *f, int signal, const siginfo_t *info);

/* The mask of the running fiber has changed: delivers what it lets through now; true if a handler ran. */
bool signals_unblocked(void);

/* What an interrupted syscall returns: -EINTR, or asks to be repeated (true) where the handler says SA_RESTART. */
bool signals_restart(void);

/* Runs a sync fault's handler, or reports the crash. */
void signals_fault(int signal, siginfo_t *info, void *context);

/* Would this signal end the process? */
bool signals_kills(int signal);

/* Before execve: the kernel takes the virtual mask for real. After a failed one: back. */
void signals_before_exec(void);
void signals_after_exec(void);

/* What was read from a signalfd names us by our real id: that is put right. */
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
