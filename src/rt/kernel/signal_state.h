/*
 * What the files about signals share: signals.c, signal_arrival.c, signal_faults.c, signal_calls.c.  Other files use
 * signals.h.
 */
#ifndef OMEN_SIGNAL_STATE_H
#define OMEN_SIGNAL_STATE_H

#include "rt/kernel/signals.h"

#define SIGNALS 64
#define BIT(n)  (1ul << ((n) - 1))

/* The kernel's struct sigaction. */
struct kernel_action {
	void (*handler)(int, siginfo_t *, void *);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

#define KERNEL_RESTORER 0x04000000

void arch_restorer(void);

struct signals {
	struct kernel_action
	        action[SIGNALS + 1]; /* as the program set them; their addresses stand for them in happens-before */
	uint64_t pending;            /* for the process, let in, with nobody to take them yet */
	siginfo_t info[SIGNALS + 1]; /* of these */
};

extern struct signals signals;

#define FAULTS             (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP))
#define IGNORED_BY_DEFAULT (BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGCONT))
/* Stopping and continuing are left to the kernel, as are the two that cannot be caught. */
#define LEFT_ALONE                                                                                                     \
	(BIT(SIGKILL) | BIT(SIGSTOP) | BIT(SIGTSTP) | BIT(SIGTTIN) | BIT(SIGTTOU) | BIT(SIGSYS) | BIT(SIGCONT))

static inline bool signals_is_default(int signal) { return (void *)signals.action[signal].handler == (void *)SIG_DFL; }

static inline bool signals_is_ignored(int signal)
{
	return (void *)signals.action[signal].handler == (void *)SIG_IGN ||
	       (signals_is_default(signal) && (IGNORED_BY_DEFAULT & BIT(signal)));
}

/* signals.c */
void signals_set_kernel(int signal, void (*handler)(int, siginfo_t *, void *), uint64_t flags);
const char *signals_name(int signal);
void signals_die_by_default(int signal) __attribute__((noreturn));
/* Adds a signal to what is pending for a fiber. */
void signals_hold(struct fiber *f, int signal, const siginfo_t *info);
/* Takes the next pending signal among these; false: there is none. */
bool signals_take(struct fiber *f, uint64_t among, siginfo_t *out);
/* Hands what came for the process to fibers that can take it. */
void signals_distribute(void);

/* signal_arrival.c: the kernel's handler for signals from outside. */
void signals_on_async(int signal, siginfo_t *info, void *context);
/* In a forked child: forgets what has come. */
void signals_forget_arrived(void);

#endif
