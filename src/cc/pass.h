/*
 * The pass: it puts calls of hooks (abi/hooks.h) into the LLVM IR of one translation unit.
 *
 * pass.c runs the walks in their order; a walk is a file that looks for one kind of operation and inserts its hooks.
 * ir.c and sites.c have what all walks need.  Input and output is the module in struct pass.  Only the files of the
 * pass include this.
 */
#ifndef OMEN_CC_PASS_H
#define OMEN_CC_PASS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/hooks.h"
#include "cc/cc.h"

struct site_table;
struct escape_cache;

/* The module that is instrumented. */
struct pass {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTargetDataRef layout;
	LLVMTypeRef none, i1, i8, i16, i32, i64, pointer;
	struct site_table *sites;
	struct escape_cache *escapes;
	bool in_stream_member; /* walk_memory is in a function that is_stream_member() */
	bool all_count;        /* no function is marked: the accesses of all functions count */
};

/* ir.c: questions about IR, and insertions. */

struct instructions {
	LLVMValueRef *at;
	size_t n, room;
};

#define ARGUMENTS(...) (LLVMValueRef[]){__VA_ARGS__}, sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef)

struct instructions instructions_of(LLVMValueRef function); /* a copy, as walks insert instructions */
LLVMValueRef function_of(LLVMValueRef instruction);
void insert_before(struct pass *p, LLVMValueRef instruction); /* where the next insertions go */
void insert_after(struct pass *p, LLVMValueRef instruction);
/*
 * Moves the builder to where the result of a call is known, on a path that only the call's return takes. False if there
 * is no such place.
 */
bool insert_with_result(struct pass *p, LLVMValueRef call);
LLVMValueRef insert_call(struct pass *p, const char *name, LLVMTypeRef result, LLVMValueRef *args, size_t n);
LLVMValueRef insert_slot(struct pass *p, LLVMValueRef function, LLVMTypeRef type); /* an alloca in the entry block */
LLVMValueRef constant(LLVMTypeRef type, unsigned long long value);
LLVMAttributeRef attribute(struct pass *p, const char *name); /* an enum attribute without a value */
bool has_attribute(LLVMValueRef function, const char *name);
bool name_starts(LLVMValueRef value, const char *prefix);
bool is_intrinsic(LLVMValueRef callee, const char *prefix);
bool is_plain_access(LLVMValueRef instruction); /* a load or store that is not atomic */
LLVMValueRef musttail_before(LLVMValueRef end); /* the call, or NULL; nothing may stand between it and the return */
LLVMValueRef accessed_pointer(LLVMValueRef access);
LLVMValueRef called_function(LLVMValueRef instruction); /* NULL: not a call, or not a direct one */
void keep_global(struct pass *p, LLVMValueRef global);  /* the optimiser must not remove it */
void run_passes(LLVMModuleRef module, const char *passes);

/* promote_locals.c */

void promote_locals(struct pass *p); /* locals into registers; accesses that other threads may see stay */

/* escape.c */

bool is_shared(struct pass *p, LLVMValueRef pointer); /* may another thread access this memory? */
/* Drops the cached answers; needed before anything but the walks changes the module. */
void forget_escapes(struct pass *p);

/* objects.c: the variable that a pointer points into. */

/* A pointer into a variable of known extent. */
struct object {
	LLVMValueRef offset, extent; /* i64: bytes from the variable's beginning; the variable's bytes */
	bool is_global;
};

/*
 * Finds the variable that a pointer points into. The numbers are computed where the builder is. False if the variable
 * is not known, or if `size` (i64) bytes from the pointer on are certainly inside of it.
 */
bool find_object(struct pass *p, LLVMValueRef pointer, LLVMValueRef size, struct object *out);
/* The value that a pointer is computed from, as far as it can be followed. */
LLVMValueRef base_of(LLVMValueRef pointer);

/* The cell of an access, and the byte in it at which the access begins. */
struct cell_place {
	LLVMValueRef base;
	int64_t distance;     /* bytes from the cell of the base to the cell of the access */
	unsigned offset;      /* first byte in the cell */
	unsigned base_offset; /* the base is this many bytes behind a multiple of 8 */
};

