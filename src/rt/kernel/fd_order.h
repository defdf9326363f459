/*
 * Happens-before through descriptors: whoever writes goes before whoever reads it.  In: a descriptor, around the calls
 * that use it.  Out: edges for the race detector.
 */
#ifndef OMEN_FD_ORDER_H
#define OMEN_FD_ORDER_H

#include <stdbool.h>

void fd_order_before_write(int fd);
void fd_order_after_write(int fd, bool waited);
/* `result`: of the call; an error reads nothing. */
void fd_order_after_read(int fd, long result);

#endif
