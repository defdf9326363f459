/* The report a person reads. */
#include "report/findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/interleaving.h"
#include "report/print.h"
#include "report/stale_reads.h"
#include "report/symbol.h"
#include "report/verdict.h"
#include "format/enum_names.h"

#define OUTPUT_LINES 5
#define STACKS_SHOWN 16
#define RACES_SHOWN  50
#define LONG_NAME    60

const struct style style_plain = {"", "", "", ""};
const struct style style_coloured = {"\033[1m", "\033[1;31m", "\033[2m", "\033[0m"};

void print_place(FILE *out, const struct frame *f)
{
	if (f->file[0] && f->line)
		fprintf(out, "%s:%u", f->file, f->line);
	else if (f->file[0])
		fprintf(out, "%s", f->file);
	else if (f->module[0] && f->function[0])
		fprintf(out, "%s", f->module);
	else if (f->module[0])
		fprintf(out, "%s+0x%lx", f->module, f->offset);
	else
		fprintf(out, "0x%lx", f->address);
}

#define SMALL 1000000

void value_format(uint64_t value, uint32_t size, char *out, size_t room)
{
	uint64_t bits = size < 8 ? value & ((1ul << 8 * size) - 1) : value;
	int64_t number = size == 4 ? (int32_t)bits : (int64_t)bits;

	if (bits < SMALL)
		snprintf(out, room, "%lu", bits);
	else if (size >= 4 && number < 0 && number > -SMALL)
		snprintf(out, room, "%ld", number);
	else
		snprintf(out, room, "0x%lx", bits);
}

/* Template arguments of a long name are left out: they hide the rest. */
static void print_function(FILE *out, const char *name)
{
	int depth = 0;

	if (strlen(name) <= LONG_NAME || strstr(name, "operator<") || strstr(name, "operator>") ||
	    strstr(name, "operator-")) {
		fputs(name[0] ? name : "?", out);
		return;
	}
	for (; *name; name++) {
		if (*name == '>' && !--depth)
			fputs("…", out);
		if (!depth)
			fputc(*name, out);
		if (*name == '<' && !depth++)
			continue;
	}
}

void print_frames(FILE *out, const struct frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "      #%-2zu ", i);
		print_function(out, frames[i].function);
		fputc(' ', out);
		fputs(frames[i].function[0] && frames[i].file[0] ? "at " : "in ", out);
		print_place(out, &frames[i]);
		fputc('\n', out);
	}
}

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

/* Each thread of the wait-for cycle once, in the order in which they wait for each other. */
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

static void print_life(FILE *out, const struct board_result *r, const struct board_stack *s, const char *what)
{
	if (!s->depth)
		return;
	fprintf(out, "    T%u %s the block at:\n", s->fiber, what);
	print_stack(out, r, s);
}

/* Where the memory of a memory error came from, and went. */
static void print_lives(FILE *out, const struct board_result *r)
{
	if (r->ending != ENDING_MEMORY)
		return;
	print_life(out, r, &r->freed, "freed");
	print_life(out, r, &r->allocation, "made");
}

static void print_choice(FILE *out, const struct board_result *r, const struct schedule_entry *s)
{
	struct frame f;

	if (s->kind == CHOICE_PICK)
		fprintf(out, "T%u takes possibility %u", s->from, s->chosen);
	else if (s->kind == CHOICE_WAKE)
		fprintf(out, "T%u wakes T%u", s->from, s->chosen);
	else if (s->kind == CHOICE_TIME)
		fprintf(out, "time passes for who waits for it, T%u goes on", s->from);
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

/* What the program printed must not steer the terminal of who reads the report. */
static void print_safely(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		fputc((unsigned char)text[i] < 0x20 && text[i] != '\t' ? '?' : text[i], out);
}

static void print_line(FILE *out, const char *line, size_t length)
{
	fputs("      | ", out);
	print_safely(out, line, length < 160 ? length : 160);
	fputc('\n', out);
}

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

/* The message without the kind, which stands before it anyway. */
static const char *message_of(const struct board_result *r)
{
	const char *kind = ending_name(r->ending);
	size_t length = strlen(kind);

	if (strncmp(r->message, kind, length) || strncmp(r->message + length, ": ", 2))
		return r->message;
	return r->message + length + 2;
}

/* What it is, where, and how often it was seen. */
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

/* Whose doing it is, of what triage has found. */
static void print_blame(FILE *out, const struct failure *f)
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
		fputs("    the recorded execution has it and goes on behind it, and so do the others: no race decides "
		      "it\n",
		      out);
	else if (f->own)
		fputs("    it comes with the accesses of all races in the recorded order, too: none of them decides "
		      "it\n",
		      out);
	if (f->lost)
		fputs("    it was seen only where time passes as no schedule can say: it cannot be replayed\n", out);
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
	print_blame(out, f);
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
	print_stale(out, result, result->fiber, result->fiber);
	print_output(out, "stdout", &f->output[0]);
	print_output(out, "stderr", &f->output[1]);
	print_failure_replay(out, f, style);
}

