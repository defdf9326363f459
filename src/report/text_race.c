/* A race as a person reads it. */
#include "report/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/interleaving_picture.h"
#include "report/module.h"
#include "report/print.h"
#include "report/screen_text.h"
#include "report/source_line.h"
#include "report/stale_reads.h"
#include "report/raced_memory.h"
#include "report/symbol.h"
#include "report/variable.h"
#include "report/verdict.h"
#include "format/enum_names.h"

#define LINE_SHOWN    120
#define CREATED_SHOWN 8

/* "atomic write" */
static void print_kind(FILE *out, uint32_t flags)
{
	fprintf(out, "%s%s", flags & ACCESS_ATOMIC ? "atomic " : "", access_kind(flags));
}

static void print_value(FILE *out, const struct board_access *a)
{
	char value[32];

	if (!(a->flags & ACCESS_HAS_VALUE) || !a->size || a->size > 8)
		return;
	value_format(a->value, a->size, value, sizeof value);
	fprintf(out, ", %s %s", a->flags & ACCESS_WRITE ? "wrote" : "read", value);
}

static void print_locks(FILE *out, const struct race *r, const struct board_access *a)
{
	char name[192];

	for (uint32_t i = 0; i < a->nlocks; i++) {
		fputs(i ? ", " : ", holding ", out);
		if (lock_name(r->execution->result, a->lock[i], name, sizeof name))
			fprintf(out, "`%s`", name);
		else
			fprintf(out, "the lock 0x%lx", a->lock[i]);
	}
}

static void print_source(FILE *out, const struct race *r, const struct frame *place)
{
	char line[LINE_SHOWN];

	if (!source_line(r->execution->result, place, line, sizeof line))
		return;
	const char *text = source_trim(line);
	if (*text)
		fprintf(out, "      %5u | %s\n", place->line, text);
}

/* Cuts the directories: on a screen the name of a file is enough. */
static void shorten(struct frame *f) { memmove(f->file, base_name(f->file), strlen(base_name(f->file)) + 1); }

static void print_access(FILE *out, const struct race *r, int access, bool stack, const struct style *style)
{
	const struct board_access *a = &r->seen.access[access];
	struct frame frames[STACK_FRAMES], place;
	bool placed = race_place(r, access, &place);

	fprintf(out, "    %sT%u ", style->strong, a->stack.fiber);
	print_kind(out, a->flags);
	fputs(style->end, out);
	if (placed) {
		struct frame shown = place;
		if (!stack)
			shorten(&shown);
		fputs(" at ", out);
		print_place(out, &shown);
		if (place.function[0])
			fprintf(out, " in %s", place.function);
	} else {
		fputs(" at an unknown place", out);
	}
	print_value(out, a);
	print_locks(out, r, a);
	fputc('\n', out);
	if (placed)
		print_source(out, r, &place);
	if (stack)
		print_frames(out, frames, race_stack(r, access, frames, STACK_FRAMES));
}

/* Where a thread of the race comes from. */
static void print_created(FILE *out, const struct race *r, uint32_t fiber)
{
	const struct board_thread *t = race_thread(r, fiber);
	struct frame frames[STACK_FRAMES];
	size_t n = t && t->created.depth ? symbol_stack(r->execution->result, &t->created, frames, STACK_FRAMES) : 0;

	if (!t)
		return;
	if (!symbol_own_frame(frames, n)) {
		fprintf(out, "    T%u was created by T%u\n", fiber, t->creator);
		return;
	}
	fprintf(out, "    T%u was created by T%u at:\n", fiber, t->creator);
	print_frames(out, frames, n < CREATED_SHOWN ? n : CREATED_SHOWN);
}

static void print_head(FILE *out, const struct race *r, const struct raced_memory *m, const struct style *style)
{
	const struct board_access *a = r->seen.access;
	uint64_t bytes = race_common_bytes(r);

	fprintf(out, "%srace %s%s%s: ", style->strong, style->bad, r->id, style->end);
	print_kind(out, a[1].flags);
	if (m->name[0])
		fprintf(out, " of %s`%s`%s", style->strong, m->name, style->end);
	else
		fprintf(out, " of 0x%lx", r->seen.address);
	if (bytes)
		fprintf(out, " (%lu byte%s)", bytes, bytes == 1 ? "" : "s");
	fprintf(out, " by T%u and ", a[1].stack.fiber);
	print_kind(out, a[0].flags);
	fprintf(out, " by T%u\n", a[0].stack.fiber);
	if (!r->verdict)
		fprintf(out, "    %s%lu instance%s, this one: seed %lu%s\n", style->faint, r->instances,
		        r->instances == 1 ? "" : "s", r->seen.seed, style->end);
}

/*
 * Says which execution the two accesses below come from: their threads and values are not those of the interleaving
 * that shows the verdict.
 */
