/* The log of a recording on its way from the board to a file, and back. */
#ifndef OMEN_CMD_WORLD_H
#define OMEN_CMD_WORLD_H

#include "cmd/launch.h"
#include "trace/blocks.h"

/* While the program runs its log goes to a file, so that memory holds little of it. */
struct world_file {
	char *path; /* NULL: there is none */
	struct blocks_writer writer;
	uint64_t taken; /* of the log */
	bool failed;
	struct error error;
};

/* Makes the file; false if that cannot be done. */
bool world_file_begin(struct world_file *f, const char *path, struct error *e);
/* Takes what there is so far, if it is much; a failure is kept, and the rest of the log left alone. */
void world_file_take(struct world_file *f, struct process *p);
/* Takes the rest. False, and one line, if not all of it could be written. */
bool world_file_end(struct world_file *f, struct process *p, struct error *e);
/* Removes the file; what has another name stays. */
void world_file_remove(struct world_file *f);

/* Puts a log behind the board of a process that is to replay it; `whole`: it has its end. */
bool world_give(struct process *p, const struct bytes *log, bool whole, struct error *e);
/* The same from a file, whose damage is an error. */
bool world_give_file(struct process *p, const char *path, struct error *e);

#define WORLD_LIMIT (4ul << 30) /* bytes of a log that can be replayed */

#endif
