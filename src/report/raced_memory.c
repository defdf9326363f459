#include "report/raced_memory.h"

#include <stdio.h>
#include <string.h>

#include "report/module.h"
#include "report/source_expression.h"
#include "report/source_line.h"
#include "report/variable.h"

/* The expression that the source has for an access: "it->refcount". */
static bool find_expression(const struct race *r, int access, char *out, size_t size)
{
	struct frame f;
	char line[512];

	if (!race_place(r, access, &f) || !f.operation || !source_line(r->execution->result, &f, line, sizeof line))
		return false;
	return source_expression(line, f.column, r->seen.access[access].flags & ACCESS_WRITE, out, size);
}

/*
 * Takes the expression of one access.  A write comes first, because its expression names what it changes.
 */
static void name_from_source(const struct race *r, char *out, size_t size)
{
	int first = r->seen.access[1].flags & ACCESS_WRITE ? 1 : 0;

	if (!find_expression(r, first, out, size) && !find_expression(r, !first, out, size))
		out[0] = 0;
}

/*
 * Names a variable on a stack.  Only the thread that owns the stack uses the variable's own name; the other thread has
 * a pointer to it.
 */
static void name_from_owner(const struct race *r, char *out, size_t size)
{
	for (int i = 0; i < 2; i++)
		if (r->seen.access[i].stack.fiber == r->seen.in_stack_of && find_expression(r, i, out, size) &&
		    !strpbrk(out, "*>"))
			return;
	name_from_source(r, out, size);
}

static void describe_global(const struct variable *v, struct raced_memory *out)
{
	char declared[300] = "";

	snprintf(out->name, sizeof out->name, "%s", v->name);
	snprintf(out->global, sizeof out->global, "%s", v->name);
	if (!v->size)
		return;
	if (v->file[0])
		snprintf(declared, sizeof declared, ", declared at %s:%u", v->file, v->line);
	bool part = strpbrk(v->name, ".[");
	snprintf(out->what, sizeof out->what, "%sa %s%s%s of %lu byte%s%s", part ? "in " : "",
	         v->is_static ? "static variable" : "global", v->function[0] ? " in " : "", v->function, v->size,
	         v->size == 1 ? "" : "s", declared);
}

static void describe_block(const struct race *r, struct raced_memory *out)
{
	struct frame frames[STACK_FRAMES];
	const struct frame *own = NULL;
	const struct board_race *b = &r->seen;
	char place[400] = "";

	if (b->allocation.depth)
		own = symbol_own_frame(frames,
		                       symbol_stack(r->execution->result, &b->allocation, frames, STACK_FRAMES));
	if (own && own->file[0])
		snprintf(place, sizeof place, " at %.200s:%u in %.120s", base_name(own->file), own->line,
		         own->function);
	else if (own)
		snprintf(place, sizeof place, " in %.120s", own->function);
	snprintf(out->what, sizeof out->what, "byte %lu of a heap block of %lu bytes, allocated by T%u%s",
	         b->address - b->block, b->block_size, b->block_fiber, place);
	name_from_source(r, out->name, sizeof out->name);
}

/* Descriptors have 8 bytes each that stand for them (board_result.descriptors). */
static bool describe_descriptor(const struct race *r, struct raced_memory *out)
{
	uint64_t first = r->execution->result->descriptors, number = (r->seen.address - first) / 8;

	if (!first || r->seen.address < first || number >= BOARD_DESCRIPTORS)
		return false;
	snprintf(out->name, sizeof out->name, "descriptor %lu", number);
	snprintf(out->what, sizeof out->what, "a descriptor: using it counts as a read, closing it as a write");
	return true;
}

void raced_memory_of(const struct race *r, struct raced_memory *out)
{
	const struct board_race *b = &r->seen;
	struct variable v;
	uint64_t bytes = race_common_bytes(r);

	*out = (struct raced_memory){0};
	if (describe_descriptor(r, out))
		return;
	if (variable_at(r->execution->result, b->address, bytes ? bytes : 1, &v)) {
		describe_global(&v, out);
	} else if (b->explained && b->block) {
		describe_block(r, out);
	} else if (b->explained && b->in_stack_of != BOARD_NOBODY) {
		snprintf(out->what, sizeof out->what, "on the stack of T%u", b->in_stack_of);
		name_from_owner(r, out->name, sizeof out->name);
	} else {
		name_from_source(r, out->name, sizeof out->name);
	}
}
