/*
 * What descriptors are.  It is asked once for each: a syscall for each use would cost more than many calls.  Only the
 * kernel room uses it.
 */
#ifndef OMEN_FD_KIND_H
#define OMEN_FD_KIND_H

#include <stdbool.h>
#include <stdint.h>

struct fd_kind {
	bool open;        /* false: the other fields mean nothing */
	bool nonblocking; /* O_NONBLOCK */
	uint32_t mode;    /* st_mode */
	uint64_t inode;
};

struct fd_kind fd_kind(int fd);

/* The descriptor is another one now, or may be. */
void fd_kind_forget(int fd);
void fd_kind_forget_all(void);

#endif
