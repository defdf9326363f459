/* A failure as a person reads it. */
#include "report/findings.h"

#include <stdlib.h>
#include <string.h>

#include "report/print.h"
#include "report/screen_text.h"
#include "report/stale_reads.h"
#include "report/symbol.h"
#include "format/enum_names.h"

#define OUTPUT_LINES 5
#define STACKS_SHOWN 16

static void print_stack(FILE *out, const struct board_result *r, const struct board_stack *s)
{
	struct frame frames[STACK_FRAMES];

	print_frames(out, frames, symbol_stack(r, s, frames, STACK_FRAMES));
}

/* "waits for mutex `a` (0x…) held by T2" */
static void print_state(FILE *out, const struct board_result *r, const struct board_stack *s)
{
	char state[sizeof s->state + 1], annotated[512];

	memcpy(state, s->state, sizeof s->state);
	state[sizeof s->state] = 0;
	symbol_annotate(r, state, annotated, sizeof annotated);
	fputs(annotated, out);
}

static const struct board_stack *stack_of(const struct board_result *r, uint32_t fiber)
{
	for (uint32_t i = 0; i < r->nstacks; i++)
		if (r->stacks[i].fiber == fiber)
			return &r->stacks[i];
	return NULL;
}

/* Each thread of the wait-for cycle once; a thread waits for the next one. */
static void print_cycle(FILE *out, const struct board_result *r)
{
	struct frame frames[STACK_FRAMES];
	const struct board_stack *s = NULL;
	uint32_t start = BOARD_NOBODY;

	for (uint32_t i = 0; i < r->nstacks && !s; i++)
		if (r->stacks[i].in_cycle)
			s = &r->stacks[i];
	for (uint32_t steps = 0; s && s->fiber != start && steps < r->nstacks; steps++) {
		if (!steps) {
			start = s->fiber;
			fputs("    cycle:\n", out);
		}
		fprintf(out, "      T%u ", s->fiber);
		const struct frame *f = symbol_own_frame(frames, symbol_stack(r, s, frames, STACK_FRAMES));
		if (f) {
			fputs("at ", out);
			print_place(out, f);
			fputc(' ', out);
		}
		print_state(out, r, s);
		fputc('\n', out);
		s = stack_of(r, s->waits_for);
	}
}

static void print_stacks(FILE *out, const struct board_result *r)
{
	bool all = r->ending == ENDING_DEADLOCK || r->ending == ENDING_LOOP || r->ending == ENDING_BUDGET ||
	           r->ending == ENDING_TIMEOUT || r->ending == ENDING_STOPPED;
	uint32_t shown = 0;

	for (uint32_t i = 0; i < r->nstacks && (all || !i); i++) {
		if (!r->stacks[i].depth && i)
			continue;
		if (shown++ == STACKS_SHOWN) {
			fprintf(out, "    … %u more threads\n", r->nstacks - i);
			return;
		}
		fprintf(out, "    T%u ", r->stacks[i].fiber);
		print_state(out, r, &r->stacks[i]);
		fputs(":\n", out);
		print_stack(out, r, &r->stacks[i]);
	}
}

/* `what`: what the thread did to the heap block. */
static void print_life(FILE *out, const struct board_result *r, const struct board_stack *s, const char *what)
{
	if (!s->depth)
		return;
	fprintf(out, "    T%u %s the block at:\n", s->fiber, what);
	print_stack(out, r, s);
}

/* Where the heap block of a memory error was freed and allocated. */
static void print_lives(FILE *out, const struct board_result *r)
{
	if (r->ending != ENDING_MEMORY)
		return;
	print_life(out, r, &r->freed, "freed");
	print_life(out, r, &r->allocation, "allocated");
}

static void print_choice(FILE *out, const struct board_result *r, const struct schedule_entry *s)
{
	struct frame f;

	if (s->kind == CHOICE_PICK)
		fprintf(out, "T%u takes possibility %u", s->from, s->chosen);
	else if (s->kind == CHOICE_WAKE)
		fprintf(out, "T%u wakes T%u", s->from, s->chosen);
	else if (s->kind == CHOICE_TIME)
		fprintf(out, "time passes for the threads that wait for it, T%u goes on", s->from);
	else
		fprintf(out, "T%u → T%u", s->from, s->chosen);
	if (symbol_where(r, s->where, &f) && (f.line || f.function[0])) {
		fputs(" at ", out);
		print_place(out, &f);
		if (f.function[0])
			fprintf(out, " in %s", f.function);
		if (f.operation)
			fprintf(out, " (%s)", f.operation);
	}
	if (s->blocked)
		fputs(", blocked", out);
	fputc('\n', out);
}

static void print_preemptions(FILE *out, const struct failure *f)
{
	uint64_t count = f->preemption_count, shown = count < SHOWN_PREEMPTIONS ? count : SHOWN_PREEMPTIONS;

	if (!count)
		return;
	fprintf(out, "    preemptions:\n");
	if (count > shown)
		fprintf(out, "      … %lu earlier\n", count - shown);
	for (uint64_t i = 0; i < shown; i++) {
		fputs("      ", out);
		print_choice(out, f->result, &f->preemptions[i]);
	}
}

static void print_line(FILE *out, const char *line, size_t length)
{
	fputs("      | ", out);
	print_safely(out, line, length < 160 ? length : 160);
	fputc('\n', out);
}

