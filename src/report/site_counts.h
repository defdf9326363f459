/* How often each site was executed (`omen record --count`), from the board. */
#ifndef OMEN_SITE_COUNTS_H
#define OMEN_SITE_COUNTS_H

#include <stdio.h>

#include "abi/board.h"

/* A line for each site, the most frequent first. */
void site_counts_print(FILE *out, const struct board *b);

#endif
