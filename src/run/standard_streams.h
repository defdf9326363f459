/*
 * The standard input and output of the program, the same in every execution and in its replay; and where lines of the
 * tool's own output begin. src/run, src/cmd and src/classify call this.
 */
#ifndef OMEN_STANDARD_STREAMS_H
#define OMEN_STANDARD_STREAMS_H

#include <stdio.h>
#include <sys/types.h>

#include "format/manifest.h"

enum stream_kind stream_kind_of(int fd);

/* A program has written to the tool's own output; `open` (LINE_*) says on which streams its last line is not ended. */
void line_note_open(uint32_t open);
/* Starts a new line on this stream of the tool if a program has left a line open there. */
void line_begin(FILE *out);

/* A memfd for the output of a program. */
int capture_open(struct error *e);
/* The last `limit` bytes of such a file. */
struct bytes capture_read(int fd, size_t limit);

/* The input of many executions: each reads it from its start. */
struct input {
	enum stream_kind kind; /* STREAM_NULL or STREAM_FILE */
	int fd;                /* STREAM_FILE: the open file */
	off_t start;           /* the input begins at this byte of it */
	const char *log;       /* of a recording: the log (recording_files.h); or NULL */
};

/* Makes the tool's own standard input the input: a file as it is, a pipe read to its end, a terminal as no input. */
bool input_take(struct input *in, struct error *e);
/*
 * The same for `record`, where the program reads the tool's own input: nothing is read here, and only a file can be
 * kept.
 */
void input_inspect(struct input *in);
/* A new descriptor for the input, with an offset of its own. */
int input_open(const struct input *in, struct error *e);
/* Copies the input to a file, for the evidence. */
bool input_save(const struct input *in, const char *path, struct error *e);

#endif
