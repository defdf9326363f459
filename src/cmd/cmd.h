/* What the sub-commands share: exit statuses, complaints, the entry of each one. */
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

/* One line on stderr: "omen: " and the text. Returns `status`, so that a command can end with it. */
int complain(int status, const struct error *e);

struct options;

/* Each takes its options and the operands behind them (argv[argc] is NULL) and returns the exit status. */
int cmd_record(const struct options *o, int argc, char **argv);
int cmd_explore(const struct options *o, int argc, char **argv);
int cmd_triage(const struct options *o, int argc, char **argv);
int cmd_replay(const struct options *o, int argc, char **argv);
int cmd_predict(const struct options *o, int argc, char **argv);
int cmd_report(const struct options *o, int argc, char **argv);

#endif
