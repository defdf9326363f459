/* What the calls on descriptors share: io.c, poll_calls.c, fd_calls.c.  No other file includes it. */
#ifndef OMEN_IO_H
#define OMEN_IO_H

#include "rt/kernel/kernel.h"

/*
 * Until `fd` is ready for `events`: 0, or the error that the call returns.  Descriptors that do not block never wait.
 * It is the call's point.
 */
long io_wait_ready(struct call *c, int fd, short events);
bool io_is_nonblocking(int fd);

/* The call is made: descriptors may be ready that fibers wait for. */
void io_done(void);
/* The same, where only one descriptor can have changed, and others perhaps through it. */
void io_done_at(long fd);

/* fd_calls.c: one of the three, under the tool. */
bool fd_is_standard(long fd);
/* /dev/urandom and /dev/random: their bytes come from here. */
bool random_has(long fd);
void random_fill(uint8_t *to, size_t n);

#endif
