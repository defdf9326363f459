/*
 * What the sub-commands share: exit statuses, error messages, and the entry of each.
 *
 * In:  the options, and the operands after them.
 * Out: an exit status.
 * main.c calls the entries; all of src/cmd may use the rest.
 */
#ifndef OMEN_CMD_H
#define OMEN_CMD_H

#include "format/error.h"

enum {
	EXIT_NOTHING = 0,
	EXIT_OMEN = 1, /* Omen failed */
	EXIT_USE = 2,  /* wrong use */
	EXIT_FOUND = 66,
	EXIT_INTERRUPTED = 130,
};

/* Prints one line on stderr: "omen: " and the text. Returns `status`, so that a command can end with it. */
int complain(int status, const struct error *e);

struct options;

/* Each takes its options and the operands after them (argv[argc] is NULL), and returns the exit status. */
int cmd_record(const struct options *o, int argc, char **argv);
int cmd_explore(const struct options *o, int argc, char **argv);
int cmd_triage(const struct options *o, int argc, char **argv);
int cmd_replay(const struct options *o, int argc, char **argv);
int cmd_predict(const struct options *o, int argc, char **argv);
int cmd_report(const struct options *o, int argc, char **argv);

#endif
