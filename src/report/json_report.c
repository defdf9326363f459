/* The report for programs: report.json, and what `--format json` prints.  Other programs depend on its keys. */
#include "format/json.h"

#include <stdlib.h>
#include <string.h>

#include "report/findings.h"
#include "report/stale_reads.h"
#include "report/interleaving_picture.h"
#include "report/raced_memory.h"
#include "report/symbol.h"
#include "report/variable.h"
#include "report/verdict.h"
#include "abi/hooks.h"
#include "format/enum_names.h"

#define OUTPUT_KEPT 4096

void report_place_json(struct json_writer *w, const struct frame *f)
{
	if (f->file[0])
		json_string(w, "file", f->file);
	if (f->line)
		json_number(w, "line", f->line);
	if (f->column)
		json_number(w, "column", f->column);
	if (f->function[0])
		json_string(w, "function", f->function);
}

void report_frames_json(struct json_writer *w, const struct frame *frames, size_t count)
{
	json_open(w, "stack", '[');
	for (size_t i = 0; i < count; i++) {
		json_open(w, NULL, '{');
		report_place_json(w, &frames[i]);
		if (frames[i].module[0])
			json_string(w, "module", frames[i].module);
		json_address(w, "address", frames[i].address);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void write_threads(struct json_writer *w, const struct board_result *r)
{
	struct frame frames[STACK_FRAMES];
	char state[sizeof r->stacks[0].state + 1], annotated[512];

	json_open(w, "threads", '[');
	for (uint32_t i = 0; i < r->nstacks; i++) {
		const struct board_stack *s = &r->stacks[i];
		memcpy(state, s->state, sizeof s->state);
		state[sizeof s->state] = 0;
		symbol_annotate(r, state, annotated, sizeof annotated);
		json_open(w, NULL, '{');
		json_number(w, "thread", s->fiber);
		json_string(w, "state", annotated);
		if (s->waits_for != BOARD_NOBODY)
			json_number(w, "waits_for", s->waits_for);
		json_bool(w, "in_cycle", s->in_cycle);
		report_frames_json(w, frames, symbol_stack(r, s, frames, STACK_FRAMES));
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void write_preemptions(struct json_writer *w, const struct failure *f)
{
	uint64_t shown = f->preemption_count < SHOWN_PREEMPTIONS ? f->preemption_count : SHOWN_PREEMPTIONS;
	struct frame frame;

	json_open(w, "last_preemptions", '[');
	for (uint64_t i = 0; i < shown; i++) {
		json_open(w, NULL, '{');
		json_number(w, "point", f->preemptions[i].point);
		json_number(w, "from", f->preemptions[i].from);
		json_number(w, "to", f->preemptions[i].chosen);
		if (symbol_where(f->result, f->preemptions[i].where, &frame)) {
			report_place_json(w, &frame);
			if (frame.operation)
				json_string(w, "operation", frame.operation);
		}
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void write_output(struct json_writer *w, const char *key, const struct bytes *b)
{
	size_t size = b->size < OUTPUT_KEPT ? b->size : OUTPUT_KEPT;

	if (b->size)
		json_bytes(w, key, (const char *)b->data + b->size - size, size);
}

static void write_life(struct json_writer *w, const char *key, const struct board_result *r,
                       const struct board_stack *s)
{
	struct frame frames[STACK_FRAMES];

	if (r->ending != ENDING_MEMORY || !s->depth)
		return;
	json_open(w, key, '{');
	json_number(w, "thread", s->fiber);
	report_frames_json(w, frames, symbol_stack(r, s, frames, STACK_FRAMES));
	json_close(w, '}');
}

/* The races that decide the failure. */
static void write_races_of(struct json_writer *w, const struct failure *f)
{
	if (!f->nraces)
		return;
	json_open(w, "races", '[');
	for (size_t i = 0; i < f->nraces; i++)
		json_string(w, NULL, f->races[i]->id);
	json_close(w, ']');
}

static void write_failure(struct json_writer *w, const struct failure *f)
{
	const struct board_result *r = f->result;
	struct frame frames[STACK_FRAMES];
	char message[1024];
	size_t n = r->nstacks ? symbol_stack(r, &r->stacks[0], frames, STACK_FRAMES) : 0;
	const struct frame *own = symbol_own_frame(frames, n);

	symbol_annotate(r, r->message, message, sizeof message);
	json_open(w, NULL, '{');
	json_string(w, "kind", ending_name(r->ending));
	json_string(w, "message", message);
	if (own)
		report_place_json(w, own);
	report_frames_json(w, frames, n);
	write_races_of(w, f);
	json_number(w, "runs", f->runs);
	json_number(w, "seed", r->seed);
	json_number(w, "first_seed", f->first_seed);
	json_number(w, "thread", r->fiber);
	json_number(w, "status", (uint32_t)r->status);
	json_address(w, "signature", r->signature);
	json_bool(w, "before_main", f->before_main);
	json_number(w, "points", r->points);
	json_number(w, "switches", r->switches);
	json_number(w, "preemptions", r->preemptions);
	write_preemptions(w, f);
	write_life(w, "allocation", r, &r->allocation);
	write_life(w, "freed", r, &r->freed);
	stale_reads_json(w, r);
	write_threads(w, r);
	write_output(w, "stdout", &f->output[0]);
	write_output(w, "stderr", &f->output[1]);
	if (f->evidence)
		json_string(w, "evidence", f->evidence);
	json_close(w, '}');
}

static void write_locks(struct json_writer *w, const struct race *r, const struct board_access *a)
{
	char name[192];

	json_open(w, "locks", '[');
	for (uint32_t i = 0; i < a->nlocks; i++) {
		json_open(w, NULL, '{');
		if (lock_name(r->execution->result, a->lock[i], name, sizeof name))
			json_string(w, "name", name);
		json_address(w, "address", a->lock[i]);
		json_close(w, '}');
	}
	json_close(w, ']');
}

void report_access_json(struct json_writer *w, const struct race *r, int access)
{
	const struct board_access *a = &r->seen.access[access];
	struct frame frames[STACK_FRAMES], place;

	json_number(w, "thread", a->stack.fiber);
	json_string(w, "kind", access_kind(a->flags));
	json_bool(w, "atomic", a->flags & ACCESS_ATOMIC);
	if (a->size)
		json_number(w, "size", a->size);
	if (a->address)
		json_address(w, "address", a->address);
	if (a->flags & ACCESS_HAS_VALUE)
		json_address(w, "value", a->value);
	if (race_place(r, access, &place))
		report_place_json(w, &place);
	report_frames_json(w, frames, race_stack(r, access, frames, STACK_FRAMES));
	write_locks(w, r, a);
}

static void write_access(struct json_writer *w, const struct race *r, int access)
{
	json_open(w, NULL, '{');
	report_access_json(w, r, access);
	json_close(w, '}');
}

static void write_stack(struct json_writer *w, const struct board_result *r, const struct board_stack *s)
{
	struct frame frames[STACK_FRAMES];

	report_frames_json(w, frames, s->depth ? symbol_stack(r, s, frames, STACK_FRAMES) : 0);
}

/* Where the two threads were created. */
static void write_creations(struct json_writer *w, const struct race *r)
{
	json_open(w, "threads", '[');
	for (int i = 0; i < 2; i++) {
		uint32_t fiber = r->seen.access[i].stack.fiber;
		const struct board_thread *t = race_thread(r, fiber);
		if (!t || (i && fiber == r->seen.access[0].stack.fiber))
			continue;
		json_open(w, NULL, '{');
		json_number(w, "thread", fiber);
		json_number(w, "created_by", t->creator);
		write_stack(w, r->execution->result, &t->created);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void write_block(struct json_writer *w, const struct race *r)
{
	if (!r->seen.explained || !r->seen.block)
		return;
	json_open(w, "allocation", '{');
	json_address(w, "address", r->seen.block);
	json_number(w, "size", r->seen.block_size);
	json_number(w, "thread", r->seen.block_fiber);
	write_stack(w, r->execution->result, &r->seen.allocation);
	json_close(w, '}');
}

static void write_consequence(struct json_writer *w, const struct board_result *r)
{
	struct frame frames[STACK_FRAMES];
	size_t n = r->nstacks ? symbol_stack(r, &r->stacks[0], frames, STACK_FRAMES) : 0;
	const struct frame *own = symbol_own_frame(frames, n);

	json_open(w, "consequence", '{');
	json_string(w, "kind", consequence_name(r->ending));
	json_string(w, "message", r->message);
	if (own)
		report_place_json(w, own);
	report_frames_json(w, frames, n);
	json_close(w, '}');
}

/* How the output was written: by a "call" that put it into a buffer, by the "write" itself, or as a file's "name". */
static void write_writer(struct json_writer *w, const struct race *r, const struct difference *d)
{
	static const char *const how[] = {"", "call", "write", "name"};
	struct frame frames[STACK_FRAMES];

	if (!d->place || d->place >= sizeof how / sizeof *how)
		return;
	size_t n = symbol_access_stack(r->execution->result, &d->stack, frames, STACK_FRAMES);
	const struct frame *own = symbol_own_frame(frames, n);
	json_open(w, "at", '{');
	if (own && own->line)
		report_place_json(w, own);
	json_string(w, "how", how[d->place]);
	json_string(w, "order", d->primary ? "primary" : "alternate");
	json_number(w, "thread", d->stack.fiber);
	report_frames_json(w, frames, n);
	json_close(w, '}');
}

/* "00 01 ff", because a string cannot show all bytes. */
static void write_hex(struct json_writer *w, const char *key, const struct bytes *b)
{
	char *text = must_alloc(3 * b->size + 1);

	for (size_t i = 0; i < b->size; i++)
		sprintf(text + 3 * i, i + 1 < b->size ? "%02x " : "%02x", b->data[i]);
	json_string(w, key, text);
	free(text);
}

static void write_difference(struct json_writer *w, const struct race *r)
{
	const struct difference *d = &r->verdict->difference;

	json_open(w, "output_diff", '{');
	if (d->status)
		json_bool(w, "status", true);
	if (d->descriptor)
		json_number(w, "descriptor", (uint64_t)d->descriptor);
	if (d->stream) {
		json_string(w, "stream", d->stream);
		json_number(w, "offset", d->offset);
	}
	for (int i = 0; i < 2; i++)
		if (!d->missing[i])
			json_bytes(w, i ? "alternate" : "primary", (const char *)d->output[i].data, d->output[i].size);
	if (d->binary) {
		json_open(w, "hex", '{');
		json_number(w, "from", d->first);
		for (int i = 0; i < 2; i++)
			if (!d->missing[i])
				write_hex(w, i ? "alternate" : "primary", &d->output[i]);
		json_close(w, '}');
	}
	write_writer(w, r, d);
	json_close(w, '}');
}

/* Of the alternate before and after it was reduced. */
static void write_effort(struct json_writer *w, const char *key, uint64_t before, uint64_t after)
{
	json_open(w, key, '{');
	json_number(w, "before", before);
	json_number(w, "after", after);
	json_close(w, '}');
}

static void write_verdict(struct json_writer *w, const struct race *r)
{
	static const char *const states[] = {"unknown", "equal", "differ"};
	const struct verdict *v = r->verdict;

	json_string(w, "verdict", verdict_name(v->kind));
	if (v->why[0])
		json_string(w, "why", v->why);
	json_number(w, "k", v->k);
	if (v->interleavings)
		json_number(w, "interleavings", v->interleavings);
	json_string(w, "states", states[v->states]);
	if (v->adhoc)
		json_string(w, "adhoc", v->adhoc);
	if (v->timed)
		json_bool(w, "times_ignored", true);
	if (v->varies)
		json_bool(w, "varying_ignored", true);
	if (v->rounds)
		json_bool(w, "rounds", true);
	if (v->pattern)
		json_string(w, "pattern", pattern_name(v->pattern));
	if (v->by_budget)
		json_bool(w, "budget", true);
	if (v->invented)
		json_number(w, "invented", v->invented);
	if (v->replay)
		json_string(w, "method_replay", v->replay);
	if (v->kind == VERDICT_SPEC && v->alternate)
		write_consequence(w, v->alternate->result);
	if (v->kind == VERDICT_OUTPUT)
		write_difference(w, r);
	if (v->alternate) {
		const struct board_result *a = v->alternate->result;
		write_effort(w, "switches", v->found.switches, a->switches);
		write_effort(w, "preemptions", v->found.preemptions, a->preemptions);
		interleaving_json(w, r);
	}
	if (v->evidence)
		json_string(w, "alternate", v->evidence);
}

static void write_race(struct json_writer *w, const struct race *r, const char *found_by)
{
	struct raced_memory m;

	raced_memory_of(r, &m);
	json_open(w, NULL, '{');
	json_string(w, "id", r->id);
	json_string(w, "found_by", r->found_by ? r->found_by : found_by);
	if (r->cluster)
		json_string(w, "cluster", r->cluster->id);
	if (r->verdict)
		write_verdict(w, r);
	optimised_json(w, r);
	if (m.name[0])
		json_string(w, "variable", m.name);
	if (m.what[0])
		json_string(w, "memory", m.what);
	json_address(w, "address", r->seen.address);
	json_number(w, "instances", r->instances);
	if (r->executions)
		json_number(w, "executions", r->executions);
	json_number(w, "seed", r->seen.seed);
	json_bool(w, "explained", r->seen.explained);
	if (!r->seen.explained && r->execution->trouble)
		json_string(w, "unexplained", r->execution->trouble);
	json_bool(w, "hidden", r->seen.hidden);
	json_open(w, "accesses", '[');
	write_access(w, r, 0);
	write_access(w, r, 1);
	json_close(w, ']');
	write_creations(w, r);
	stale_reads_json(w, r->execution->result);
	write_block(w, r);
	if (r->evidence)
		json_string(w, "evidence", r->evidence);
	json_close(w, '}');
}

static void write_outputs(struct json_writer *w, const struct outputs *all)
{
	json_open(w, "outputs", '[');
	for (size_t i = 0; i < all->count; i++) {
		const struct output *o = &all->list[i];
		json_open(w, NULL, '{');
		json_number(w, "executions", o->count);
		json_number(w, "seed", o->seed);
		json_bytes(w, "text", (const char *)o->text.data, o->text.size);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_number(w, "outputs_lost", all->lost);
}

void report_json(FILE *out, const struct report *r)
{
	struct json_writer w = {.out = out};
	char strategy[32];

	strategy_format(&r->strategy, strategy, sizeof strategy);
	json_open(&w, NULL, '{');
	json_string(&w, "omen", OMEN_VERSION);
	json_string(&w, "program", r->program);
	json_string(&w, "memory_model", memory_models[r->memory.model]);
	json_open(&w, "races", '[');
	for (size_t i = 0; i < r->race_count; i++)
		write_race(&w, r->races[i], r->found_by);
	json_close(&w, ']');
	json_open(&w, "failures", '[');
	for (size_t i = 0; i < r->count; i++)
		write_failure(&w, r->failures[i]);
	json_close(&w, ']');
	if (r->notices)
		notices_json(&w, r->notices);
	if (r->outputs)
		write_outputs(&w, r->outputs);
	if (r->classified)
		interleavings_json(&w, &r->interleavings);
	optimised_program_json(&w, r->optimised);
	json_open(&w, "stats", '{');
	json_number(&w, "executions", r->executions);
	if (r->forks)
		json_number(&w, "forks", r->forks);
	if (r->fork_reason && *r->fork_reason)
		json_string(&w, "fork_reason", r->fork_reason);
	json_real(&w, "seconds", r->seconds);
	json_string(&w, "strategy", strategy);
	json_number(&w, "seed", r->seed);
	json_number(&w, "jobs", r->jobs);
	json_bool(&w, "interrupted", r->interrupted);
	json_bool(&w, "detect", r->detect);
	json_number(&w, "suppressed", r->suppressed);
	json_number(&w, "races_lost", r->races_lost);
	json_close(&w, '}');
	json_close(&w, '}');
}
