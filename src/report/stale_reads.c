#include "report/stale_reads.h"

#include <string.h>

#include "report/print.h"
#include "report/symbol.h"
#include "report/variable.h"

#define STALE_SHOWN 3

static uint64_t kept_count(const struct board_result *r) { return r->nstale < BOARD_STALE ? r->nstale : BOARD_STALE; }

/* The i-th from the end; 0 is the last one. */
static const struct board_stale *from_end(const struct board_result *r, uint64_t i)
{
	return &r->stale[(r->nstale - 1 - i) % BOARD_STALE];
}

static void print_at(FILE *out, const struct board_result *r, uint64_t site)
{
	struct frame f;

	if (!site || !symbol_site(r, site, &f))
		return;
	fputs(" at ", out);
	print_place(out, &f);
}

static uint64_t bytes_of(const struct board_stale *s, uint64_t value)
{
	return s->size < 8 ? value & ((1ul << 8 * s->size) - 1) : value;
}

static void print_value(FILE *out, uint64_t value) { fprintf(out, value < 1000000 ? "%lu" : "0x%lx", value); }

static void print_one(FILE *out, const struct board_result *r, const struct board_stale *s)
{
	struct variable v;
	uint64_t events = s->event - s->newer_event;

	fprintf(out, "      T%u read ", s->fiber);
	if (variable_at(r, s->address, s->size, &v))
		fprintf(out, "`%s` = ", v.name);
	else
		fprintf(out, "0x%lx = ", s->address);
	print_value(out, bytes_of(s, s->value));
	print_at(out, r, s->site);
	if (s->writer == BOARD_NOBODY) {
		fputs(", its first value", out);
	} else {
		fprintf(out, ", written by T%u", s->writer);
		print_at(out, r, s->write_site);
	}
	fputs(", although ", out);
	print_value(out, bytes_of(s, s->newer_value));
	fprintf(out, " was written by T%u", s->newer_writer);
	print_at(out, r, s->newer_site);
	fprintf(out, " %lu atomic operation%s before\n", events + 1, events ? "s" : "");
}

/* Whether one of the two threads made the load. */
static bool is_by(const struct board_stale *s, uint32_t thread, uint32_t other)
{
	return s->fiber == thread || s->fiber == other;
}

void stale_reads_text(FILE *out, const struct board_result *r, uint32_t thread, uint32_t other)
{
	const struct board_stale *shown[STALE_SHOWN];
	uint32_t n = 0;

	for (int theirs = 1; theirs >= 0 && !n; theirs--)
		for (uint64_t i = 0; i < kept_count(r) && n < STALE_SHOWN; i++)
			if (!theirs || is_by(from_end(r, i), thread, other))
				shown[n++] = from_end(r, i);
	if (n)
		fprintf(out, "    weak memory: %lu load%s saw an older store, the last ones:\n", r->nstale,
		        r->nstale == 1 ? "" : "s");
	while (n--)
		print_one(out, r, shown[n]);
	if (r->history_cut)
		fprintf(out, "    %lu store%s that loads could still see had to be forgotten (--history)\n",
		        r->history_cut, r->history_cut == 1 ? "" : "s");
}

static void write_place_of(struct json_writer *w, const struct board_result *r, uint64_t site)
{
	struct frame f;

	if (!site || !symbol_site(r, site, &f))
		return;
	json_string(w, "file", f.file);
	json_number(w, "line", f.line);
}

static void write_store(struct json_writer *w, const struct board_result *r, const char *key, uint32_t thread,
                        uint64_t value, uint64_t site)
{
	json_open(w, key, '{');
	if (thread != BOARD_NOBODY)
		json_number(w, "thread", thread);
	json_address(w, "value", value);
	write_place_of(w, r, site);
	json_close(w, '}');
}

void stale_reads_json(struct json_writer *w, const struct board_result *r)
{
	struct variable v;

	if (!r->nstale)
		return;
	json_open(w, "stale_reads", '[');
	for (uint64_t i = kept_count(r); i--;) {
		const struct board_stale *s = from_end(r, i);
		json_open(w, NULL, '{');
		json_number(w, "thread", s->fiber);
		json_address(w, "address", s->address);
		if (variable_at(r, s->address, s->size, &v))
			json_string(w, "variable", v.name);
		write_place_of(w, r, s->site);
		write_store(w, r, "saw", s->writer, bytes_of(s, s->value), s->write_site);
		write_store(w, r, "newest", s->newer_writer, bytes_of(s, s->newer_value), s->newer_site);
		json_number(w, "operations_between", s->event - s->newer_event);
		json_close(w, '}');
	}
	json_close(w, ']');
}
