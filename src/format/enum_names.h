/* The names of board.h's tables: strategies and endings, as the command line, reports and manifests spell them. */
#ifndef OMEN_ENUM_NAMES_H
#define OMEN_ENUM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/board.h"

/* Name of an ending; "unknown" for a number the table does not have. */
const char *ending_name(uint32_t ending);
/* The ending of that name; false if there is none. */
bool ending_parse(const char *name, uint32_t *ending);
/* Whether an execution that ended so failed. */
bool ending_is_failure(uint32_t ending);
/* Whether it came to its own end; or had done all that there was to do when the recorded part was ended. */
bool ending_is_complete(uint32_t ending, int32_t status);

/* "random", "pct:3". */
void strategy_format(const struct strategy_config *s, char *out, size_t size);
/* Reads what strategy_format writes, and "pct" for a default depth; false if it is no strategy. */
bool strategy_parse(const char *text, struct strategy_config *s);

/* By enum memory_model and enum reads. */
extern const char *const memory_models[], *const reads_names[];

/* "io_submit"; "syscall 999" of those that have no name here. */
void syscall_format(uint32_t nr, char *out, size_t size);

/* "SIGSEGV (segmentation fault)" */
void signal_format(int signal, char *out, size_t size);

#endif
