/* Descriptors that only this process can make ready. */
#ifndef OMEN_LOCAL_FDS_H
#define OMEN_LOCAL_FDS_H

#include "rt/kernel/kernel.h"

/* Are all of these such descriptors? */
bool local_fds_only(const struct pollfd *fds, uint32_t n);

/* From now on others may hold our descriptors: a child was made. */
void local_fds_exposed(void);
void local_fds_made(int fd);
void local_fds_closed(int fd);

/*
 * A connection that another process has made to us: what is sent and received there makes none of our own descriptors
 * ready.  Not if this process makes connections, too: they may be to itself.
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
