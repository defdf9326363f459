/* What the threads of an execution that shows a verdict do, in time and by thread. */
#ifndef OMEN_INTERLEAVING_H
#define OMEN_INTERLEAVING_H

#include <stdio.h>

#include "report/print.h"
#include "report/race_list.h"
#include "format/json.h"

/* As columns, one a thread, in a few lines; nothing where nothing is known. */
void print_interleaving(FILE *out, const struct race *r, const struct style *style);
/* The member "interleaving": all of it that is kept. */
void write_interleaving(struct json_writer *w, const struct race *r);

/* Prints lines of which each has SCREEN_COLUMNS at most; what is longer ends in "…". */
void print_clipped(FILE *out, const char *text);
#define SCREEN_COLUMNS 100
/* The same, but what is longer goes on in a second line. */
void print_folded(FILE *out, const char *text);

#endif
