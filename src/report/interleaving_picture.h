/*
 * The interleaving of the execution that shows a verdict, for people and for programs.
 *
 * In: a race with a verdict and its moments.  Out: text in two columns, or JSON.  Callers: the reports of races.
 */
#ifndef OMEN_INTERLEAVING_PICTURE_H
#define OMEN_INTERLEAVING_PICTURE_H

#include <stdio.h>

#include "report/print.h"
#include "report/race_list.h"
#include "format/json.h"

/* A few lines, with a column for each of two threads; nothing where the moments are not known. */
void interleaving_text(FILE *out, const struct race *r, const struct style *style);
/* The member "interleaving", with all rows. */
void interleaving_json(struct json_writer *w, const struct race *r);

#endif
