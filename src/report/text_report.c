/* The report as a person reads it: races, failures, notices, outputs and a summary. */
#include "report/findings.h"

#include <string.h>

#include "report/print.h"
#include "report/verdict.h"
#include "format/enum_names.h"

#define RACES_SHOWN 50

static void print_count(FILE *out, size_t count, const char *one, const char *many)
{
	if (count)
		fprintf(out, "%zu %s", count, count == 1 ? one : many);
	else
		fprintf(out, "no %s", one);
}

#define OUTPUTS_SHOWN 40
#define OUTPUT_SHOWN  100 /* bytes of the first line */

/* Of each output how many executions wrote it, its first line, and a seed that shows it again. */
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
	        all->lost ? ", and more for which there was no room" : "");
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

/*
 * One screen for each cluster of races.  Returns how many races that covers, with those that are only counted in their
 * cluster.
 */
static size_t print_clusters(FILE *out, const struct report *r, bool colour)
{
	size_t covered = 0;

	for (size_t i = 0, shown = 0; i < r->race_count && shown < RACES_SHOWN; i++) {
		size_t others[VERDICTS] = {0};
		if (r->races[i]->cluster != r->races[i])
			continue;
		for (size_t k = 0; k < r->race_count; k++)
			if (k != i && r->races[k]->cluster == r->races[i]) {
				others[r->races[k]->verdict->kind]++;
				covered++;
			}
		report_race_screen(out, r->races[i], others, colour);
		fputc('\n', out);
		shown++;
		covered++;
	}
	return covered;
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
	size_t covered = r->classified ? print_clusters(out, r, colour) : print_races(out, r, colour);

	if (r->race_count > covered)
		fprintf(out, "… %zu more races%s%s%s\n\n", r->race_count - covered, r->data ? ": see " : "",
		        r->data ? r->data : "", r->data ? "/report.json" : "");
	if (r->races_lost)
		fprintf(out, "races were seen %lu more times, but there was no room to keep them\n\n", r->races_lost);
	for (size_t i = 0; i < r->count; i++) {
		report_failure_screen(out, r, i, colour);
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
