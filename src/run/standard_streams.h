/* The program's standard input and output: the same for every execution, and for a replay of it. */
#ifndef OMEN_STANDARD_STREAMS_H
#define OMEN_STANDARD_STREAMS_H

#include <stdio.h>
#include <sys/types.h>

#include "format/manifest.h"

enum stream_kind stream_kind_of(int fd);

/* A program has written to the tool's own output, and its last line may be open (LINE_*). */
void lines_left(uint32_t open);
/* What comes next on this stream of the tool's begins a line. */
void line_begin(FILE *out);

/* A memfd that holds what the program writes. */
int capture_open(struct error *e);
/* What stands in such a file, the last `limit` bytes of it. */
struct bytes capture_read(int fd, size_t limit);

/* The input of many executions: each one reads it from the start. */
struct input {
	enum stream_kind kind; /* STREAM_NULL or STREAM_FILE */
	int fd;                /* STREAM_FILE: where it stands */
	off_t start;           /* and from which byte on */
	const char *log; /* of a recording: the file with everything else that came from outside (recording_files.h); or
	                    NULL */
};

/* Takes the tool's own standard input: a file as it is, a pipe read to its end, a terminal as nothing. */
bool input_take(struct input *in, struct error *e);
/* The same for `record`, where the program reads the tool's own input: only a file can be kept. */
void input_look(struct input *in);
/* A new descriptor on the input, with an offset of its own. */
int input_open(const struct input *in, struct error *e);
/* Copies the input to a file, for the evidence. */
bool input_save(const struct input *in, const char *path, struct error *e);

#endif