/* What a race does has been told with the race. */
static void print_failure(FILE *out, const struct report *r, size_t index, bool colour)
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
	print_blame(screen, f);
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

static void print_count(FILE *out, size_t count, const char *one, const char *many)
{
	if (count)
		fprintf(out, "%zu %s", count, count == 1 ? one : many);
	else
		fprintf(out, "no %s", one);
}

#define OUTPUTS_SHOWN 40
#define OUTPUT_SHOWN  100 /* of its first line */

/* How often, the first line, and a seed to see it again. */
static void print_outputs(FILE *out, const struct outputs *all, size_t most)
{
	for (size_t i = 0; i < all->count && i < most; i++) {
		const struct output *o = &all->list[i];
		const char *text = o->text.size ? (const char *)o->text.data : "";
		const char *newline = o->text.size ? memchr(text, '\n', o->text.size) : NULL;
		size_t length = newline ? (size_t)(newline - text) : o->text.size;
		size_t shown = length < OUTPUT_SHOWN ? length : OUTPUT_SHOWN;
		fprintf(out, "%10lu  ", o->count);
		print_safely(out, text, shown);
		fprintf(out, "%s  (seed %lu)\n", shown + !!newline < o->text.size ? " …" : "", o->seed);
	}
	if (all->count > most)
		fprintf(out, "            … %zu more (--outputs=all shows them)\n", all->count - most);
	fprintf(out, "%zu different output%s%s\n\n", all->count, all->count == 1 ? "" : "s",
	        all->lost ? ", and some that there was no room for" : "");
}

static void print_verdicts(FILE *out, const struct report *r)
{
	size_t counts[VERDICTS] = {0};

	for (size_t i = 0; i < r->race_count; i++)
		counts[r->races[i]->verdict->kind]++;
	for (int k = VERDICTS - 1; k >= 0; k--)
		if (counts[k])
			fprintf(out, " · %zu %s", counts[k], verdict_words(k));
}

static void print_summary(FILE *out, const struct report *r)
{
	char strategy[32];

	strategy_format(&r->strategy, strategy, sizeof strategy);
	if (r->detect) {
		print_count(out, r->race_count, "race", "races");
		if (r->classified)
			print_verdicts(out, r);
		if (r->suppressed)
			fprintf(out, " (%zu suppressed)", r->suppressed);
		fputs(", ", out);
	}
	if (r->count)
		print_count(out, r->count, "distinct failure", "distinct failures");
	else
		fputs("no failure", out);
	if (r->notices && r->notices->count)
		fprintf(out, ", %zu notice%s", r->notices->count, r->notices->count == 1 ? "" : "s");
	fprintf(out, " in %lu execution%s (%s%s, seed %lu)", r->executions, r->executions == 1 ? "" : "s", strategy,
	        r->memory.model == MEMORY_C11 ? ", weak memory" : "", r->seed);
	if (r->seconds > 0 && r->executions > 1)
		fprintf(out, " · %.0f/s", (double)r->executions / r->seconds);
	fputs(r->interrupted ? " · interrupted\n" : "\n", out);
	if (r->classified && r->race_count && r->data)
		fprintf(out, "every race with its stacks: omen report %s\n", r->data);
}

/* Races that stand for themselves, each on a screen. Returns how many have been told of, with what they stand for. */
static size_t print_screens(FILE *out, const struct report *r, bool colour)
{
	size_t told = 0;

	for (size_t i = 0, shown = 0; i < r->race_count && shown < RACES_SHOWN; i++) {
		size_t others[VERDICTS] = {0};
		if (r->races[i]->cluster != r->races[i])
			continue;
		for (size_t k = 0; k < r->race_count; k++)
			if (k != i && r->races[k]->cluster == r->races[i]) {
				others[r->races[k]->verdict->kind]++;
				told++;
			}
		report_race_screen(out, r->races[i], others, colour);
		fputc('\n', out);
		shown++;
		told++;
	}
	return told;
}

static size_t print_races(FILE *out, const struct report *r, bool colour)
{
	size_t i = 0;

	for (; i < r->race_count && i < RACES_SHOWN; i++) {
		report_race_text(out, r->races[i], colour);
		fputc('\n', out);
	}
	return i;
}

void report_text(FILE *out, const struct report *r, bool colour)
{
	size_t told = r->classified ? print_screens(out, r, colour) : print_races(out, r, colour);

	if (r->race_count > told)
		fprintf(out, "… %zu more races%s%s%s\n\n", r->race_count - told, r->data ? ": see " : "",
		        r->data ? r->data : "", r->data ? "/report.json" : "");
	if (r->races_lost)
		fprintf(out, "races were seen %lu more times that are not told: there was no room for all of them\n\n",
		        r->races_lost);
	for (size_t i = 0; i < r->count; i++) {
		print_failure(out, r, i, colour);
		fputc('\n', out);
	}
	if (r->notices)
		notices_text(out, r->notices);
	if (r->outputs)
		print_outputs(out, r->outputs, r->all_outputs ? SIZE_MAX : OUTPUTS_SHOWN);
	interleavings_text(out, &r->interleavings);
	optimised_program_text(out, r->optimised);
	print_summary(out, r);
}
