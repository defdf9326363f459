/*
 * What the files of omen-cc share.
 *
 * driver.c understands the command line and runs clang twice around the pass; args.c, sanitize.c and child.c are its
 * tools.
 * pass.c runs the walks over a module's IR in their order; each walk is a file of its own and uses ir.c and sites.c.
 */
#ifndef OMEN_CC_H
#define OMEN_CC_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "abi/hooks.h"

/* args.c: the user's arguments, each with what it is for. */

struct list {
	const char **at; /* NULL-terminated once something was added */
	size_t n, room;
};

void list_add(struct list *l, const char *s);
void list_add_all(struct list *l, const char *const *strings); /* up to a NULL */

enum role {
	FRONT = 1,     /* read by the front end */
	CODEGEN = 2,   /* read by the back end */
	LINK = 4,      /* read at link time, in order with the inputs */
	DEPENDS = 8,   /* asks for a makefile fragment */
	STRAIGHT = 16, /* clang alone must answer the whole command */
	SANITIZE = 32, /* what is left of the user's -fsanitize options */
};

enum input {
	NOT_INPUT,
	SOURCE,   /* compiled and instrumented */
	IR,       /* instrumented; who made it may not have marked its functions */
	ASSEMBLY, /* compiled as it is */
	OBJECT,   /* for the linker */
};

struct argument {
	unsigned role;
	enum input input;
	const char *language; /* of an input: what -x says, NULL for the file's ending to decide */
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
	const char *depends_file; /* where the makefile fragment goes, or NULL */
	bool straight, emit_llvm, depends, depends_target;
	bool asks_dependencies; /* depends, or only wants to know of them */
	bool shared;            /* -shared: a library */
	bool no_runtime;        /* -r, -nostdlib: a link without libomen */
	bool is_static;         /* a link that cannot work */
	bool as_optimised;      /* --as-optimised */
	bool no_thread;         /* -fno-sanitize=thread: plain accesses do not count */
	size_t sources, inputs;
};

struct list expand_response_files(int argc, char **argv);
struct command parse_arguments(const struct list *args);
/* How many words from `i` on are an option that nobody is given: gcc's own, or one that an instrumented program cannot
 * have. */
size_t words_dropped(const struct list *args, size_t i);
void add_argument(struct command *c, struct argument a);

/* sanitize.c */

bool take_sanitize(struct command *c, const char *text); /* returns false for what is no such option */

/* dependencies.c */

void drop_dependencies(const char *fragment, const char *folder); /* what is in this folder goes from the fragment */

/* child.c: processes and temporary files. Both live as long as the driver; everything is removed when it ends. */

void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void temporary_files(void); /* once, before the other two */
const char *temporary_file(const char *ending);
void run(const struct list *args); /* ends the driver with the child's status unless it succeeds */

/* pass.c */

enum {
	PASS_TIDY = 1,    /* first bring the front end's stack slots into registers */
	PASS_FOREIGN = 2, /* not our front end's: if no function says whether its accesses count, they do */
};

/* Reads bitcode, instruments, writes bitcode. */
void instrument(const char *in, const char *out, const char *helpers, unsigned mode);

/* The same without instrumentation, for an optimiser that comes before it. */
void make_optimisable(const char *in, const char *out);

/* tidy.c */

struct pass;

void run_passes(LLVMModuleRef module, const char *passes);
void tidy(struct pass *p); /* locals into registers; accesses that others may take part in stay as they are */

/* ir.c: a module in work. */

struct site_table;
struct escape_cache;

struct pass {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTargetDataRef layout;
	LLVMTypeRef none, i1, i8, i16, i32, i64, pointer;
	struct site_table *sites;
	struct escape_cache *escapes;
	bool of_stream; /* the function that is walked over is_stream_member() */
	bool unmarked;  /* no function carries a mark: the accesses of all count */
};

struct instructions {
	LLVMValueRef *at;
	size_t n, room;
};

#define ARGUMENTS(...) (LLVMValueRef[]){__VA_ARGS__}, sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef)

struct instructions instructions_of(LLVMValueRef function); /* a snapshot: walks insert while they go through it */
LLVMValueRef function_of(LLVMValueRef instruction);
void insert_before(struct pass *p, LLVMValueRef instruction);
void insert_after(struct pass *p, LLVMValueRef instruction);
LLVMValueRef insert_call(struct pass *p, const char *name, LLVMTypeRef result, LLVMValueRef *args, size_t n);
LLVMValueRef insert_slot(struct pass *p, LLVMValueRef function, LLVMTypeRef type); /* an alloca in the entry block */
LLVMValueRef constant(LLVMTypeRef type, unsigned long long value);
LLVMAttributeRef attribute(struct pass *p, const char *name); /* one of an enumeration, without a value */
bool has_attribute(LLVMValueRef function, const char *name);
bool name_starts(LLVMValueRef value, const char *prefix);
bool is_intrinsic(LLVMValueRef callee, const char *prefix);
LLVMValueRef called_function(LLVMValueRef instruction); /* NULL: not a call, or not a direct one */
void keep_global(struct pass *p, LLVMValueRef global);  /* against removal by the optimiser */