static void print_instances(FILE *out, const struct race *r, const struct style *style)
{
	if (r->verdict)
		fprintf(out, "    %s%lu instance%s, this one as %s, seed %lu:%s\n", style->faint, r->instances,
		        r->instances == 1 ? "" : "s", r->found_by ? "found" : "recorded", r->seen.seed, style->end);
}

/* "… 00 01 ff" */
static void print_bytes(FILE *out, const struct difference *d, int which)
{
	const struct bytes *b = &d->output[which];

	fputs(d->first ? "…" : "", out);
	for (size_t i = 0; i < b->size; i++)
		fprintf(out, "%s%02x", i || d->first ? " " : "", b->data[i]);
	if (!b->size)
		fputs(d->first ? " (end)" : "(nothing)", out);
}

static void print_consequence(FILE *out, const struct board_result *r)
{
	struct frame frames[STACK_FRAMES];
	size_t n = r->nstacks ? symbol_stack(r, &r->stacks[0], frames, STACK_FRAMES) : 0;
	const struct frame *own = symbol_own_frame(frames, n);

	fprintf(out, ": %s", ending_name(r->ending));
	if (own) {
		struct frame place = *own;
		shorten(&place);
		fputs(" at ", out);
		print_place(out, &place);
	}
	if (r->message[0])
		fprintf(out, ": %s", r->message);
}

/* Which thread wrote the output that differs. */
static void print_writer(FILE *out, const struct race *r, const struct difference *d)
{
	static const char *const words[] = {"", "written", "written", "named"};
	struct frame frames[STACK_FRAMES];

	if (!d->place || d->place >= sizeof words / sizeof *words)
		return;
	size_t n = symbol_access_stack(r->execution->result, &d->stack, frames, STACK_FRAMES);
	const struct frame *own = symbol_own_frame(frames, n);
	fprintf(out, ", %s by T%u", words[d->place], d->stack.fiber);
	if (own && own->line) {
		struct frame place = *own;
		shorten(&place);
		fputs(" at ", out);
		print_place(out, &place);
		if (own->function[0])
			fprintf(out, " in %s", own->function);
	} else if (d->place == CAPTURED_WRITE) {
		fputs(" when its buffer was emptied", out);
	}
}

static void print_difference(FILE *out, const struct race *r)
{
	const struct difference *d = &r->verdict->difference;

	if (d->status)
		fputs(": the exit status", out);
	else if (!d->stream)
		fputs(": in one of very many files or connections", out);
	else if (d->missing[0] != d->missing[1])
		fprintf(out, ": %s", d->stream);
	else
		fprintf(out, ": %s, byte %lu", d->stream, d->offset);
	print_writer(out, r, d);
	for (int i = 0; i < 2; i++) {
		fputs(i ? "\n      other order: " : "\n      as recorded: ", out);
		if (d->missing[i])
			fputs("(nothing)", out);
		else if (d->binary)
			print_bytes(out, d, i);
		else
			print_safely(out, (const char *)d->output[i].data, d->output[i].size);
	}
}

/* In which executions the race did no harm. */
static void print_harmless(FILE *out, const struct verdict *v)
{
	if (v->interleavings && v->others)
		fprintf(out, ": of all %lu interleavings of this input, those with either order end in the same ways",
		        v->interleavings);
	else if (v->lost && !v->interleavings)
		fprintf(out, ": it was seen only in executions that fail, and %lu with the other order fail, too",
		        v->k);
	else if (v->interleavings)
		fprintf(out, ": the same output, files, connections and status in all %lu interleavings of this input",
		        v->interleavings);
	else
		fprintf(out,
		        ": the same output, files, connections and status in %lu execution%s with the other "
		        "order%s",
		        v->k, v->k == 1 ? "" : "s",
		        v->states == STATES_EQUAL ? "; the states after both orders are equal" : "");
}

/* What the race does. */
static void print_verdict(FILE *out, const struct race *r, const struct style *style)
{
	static const char *const words[VERDICTS] = {"UNKNOWN", "SINGLE ORDERING", "HARMLESS", "OUTPUT DIFFERS",
	                                            "SPEC VIOLATED"};
	const struct verdict *v = r->verdict;

	fprintf(out, "%s%s%s", v->kind > VERDICT_HARMLESS ? style->bad : style->strong, words[v->kind], style->end);
	switch (v->kind) {
	case VERDICT_SPEC:
		print_consequence(out, v->alternate->result);
		break;
	case VERDICT_OUTPUT:
		print_difference(out, r);
		break;
	case VERDICT_HARMLESS:
		print_harmless(out, v);
		break;
	default:
		fprintf(out, ": %s", v->why);
		break;
	}
	fputc('\n', out);
	if (v->pattern)
		fprintf(out, "    %s: %s%s\n", pattern_name(v->pattern), pattern_sentence(v->pattern),
		        v->rounds ? " within each round, but either can be first in a round" : "");
	if (v->timed)
		fputs("    output that comes from clocks, CPU times and ids was not compared\n", out);
	if (v->varies)
		fputs("    output that depends on the schedule in the recorded order, too, was not counted against the "
		      "race\n",
		      out);
	if (v->by_budget)
		fputs("    some attempts to reverse the accesses were given up after many steps\n", out);
	if (v->replay)
		fprintf(out, "    replay method: %s\n", v->replay);
	optimised_text(out, r);
}

