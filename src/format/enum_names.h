/*
 * The names of board.h's numbers (strategies, endings, memory models), of syscalls and of signals, as the command line,
 * reports and manifests spell them. Input: a number, output: its name; for some also the reverse. Any room of the tool
 * may call this.
 */
#ifndef OMEN_ENUM_NAMES_H
#define OMEN_ENUM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/board.h"

/* The name of an ending; "unknown" for a number that is not in the table. */
const char *ending_name(uint32_t ending);
/* The reverse: false if no ending has this name. */
bool ending_parse(const char *name, uint32_t *ending);
/* Whether this ending is a failure. */
bool ending_is_failure(uint32_t ending);
/* Whether the execution reached its own end, or had nothing left to do when the recorded part was ended. */
bool ending_is_complete(uint32_t ending, int32_t status);

/* Writes the strategy as text: "random", "pct:3". */
void strategy_format(const struct strategy_config *s, char *out, size_t size);
/* Reads what strategy_format writes, and "pct" without a depth for the default depth. False if it is not a strategy. */
bool strategy_parse(const char *text, struct strategy_config *s);

/* Names, indexed by enum memory_model and enum reads. */
extern const char *const memory_models[], *const reads_names[];

/* "io_submit"; "syscall 999" for a syscall without a name here. */
void syscall_format(uint32_t nr, char *out, size_t size);

/* "SIGSEGV (segmentation fault)" */
void signal_format(int signal, char *out, size_t size);

#endif
