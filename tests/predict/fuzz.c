/*
 * fuzz COUNT SEED FILE...: makes COUNT damaged copies of traces, reads each and, if it is still a trace, runs the
 * tiers on it. Build it with AddressSanitizer and UBSan. An error in a trace must give one line with the line's
 * number.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predict/linear_witness.h"
#include "predict/tier_maximal.h"
#include "predict/tiers.h"
#include "predict/std_format.h"
#include "format/file.h"

#define SIZE_MOST (256ul << 10)
#define PATIENCE  20 /* seconds for one trace */

void __sanitizer_set_death_callback(void (*callback)(void));

static uint64_t state, current;

static uint64_t below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return n ? (state >> 11) % n : 0;
}

static void say_which(void) { fprintf(stderr, "fuzz: this was seed %lu\n", current); }

static void out_of_time(int signal)
{
	(void)signal;
	fprintf(stderr, "fuzz: seed %lu takes too long\n", current);
	_exit(99);
}

/* Damage. */

static const char *const words[] = {"T0",
                                    "T1",
                                    "T2",
                                    "T3",
                                    "x",
                                    "l",
                                    "r",
                                    "w",
                                    "ar",
                                    "aw",
                                    "rmw",
                                    "cas",
                                    "casf",
                                    "acq",
                                    "rel",
                                    "racq",
                                    "rrel",
                                    "wait",
                                    "wake",
                                    "fork",
                                    "join",
                                    "begin",
                                    "end",
                                    "branch",
                                    "post",
                                    "take",
                                    "arrive",
                                    "leave",
                                    "once",
                                    "notify",
                                    "notifyall",
                                    "|",
                                    "(",
                                    ")",
                                    "=",
                                    "*",
                                    ":",
                                    ",",
                                    "\n",
                                    "# branches\n",
                                    "r(x=1)",
                                    "w*(x=2)",
                                    "w+(x=2)",
                                    "r-(x=2)",
                                    "r*-(x)",
                                    "pin()",
                                    "wait(c,l)",
                                    "wake(c,l)",
                                    "\r\n",
                                    "||",
                                    "((",
                                    "",
                                    "\xff",
                                    "\x01",
                                    "18446744073709551616",
                                    "-1",
                                    "T0|acq(l)|1\n",
                                    "T1|rel(l)|1\n",
                                    "%s%n",
                                    "é"};

static void replace(struct bytes *b, size_t at, size_t gone, const void *with, size_t size)
{
	struct bytes new = {0};

	/* Never returns NULL, even for an empty text. */
	bytes_add(&new, "\n", 1);
	new.size = 0;
	bytes_add(&new, b->data, at);
	bytes_add(&new, with, size);
	bytes_add(&new, b->data + at + gone, b->size - at - gone);
	bytes_free(b);
	*b = new;
}

/* A random line: where it starts, and its size with its end. */
static size_t some_line(const struct bytes *b, size_t *size)
{
	size_t at = below(b->size), end = at;

	while (at && b->data[at - 1] != '\n')
		at--;
	while (end < b->size && b->data[end++] != '\n')
		;
	*size = end - at;
	return at;
}

/* A random word of letters and digits. */
static size_t some_word(const struct bytes *b, size_t *size)
{
	size_t at = below(b->size), end = at;

	while (at && !strchr("|()=:,*\n", b->data[at - 1]))
		at--;
	while (end < b->size && !strchr("|()=:,*\n", b->data[end]))
		end++;
	*size = end - at;
	return at;
}

