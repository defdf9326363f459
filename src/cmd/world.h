/* The log of a recording between the board and the evidence. */
#ifndef OMEN_CMD_WORLD_H
#define OMEN_CMD_WORLD_H

#include "cmd/launch.h"
#include "trace/file.h"

/* What the program's execution has left behind its board. */
struct bytes world_take(const struct process *p);
/* Puts it behind the board of a process that is to replay it. */
bool world_give(struct process *p, const struct bytes *log, struct error *e);

#endif
