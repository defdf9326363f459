#include "report/optimised.h"

#include <stdlib.h>

#include "report/race_list.h"

void optimised_free(struct optimised *o)
{
	if (o)
		free(o->evidence);
	free(o);
}

void optimised_text(FILE *out, const struct race *r)
{
	const struct optimised *o = r->optimised;

	if (!o)
		return;
	if (!o->found)
		fputs("    as optimised: this race is not there\n", out);
	else if (r->verdict && o->kind == r->verdict->kind)
		fputs("    as optimised: the same\n", out);
	else
		fprintf(out, "    as optimised: %s\n", verdict_name(o->kind));
	if (o->evidence && !(r->verdict && o->kind == r->verdict->kind))
		fprintf(out, "    as optimised, replay: omen replay %s\n", o->evidence);
}

void optimised_json(struct json_writer *w, const struct race *r)
{
	const struct optimised *o = r->optimised;

	if (!o)
		return;
	json_open(w, "as_optimised", '{');
	json_bool(w, "found", o->found);
	if (o->found) {
		json_string(w, "verdict", verdict_name(o->kind));
		json_bool(w, "same", r->verdict && o->kind == r->verdict->kind);
	}
	if (o->evidence)
		json_string(w, "alternate", o->evidence);
	json_close(w, '}');
}

void optimised_program_text(FILE *out, const struct optimised_program *p)
{
	if (!p)
		return;
	fprintf(out, "as optimised (%s): %zu race%s", p->program, p->races, p->races == 1 ? "" : "s");
	if (p->extra)
		fprintf(out, ", %zu of them not as written", p->extra);
	fprintf(out, ": omen report %s\n", p->data);
}

void optimised_program_json(struct json_writer *w, const struct optimised_program *p)
{
	if (!p)
		return;
	json_open(w, "as_optimised", '{');
	json_string(w, "program", p->program);
	json_string(w, "data", p->data);
	json_number(w, "races", p->races);
	json_number(w, "extra", p->extra);
	json_close(w, '}');
}
