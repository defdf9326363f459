/* A recording on its way from the board to its files, and back. */
#ifndef OMEN_RECORDING_FILES_H
#define OMEN_RECORDING_FILES_H

#include "run/launch.h"
#include "format/blocks.h"
#include "format/schedule.h"

/* While the program runs its log and its schedule go to files: of what ends the tool, little is lost. */
struct world_file {
	char *log; /* its path; NULL: there is none */
	struct blocks_writer writer;
	struct schedule_writer schedule;
	uint64_t taken, entries; /* of log and schedule */
	uint64_t synced_ms;      /* when the files were last forced to the disk */
	bool over;               /* nothing more is kept: a failure, or the board is full */
	bool failed;
	struct error error;
};

/* Makes the files in a directory; false if that cannot be done. */
bool world_file_begin(struct world_file *f, const char *directory, struct error *e);
/* Takes what there is so far; a failure is kept, and what comes then let go. */
void world_file_take(struct world_file *f, struct process *p);
/* Takes the rest and closes the files; `ended`: that was the execution's end. */
void world_file_end(struct world_file *f, struct process *p, bool ended);
void world_file_free(struct world_file *f);
/* Whether there is anything to replay in the files. */
bool world_file_has_something(const struct world_file *f);

/* Puts a log behind the board of a process that is to replay it. */
bool world_give(struct process *p, const struct bytes *log, struct error *e);
/* The same from a file, which must be whole. */
bool world_give_file(struct process *p, const char *path, struct error *e);

#define WORLD_LIMIT (4ul << 30) /* bytes of a log that can be replayed */

#endif