/* The execution that shows the verdict: its interleaving and its switches. */
static void print_evidence(FILE *out, const struct race *r, const struct style *style)
{
	const struct verdict *v = r->verdict;

	interleaving_text(out, r, style);
	if (!v->alternate || !v->alternate->result)
		return;
	const struct board_result *a = v->alternate->result;
	fprintf(out, "    %s%lu preemption%s of %lu switches", style->faint, a->preemptions,
	        a->preemptions == 1 ? "" : "s", a->switches);
	if (a->preemptions < v->found.preemptions || a->switches < v->found.switches)
		fprintf(out, " (found with %lu of %lu)", v->found.preemptions, v->found.switches);
	fprintf(out, "%s\n", style->end);
}

static void print_replay(FILE *out, const char *evidence, const struct style *style)
{
	if (evidence)
		fprintf(out, "    replay: %somen replay %s%s\n", style->strong, evidence, style->end);
}

/* What the report does not know, and why. */
static void print_gaps(FILE *out, const struct race *r)
{
	if (r->seen.hidden)
		fputs("    code that Omen cannot see into may order these accesses\n", out);
	if (r->seen.explained)
		return;
	fprintf(out, "    the earlier access's stack is unknown: %s%s\n",
	        r->execution->trouble ? r->execution->trouble : "the replay did not show this race again",
	        r->seen.access[0].site ? "" : "; omen record --precise shows its place");
}

static void print_memory(FILE *out, const struct race *r, const struct raced_memory *m)
{
	if (m->what[0] && m->name[0])
		fprintf(out, "    `%s` is %s\n", m->name, m->what);
	else if (m->what[0])
		fprintf(out, "    0x%lx is %s\n", r->seen.address, m->what);
}

/* "and 3 more pairs of accesses to it in the same functions: 2 spec violated, 1 harmless" */
static void print_others(FILE *out, const size_t others[VERDICTS])
{
	size_t all = 0;
	const char *before = ": ";

	for (int k = 0; k < VERDICTS; k++)
		all += others[k];
	if (!all)
		return;
	fprintf(out, "    and %zu more pair%s of accesses to it in the same functions", all, all == 1 ? "" : "s");
	for (int k = VERDICTS - 1; k >= 0; k--) {
		if (!others[k])
			continue;
		fprintf(out, "%s%zu %s", before, others[k], verdict_words(k));
		before = ", ";
	}
	fputc('\n', out);
}

void report_race_screen(FILE *out, const struct race *r, const size_t others[VERDICTS], bool colour)
{
	const struct style *style = colour ? &style_coloured : &style_plain;
	char *text = NULL;
	size_t size = 0;
	FILE *screen = open_memstream(&text, &size);
	struct raced_memory m;

	print_verdict(screen, r, style);
	fclose(screen);
	print_folded(out, text);
	free(text);
	text = NULL;
	screen = open_memstream(&text, &size);
	raced_memory_of(r, &m);
	print_head(screen, r, &m, style);
	print_memory(screen, r, &m);
	print_instances(screen, r, style);
	print_access(screen, r, 1, false, style);
	print_access(screen, r, 0, false, style);
	print_gaps(screen, r);
	print_evidence(screen, r, style);
	print_others(screen, others);
	fclose(screen);
	print_clipped(out, text);
	print_replay(out, r->verdict->evidence ? r->verdict->evidence : r->evidence,
	             style); /* not clipped, so that it can be copied */
	free(text);
}

void report_race_text(FILE *out, const struct race *r, bool colour)
{
	const struct style *style = colour ? &style_coloured : &style_plain;
	const struct board_access *a = r->seen.access;
	struct raced_memory m;

	raced_memory_of(r, &m);
	if (r->verdict)
		print_verdict(out, r, style);
	print_head(out, r, &m, style);
	print_instances(out, r, style);
	print_access(out, r, 1, true, style);
	print_access(out, r, 0, true, style);
	print_gaps(out, r);
	print_created(out, r, a[1].stack.fiber);
	if (a[0].stack.fiber != a[1].stack.fiber)
		print_created(out, r, a[0].stack.fiber);
	stale_reads_text(out, r->execution->result, a[0].stack.fiber, a[1].stack.fiber);
	print_memory(out, r, &m);
	if (r->verdict) {
		print_evidence(out, r, style);
		print_replay(out, r->verdict->evidence, style);
	}
	print_replay(out, r->evidence, style);
}