static void damage(struct bytes *b)
{
	const char *word = words[below(sizeof words / sizeof words[0])];
	size_t size, other, from;
	struct bytes copy = {0};

	if (!b->size)
		bytes_add(b, "\n", 1);
	size_t at = some_line(b, &size);

	switch (below(9)) {
	case 0: /* a byte */
		b->data[below(b->size)] = (uint8_t)below(256);
		break;
	case 1: /* a line is deleted */
		replace(b, at, size, "", 0);
		break;
	case 2: /* a line is copied to another place */
	case 3: /* or moved there */
		bytes_add(&copy, b->data + at, size);
		if (below(2))
			replace(b, at, size, "", 0);
		from = b->size ? some_line(b, &other) : b->size;
		replace(b, from, 0, copy.data, copy.size);
		break;
	case 4: /* cut off */
		b->size = below(b->size + 1);
		break;
	case 5: /* a word replaces another */
	case 6:
		from = some_word(b, &other);
		replace(b, from, other, word, strlen(word));
		break;
	case 7: /* a word is inserted anywhere */
		replace(b, below(b->size + 1), 0, word, strlen(word));
		break;
	default: /* all of it is repeated many times, or gets a very long word */
		if (below(20))
			break;
		bytes_add(&copy, b->data, b->size);
		while (copy.size && b->size + copy.size < SIZE_MOST)
			bytes_add(b, copy.data, copy.size);
		if (below(2))
			for (size_t i = 0; i < b->size; i++)
				b->data[i] = b->data[i] == '\n' ? 'n' : b->data[i];
	}
	bytes_free(&copy);
}

/* What is done with the copy. */

static bool told_well(const struct error *e)
{
	return !strncmp(e->text, "trace: line ", 12) && !strpbrk(e->text, "\n\r") &&
	       strlen(e->text) < sizeof e->text - 1;
}

/* Each race that is found passes its check; how much is decided in the time does not matter. */
static void run_maximal(const struct trace *t, struct pairs *pairs)
{
	struct maximal_options options = {.window = below(2) ? 200 : 2 + (uint32_t)below(20), .seconds = 1};
	struct maximal_result r;

	predict_maximal(t, pairs, &options, &r);
	if (r.broken) {
		fprintf(stderr, "fuzz: seed %lu: %s\n", current, r.first_broken);
		exit(1);
	}
	maximal_result_free(&r);
}

static void run_tiers(const struct trace *t)
{
	struct pairs pairs = {0};
	struct sections s;

	predict_happens_before(t, &pairs);
	predict_sync_preserving(t, &pairs);
	sections_build(&s, t);
	for (size_t i = 0; i < pairs.count && i < 20; i++)
		witness_shortest(&s, &pairs.list[i]);
	sections_free(&s);
	run_maximal(t, &pairs);
	pairs_free(&pairs);
}

/* Whether the copy is still a trace. */
static bool run(const struct bytes *b)
{
	FILE *in = fmemopen(b->size ? b->data : (uint8_t *)"\n", b->size ? b->size : 1, "r");
	struct trace t;
	struct error e, warning;
	bool ok = std_read(in, "trace", &t, &warning, &e);

	fclose(in);
	if (ok) {
		run_tiers(&t);
		trace_free(&t);
	} else if (!told_well(&e)) {
		fprintf(stderr, "fuzz: seed %lu: %s\n", current, e.text);
		exit(1);
	}
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 3 ? strtoull(argv[1], NULL, 10) : 0, seed = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t files = argc > 3 ? (uint64_t)argc - 3 : 0, traces = 0;
	struct bytes *originals = must_alloc((files + 1) * sizeof *originals);
	struct error e;

	for (uint64_t i = 0; i < files; i++)
		if (!file_read(argv[3 + i], SIZE_MOST, &originals[i], &e)) {
			fprintf(stderr, "fuzz: %s\n", e.text);
			return 2;
		}
	__sanitizer_set_death_callback(say_which);
	signal(SIGALRM, out_of_time);
	for (current = seed; files && current < seed + count; current++) {
		struct bytes b = {0};
		state = current * 0x9e3779b97f4a7c15 + 1;
		below(2);
		const struct bytes *o = &originals[below(files)];
		bytes_add(&b, o->data, o->size);
		for (uint64_t n = below(6); n; n--)
			damage(&b);
		alarm(PATIENCE);
		traces += run(&b);
		bytes_free(&b);
	}
	alarm(0);
	printf("%lu damaged traces, %lu of them still traces\n", count, traces);
	for (uint64_t i = 0; i < files; i++)
		bytes_free(&originals[i]);
	free(originals);
	return !count || traces == count || !traces;
}
