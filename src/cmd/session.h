/*
 * The beginning and the end of a command that runs a program: what the execution starts from, and where the report
 * goes.
 *
 * In:  the options and the program's arguments; later, the report.
 * Out: the manifest that a replay needs; the report on a stream or in a file.
 * Called by the commands.
 */
#ifndef OMEN_SESSION_H
#define OMEN_SESSION_H

#include "cmd/options.h"
#include "report/findings.h"
#include "format/manifest.h"

/* Checks the program and the evidence directory, and notes everything that a replay needs. False: wrong use. */
bool session_begin(struct manifest *m, const struct options *o, char **argv, struct error *e);
/* The manifest of one execution: the session's, with the results in `r`. It shares the strings of both. */
struct manifest session_execution(const struct manifest *m, const struct board_result *r);
/* Whether text on `out` is coloured: on a terminal, unless NO_COLOR forbids it. */
bool session_colour(FILE *out);
/* Opens the file of -o, or returns `otherwise`. NULL: the file cannot be written. */
FILE *session_open(const struct options *o, FILE *otherwise, struct error *e);
bool session_close(const struct options *o, FILE *out, struct error *e);
/* Writes the report, in the format that the options ask for, to the file of -o or to `otherwise`. */
bool session_report(const struct options *o, const struct report *r, FILE *otherwise, struct error *e);
/* The text of one failure, without colours; malloc'ed. */
char *session_failure_text(const struct report *r, size_t index, size_t *size);

#endif
