#include "report/interleavings.h"

#include <stdlib.h>

#include "format/enum_names.h"

#define OUTPUT_SHOWN 4096

void interleavings_free(struct interleavings *x)
{
	for (size_t i = 0; i < x->noutcomes; i++)
		for (int k = 0; k < 2; k++)
			bytes_free(&x->outcomes[i].output[k]);
	free(x->outcomes);
	free(x->orders.list);
	*x = (struct interleavings){0};
}

/* The violations that all of them have and continue after, as bits. */
static uint64_t tolerated_by_all(const struct interleavings *x)
{
	uint64_t common = x->noutcomes ? UINT64_MAX : 0;

	for (size_t i = 0; i < x->noutcomes; i++)
		common &= x->outcomes[i].tolerated;
	return common;
}

static bool has_ended_well(const struct interleavings *x, const struct outcome *o)
{
	return (o->ending == ENDING_EXIT || o->ending == ENDING_STATUS) && !(o->tolerated & ~tolerated_by_all(x));
}

bool interleavings_agree(const struct interleavings *x)
{
	return x->complete && x->noutcomes == 1 && has_ended_well(x, &x->outcomes[0]);
}

void interleavings_text(FILE *out, const struct interleavings *x)
{
	uint64_t failed = 0;
	size_t printed = 0;

	if (x->fault)
		fprintf(out, "%s; please report it\n", x->why);
	if (!x->complete)
		return;
	for (size_t i = 0; i < x->noutcomes; i++) {
		printed += has_ended_well(x, &x->outcomes[i]);
		failed += has_ended_well(x, &x->outcomes[i]) ? 0 : x->outcomes[i].count;
	}
	int always = __builtin_popcountl(tolerated_by_all(x));
	fprintf(out, "all %lu interleavings of this input were executed", x->count);
	if (always)
		fprintf(out, ", after %d failure%s that each of them has", always, always > 1 ? "s" : "");
	fputs(": ", out);
	if (failed)
		fprintf(out, "%lu fail%s", failed, printed ? ", " : "");
	if (printed == 1)
		fprintf(out, "%s the same output and status", failed ? "the others have" : "all have");
	else if (printed)
		fprintf(out, "%s%zu different outputs or statuses", failed ? "the others have " : "", printed);
	fputc('\n', out);
}

void interleavings_json(struct json_writer *w, const struct interleavings *x)
{
	json_bool(w, "exhaustive", x->complete);
	if (!x->complete && x->why[0])
		json_string(w, "not_exhaustive", x->why);
	if (!x->complete)
		return;
	json_number(w, "interleavings", x->count);
	json_number(w, "failures_of_all", (uint32_t)__builtin_popcountl(tolerated_by_all(x)));
	json_open(w, "outcomes", '[');
	for (size_t i = 0; i < x->noutcomes; i++) {
		const struct outcome *o = &x->outcomes[i];
		size_t size = o->output[0].size < OUTPUT_SHOWN ? o->output[0].size : OUTPUT_SHOWN;
		json_open(w, NULL, '{');
		json_string(w, "ending", ending_name(o->ending));
		json_number(w, "status", (uint32_t)o->status);
		json_number(w, "interleavings", o->count);
		json_bytes(w, "output", (const char *)o->output[0].data, size);
		json_close(w, '}');
	}
	json_close(w, ']');
}
