/*
 * Descriptors that only this process can make ready.  In: calls that make, copy, send and close descriptors.  Out:
 * whether anything from outside can end a wait.  Only the kernel room uses it.
 */
#ifndef OMEN_LOCAL_FDS_H
#define OMEN_LOCAL_FDS_H

#include "rt/kernel/kernel.h"

/* Are all of these such descriptors? */
bool local_fds_only(const struct pollfd *fds, uint32_t n);

/* A child was made: other processes may have our descriptors from now on. */
void local_fds_exposed(void);
void local_fds_made(int fd);
void local_fds_closed(int fd);

/*
 * A connection that another process has made to us: sending and receiving there makes none of our own descriptors
 * ready.  That does not hold if this process makes connections, as they may be to itself.
 */
bool local_fds_is_accepted(int fd);
void local_fds_accepted(int fd);
void local_fds_connects(void);

long local_fds_pair(struct call *);
long local_fds_one(struct call *);
long local_fds_dup(struct call *);
long local_fds_fcntl(struct call *);
long local_fds_epoll_ctl(struct call *);
long local_fds_close_range(struct call *);
long local_fds_sendmsg(struct call *);

#endif