/* Finds the place of an access with this alignment. False if it is not known; then the base is the pointer itself. */
bool find_cell_place(struct pass *p, LLVMValueRef pointer, unsigned alignment, struct cell_place *out);

/* Facts about an access, found before any hook is inserted. */
struct access {
	bool is_covered; /* is_covered() */
	unsigned flags;  /* OMEN_SITE_*: where its value comes from or goes */
	size_t row;      /* of its site */
};

/* covered_access.c */

bool is_covered(struct pass *p, LLVMValueRef access); /* does another access report every race of this one? */

/* flow.c: where values that were read go. */

#define FLOW_STORES 8
/* A load and the stores that the value it reads goes into; numbers among all instructions of the function. */
struct flow {
	size_t load, stores[FLOW_STORES], n;
};

struct flows {
	struct flow *at;
	size_t n;
};

struct flows find_flows(struct pass *p, const struct instructions *all, struct access *accesses);
void write_flows(struct pass *p, const struct flows *flows, const struct access *accesses);
bool is_fixed(LLVMValueRef value); /* does the value not depend on anything that was read? */

/* value_use.c */

unsigned update_flags(LLVMValueRef store); /* of an update: OMEN_SITE_SETS_BITS or OMEN_SITE_ADDS; else 0 */
uint64_t load_bits(LLVMValueRef load);     /* the bits of its value that the program uses; all 64 if unknown */

/* sites.c: the site table. A site function returns the address of the row it adds. */

LLVMValueRef site(struct pass *p, LLVMValueRef instruction, enum omen_site_kind kind, unsigned flags);
LLVMValueRef load_site(struct pass *p, LLVMValueRef load, unsigned flags, uint64_t bits); /* bits: load_bits() */
LLVMValueRef function_site(struct pass *p, LLVMValueRef function);
size_t last_site(struct pass *p); /* number of the last row, for add_flow */
void add_flow(struct pass *p, size_t load, size_t store);
void open_sites(struct pass *p);
void end_function_sites(struct pass *p); /* writes the rows added since its last call */
void close_sites(struct pass *p);

/* note.c: the ELF note that marks an object as instrumented. */

void write_note(struct pass *p);
bool has_note(struct pass *p);

/* The walks. Each is called for one function, except walk_constructors. */

void walk_memory(struct pass *p, LLVMValueRef function);
bool is_counted(struct pass *p, LLVMValueRef in); /* memory.c: a plain access that gets a site */
void walk_libcalls(struct pass *p, LLVMValueRef function);
void walk_streams(struct pass *p, LLVMValueRef function);
void walk_atomics(struct pass *p, LLVMValueRef function);
void walk_loader(struct pass *p, LLVMValueRef function);
void walk_constructors(struct pass *p);
void walk_assembly(struct pass *p, LLVMValueRef function);
void walk_branches(struct pass *p, LLVMValueRef function);
void walk_loops(struct pass *p, LLVMValueRef function);
void walk_frames(struct pass *p, LLVMValueRef function);

/* cxx_library.c: the part of C++'s library that is compiled into the program. */

bool is_stream_member(LLVMValueRef function);
bool races_by_design(LLVMValueRef function);   /* its accesses do not count */
LLVMValueRef standard_streams(struct pass *p); /* a table of their addresses */
void hide_library_functions(struct pass *p);   /* other modules keep using the library's own code */
void hook_stream_point(struct pass *p, LLVMValueRef call, bool has_row);

/* functions.c: functions as a whole. */

bool is_instrumented(struct pass *p, LLVMValueRef function);
bool counts_accesses(struct pass *p, LLVMValueRef function);
bool returns_twice(LLVMValueRef call);
bool has_marks(struct pass *p);  /* is any function marked as one whose accesses count? */
void hide_marks(struct pass *p); /* from an optimiser; has_marks() and counts_accesses() still find them */
void drop_marks(struct pass *p);
void drop_false_attributes(struct pass *p);

#endif