/* The last OUTPUT_LINES lines. */
static void print_output(FILE *out, const char *name, const struct bytes *b)
{
	const char *text = (const char *)b->data, *end = text + b->size, *start = end;

	if (!b->size)
		return;
	for (int lines = 0; start > text; start--)
		if (start[-1] == '\n' && start < end && ++lines == OUTPUT_LINES)
			break;
	fprintf(out, "    last of %s:\n", name);
	while (start < end) {
		const char *newline = memchr(start, '\n', (size_t)(end - start));
		const char *stop = newline ? newline : end;
		print_line(out, start, (size_t)(stop - start));
		start = stop + 1;
	}
}

/* The message without the kind of failure, which the report prints in front of it. */
static const char *message_of(const struct board_result *r)
{
	const char *kind = ending_name(r->ending);
	size_t length = strlen(kind);

	if (strncmp(r->message, kind, length) || strncmp(r->message + length, ": ", 2))
		return r->message;
	return r->message + length + 2;
}

/* What the failure is, where it is, and how many executions have it. */
static void print_failure_head(FILE *out, const struct report *r, size_t index, const struct style *style)
{
	const struct failure *f = r->failures[index];
	const struct board_result *result = f->result;
	struct frame frames[STACK_FRAMES];
	char message[1024];
	const struct frame *own = NULL;

	if (result->nstacks)
		own = symbol_own_frame(frames, symbol_stack(result, &result->stacks[0], frames, STACK_FRAMES));
	symbol_annotate(result, message_of(result), message, sizeof message);
	fprintf(out, "%s#%zu %s%s%s%s", style->strong, index + 1, style->bad, ending_name(result->ending), style->end,
	        f->before_main ? " before main" : "");
	if (message[0])
		fprintf(out, ": %s", message);
	if (own) {
		fprintf(out, " at %s", style->strong);
		print_place(out, own);
		fputs(style->end, out);
		if (own->function[0])
			fprintf(out, " in %s", own->function);
	}
	fprintf(out, "\n    %s", style->faint);
	if (r->executions > 1)
		fprintf(out, "%lu of %lu executions, this one: ", f->runs, r->executions);
	fprintf(out, "seed %lu, T%u, threads %lu, points %lu, switches %lu, preemptions %lu%s\n", result->seed,
	        result->fiber, result->threads, result->points, result->switches, result->preemptions, style->end);
}

/* What triage knows of the cause: the races that decide the failure, or that no race does. */
static void print_cause(FILE *out, const struct failure *f)
{
	for (size_t i = 0; i < f->nraces; i++)
		fprintf(out, "%s%s",
		        i                ? ", "
		        : f->nraces == 1 ? "    the order of its two accesses decides it: race "
		                         : "    the order of the two accesses decides it, in each of the races ",
		        f->races[i]->id);
	if (f->nraces)
		fputc('\n', out);
	else if (f->constant)
		fputs("    the recorded execution has it and continues after it, as do all others: no race decides "
		      "it\n",
		      out);
	else if (f->own)
		fputs("    it also comes when the accesses of all races keep the recorded order: no race decides it\n",
		      out);
	if (f->lost)
		fputs("    it was seen only where time passes in a way that no schedule can express: it cannot be "
		      "replayed\n",
		      out);
}

static void print_failure_replay(FILE *out, const struct failure *f, const struct style *style)
{
	if (f->evidence)
		fprintf(out, "    replay: %somen replay %s%s\n", style->strong, f->evidence, style->end);
}

void report_failure_text(FILE *out, const struct report *r, size_t index, bool colour)
{
	const struct style *style = colour ? &style_coloured : &style_plain;
	const struct failure *f = r->failures[index];
	const struct board_result *result = f->result;

	print_failure_head(out, r, index, style);
	print_cause(out, f);
	if (f->lost_entries)
		fprintf(out,
		        "    the schedule was too long to keep: %lu choices are missing, the replay will not reach the "
		        "end\n",
		        f->lost_entries);
	if (result->ending == ENDING_DEADLOCK)
		print_cycle(out, result);
	print_stacks(out, result);
	print_lives(out, result);
	print_preemptions(out, f);
	stale_reads_text(out, result, result->fiber, result->fiber);
	print_output(out, "stdout", &f->output[0]);
	print_output(out, "stderr", &f->output[1]);
	print_failure_replay(out, f, style);
}

void report_failure_screen(FILE *out, const struct report *r, size_t index, bool colour)
{
	const struct style *style = colour ? &style_coloured : &style_plain;
	const struct failure *f = r->failures[index];

	if (!f->nraces) {
		report_failure_text(out, r, index, colour);
		return;
	}
	char *text = NULL;
	size_t size = 0;
	FILE *screen = open_memstream(&text, &size);
	print_failure_head(screen, r, index, style);
	print_cause(screen, f);
	fclose(screen);
	print_folded(out, text);
	free(text);
	print_failure_replay(out, f, style);
}

void report_stack_text(FILE *out, const struct board_result *r) { print_stacks(out, r); }

void report_stop_text(FILE *out, const struct board_result *r, bool colour)
{
	const struct style *s = colour ? &style_coloured : &style_plain;

	fprintf(out, "%s%s%s\n", s->strong, r->message, s->end);
	print_stacks(out, r);
}

void report_schedule(FILE *out, const struct board_result *r, const struct schedule_entry *entries, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		fprintf(out, "%10lu  ", entries[i].point);
		print_choice(out, r, &entries[i]);
	}
}
