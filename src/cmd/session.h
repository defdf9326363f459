/* The beginning and the end of a command that runs a program: what it starts from, where its report goes. */
#ifndef OMEN_SESSION_H
#define OMEN_SESSION_H

#include "cmd/options.h"
#include "report/findings.h"
#include "format/manifest.h"

/* Checks program and evidence directory and notes everything a replay needs. False is wrong use. */
bool session_begin(struct manifest *m, const struct options *o, char **argv, struct error *e);
/* The manifest of one execution, from the session's: what is told of it comes from `r`. Shares the session's strings.
 */
struct manifest session_execution(const struct manifest *m, const struct board_result *r);
/* Whether a text on `out` is coloured: on a terminal, unless NO_COLOR says otherwise. */
bool session_colour(FILE *out);
/* The file of -o, or `otherwise`. NULL: it cannot be written. */
FILE *session_open(const struct options *o, FILE *otherwise, struct error *e);
bool session_close(const struct options *o, FILE *out, struct error *e);
/* Writes the report in the wanted format to the wanted file, or to `otherwise`. */
bool session_report(const struct options *o, const struct report *r, FILE *otherwise, struct error *e);
/* The text of one failure without colours, malloc'ed. */
char *session_failure_text(const struct report *r, size_t index, size_t *size);

#endif
