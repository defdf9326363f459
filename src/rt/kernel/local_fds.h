/* Descriptors that only this process can make ready. */
#ifndef OMEN_LOCAL_FDS_H
#define OMEN_LOCAL_FDS_H

#include "rt/kernel/kernel.h"

/* Are all of these such descriptors? */
bool inside_only(const struct pollfd *fds, uint32_t n);

/* From now on others may hold our descriptors: a child was made. */
void inside_exposed(void);
void inside_made(int fd);
void inside_closed(int fd);

/*
 * A connection that another process has made to us: what is sent and received there makes none of our own descriptors
 * ready.  Not if this process makes connections, too: they may be to itself.
 */
bool inside_is_far(int fd);
void inside_came(int fd);
void inside_connects(void);

long inside_pair(struct call *);
long inside_one(struct call *);
long inside_dup(struct call *);
long inside_fcntl(struct call *);
long inside_watch(struct call *);
long inside_close_range(struct call *);
long inside_sendmsg(struct call *);

#endif