/* objects.c: variables whose extent is known. */

/* A pointer `offset` bytes into one. */
struct object {
	LLVMValueRef offset, extent; /* i64 */
	bool is_global;
};

/* The variable a pointer points into, computed where the builder stands; false if it is not known, or if `size` (i64)
 * bytes from there on are certainly inside. */
bool find_object(struct pass *p, LLVMValueRef pointer, LLVMValueRef size, struct object *out);
LLVMValueRef base_of(LLVMValueRef pointer); /* what it points into, as far as it can be followed */

/* From byte `offset` on in the cell that is `behind` bytes behind that of a base, which is `beyond` a multiple of 8. */
struct cell_place {
	LLVMValueRef base;
	int64_t behind;
	unsigned offset, beyond;
};

/* Where in its cell an access of this alignment is; false if that is not known (then the base is the pointer). */
bool find_place(struct pass *p, LLVMValueRef pointer, unsigned alignment, struct cell_place *out);

/* What is known of a plain access before any hook stands between. */
struct access {
	bool told;      /* another one tells about it */
	unsigned flags; /* OMEN_SITE_*, of where its value goes or comes from */
	size_t row;     /* of its site */
};

/* flow.c: what comes of what was read. */

#define FLOW_STORES 8
/* One load and the stores that what it reads goes into, by their numbers among all instructions. */
struct flow {
	size_t load, stores[FLOW_STORES], n;
};

struct flows {
	struct flow *at;
	size_t n;
};

struct flows find_flows(struct pass *p, const struct instructions *all, struct access *accesses);
void write_flows(struct pass *p, const struct flows *flows, const struct access *accesses);
bool is_fixed(LLVMValueRef value); /* an address, or anything: the same whatever is read */

/* values.c */

unsigned update_flags(LLVMValueRef store); /* OMEN_SITE_SETS_BITS or OMEN_SITE_ADDS, if it is an update */
uint64_t load_bits(LLVMValueRef load);     /* that are looked at; all 64 where all are, or it is not known */

/* sites.c */

LLVMValueRef site(struct pass *p, LLVMValueRef instruction, enum omen_site_kind kind, unsigned flags);
LLVMValueRef load_site(struct pass *p, LLVMValueRef load, unsigned flags, uint64_t bits); /* those looked at */
LLVMValueRef function_site(struct pass *p, LLVMValueRef function);
size_t last_site(struct pass *p); /* its number, for add_flow */
void add_flow(struct pass *p, size_t load, size_t store);
void open_sites(struct pass *p);
void end_function_sites(struct pass *p); /* writes the rows that were asked for since the last time */
void close_sites(struct pass *p);
void write_note(struct pass *p);
bool has_note(struct pass *p);

/* The walks, one function at a time. */

bool is_shared(struct pass *p, LLVMValueRef pointer); /* may another thread see what is there, or change it? */
bool is_counted(struct pass *p, LLVMValueRef in);     /* a plain access that gets a site */
void walk_memory(struct pass *p, LLVMValueRef function);
void forget_escapes(struct pass *p); /* what both have learned, before anything but the walks changes the module */
void walk_libcalls(struct pass *p, LLVMValueRef function);
void walk_streams(struct pass *p, LLVMValueRef function);
void walk_atomics(struct pass *p, LLVMValueRef function);
/* Where a call's result is known and nothing else comes by; false where there is no such place. */
bool insert_with_result(struct pass *p, LLVMValueRef call);
void walk_loader(struct pass *p, LLVMValueRef function);
void walk_constructors(struct pass *p);
void walk_assembly(struct pass *p, LLVMValueRef function);
void walk_branches(struct pass *p, LLVMValueRef function);
void walk_loops(struct pass *p, LLVMValueRef function);
void walk_frames(struct pass *p, LLVMValueRef function);

/* cxx_library.c: C++'s library, compiled into the program */

bool is_stream_member(LLVMValueRef function);
bool races_by_design(LLVMValueRef function);
LLVMValueRef standard_streams(struct pass *p);
void keep_to_module(struct pass *p);
void hook_stream_point(struct pass *p, LLVMValueRef call, bool has_row);

/* functions.c, of the whole module */
bool is_instrumented(struct pass *p, LLVMValueRef function);
bool counts_accesses(struct pass *p, LLVMValueRef function);
bool returns_twice(LLVMValueRef call);
bool has_marks(struct pass *p);  /* does any function say that its accesses count? */
void hide_marks(struct pass *p); /* from an optimiser; they are found all the same */
void drop_marks(struct pass *p);
void drop_false_attributes(struct pass *p);

#endif
