/*
 * A recording between the board and its files. While a program runs, its log and schedule move from the board to files,
 * so that little is lost when the tool dies; for a replay, a log moves from its file to the board. Input: a process
 * with a board, a directory; output: the files `log` and `schedule`, or a board that is ready to replay. src/cmd and
 * src/classify call this.
 */
#ifndef OMEN_RECORDING_FILES_H
#define OMEN_RECORDING_FILES_H

#include "run/launch.h"
#include "format/blocks.h"
#include "format/schedule.h"

/* The two files of a recording that grows. */
struct recording_files {
	char *log; /* path of the log; NULL: there is no recording */
	struct blocks_writer writer;
	struct schedule_writer schedule;
	uint64_t taken, entries; /* bytes of the log and entries of the schedule that are in the files */
	uint64_t synced_ms;      /* when the files were last forced to the disk */
	bool over;               /* nothing more is kept: there was a failure, or the board is full */
	bool failed;
	struct error error;
};

/* Makes the files in a directory; false if that fails. */
bool recording_files_begin(struct recording_files *f, const char *directory, struct error *e);
/* Moves what is new on the board to the files. A failure is kept in *f; from then on what is new is dropped. */
void recording_files_take(struct recording_files *f, struct process *p);
/* Moves the rest. `ended`: the execution is over, and the files get their ends. */
void recording_files_end(struct recording_files *f, struct process *p, bool ended);
void recording_files_free(struct recording_files *f);
/* Whether the files have anything that can be replayed. */
bool recording_files_can_replay(const struct recording_files *f);

/* Puts a log on the board of a process that is to replay it. */
bool recording_give_log(struct process *p, const struct bytes *log, struct error *e);
/* The same from a file, which must be whole. */
bool recording_give_log_file(struct process *p, const char *path, struct error *e);

#define RECORDING_LOG_LIMIT (4ul << 30) /* the most bytes of a log that can be replayed */

#endif
