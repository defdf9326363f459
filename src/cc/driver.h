/*
 * The driver of omen-cc: it understands the command line, runs clang's front end, the pass and clang's back end for
 * each source, and links.  Input: the user's arguments; output: the files that clang would make.  Only the files of the
 * driver include this; none of them knows LLVM.
 */
#ifndef OMEN_CC_DRIVER_H
#define OMEN_CC_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "cc/cc.h"

/* response_files.c: lists of words, and arguments with the words of response files in their place. */

struct list {
	const char **at; /* NULL-terminated when it is not empty */
	size_t n, room;
};

void list_add(struct list *l, const char *s);
void list_add_all(struct list *l, const char *const *strings); /* up to a NULL */
struct list expand_response_files(int argc, char **argv);

/* args.c: the user's arguments, each with its purpose. */

enum role {
	FRONT = 1,       /* the front end reads it */
	CODEGEN = 2,     /* the back end reads it */
	LINK = 4,        /* the linker reads it, in order with the inputs */
	DEPENDS = 8,     /* it asks for a makefile fragment */
	CLANG_ONLY = 16, /* clang alone must answer the whole command */
	SANITIZE = 32,   /* the part of the user's -fsanitize options that stays */
};

enum input {
	NOT_INPUT,
	SOURCE,   /* compiled and instrumented */
	IR,       /* instrumented; its front end may not have marked its functions */
	ASSEMBLY, /* compiled as it is */
	OBJECT,   /* for the linker */
};

struct argument {
	unsigned role;
	enum input input;
	const char *language; /* of an input: the language of -x; NULL: the file's ending decides */
	const char *text;
	const char *value; /* a separate value, or NULL */
};

enum output { LINKED, COMPILED, ASSEMBLED };

struct command {
	struct argument *at;
	size_t n, room;
	enum output output;
	const char *name;         /* -o, or NULL */
	const char *optimise;     /* the last -O, or NULL */
	const char *depends_file; /* file of the makefile fragment, or NULL */
	bool clang_only, emit_llvm, depends, depends_target;
	bool asks_dependencies; /* depends, or a command that only prints dependencies */
	bool shared;            /* -shared: a library */
	bool no_runtime;        /* -r, -nostdlib: a link without libomen */
	bool is_static;         /* a static link, which cannot work */
	bool as_optimised;      /* --as-optimised */
	bool no_thread;         /* -fno-sanitize=thread: plain accesses do not count */
	size_t sources, inputs;
};

struct command parse_arguments(const struct list *args);
/*
 * How many words from `i` on form an option that clang must not get: one of gcc alone, or one that does not fit an
 * instrumented program.
 */
size_t words_dropped(const struct list *args, size_t i);
void add_argument(struct command *c, struct argument a);

/* sanitize.c: false if the argument is not a -fsanitize option. */

bool take_sanitize(struct command *c, const char *text);

/* dependencies.c: removes the files of this folder from a makefile fragment. */

void drop_dependencies(const char *fragment, const char *folder);

/* child.c: child processes and temporary files. The files are removed when the driver ends. */

void make_temporary_directory(void); /* once, before the two below */
const char *temporary_file(const char *ending);
void run_child(const struct list *args); /* if the child fails, the driver ends with its status */

#endif
