/*
 * What the driver and the pass of omen-cc share: the pass instruments a bitcode file for the driver, and both end with
 * fail() when they cannot go on.
 */
#ifndef OMEN_CC_H
#define OMEN_CC_H

/* child.c: prints "omen: " and the message, removes the temporary files and ends with status 1. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* pass.c */

enum {
	PASS_PROMOTE = 1, /* first bring the front end's stack slots into registers */
	PASS_FOREIGN = 2, /* another front end made it: if no function is marked, the accesses of all functions count */
};

/* Reads bitcode, instruments it with the helpers (the path of inline.bc), writes bitcode. */
void instrument(const char *in, const char *out, const char *helpers, unsigned mode);

/* Prepares bitcode for an optimiser that runs before instrument(): it hides the marks of functions. */
void make_optimisable(const char *in, const char *out);

#endif
