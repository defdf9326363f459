/*
 * brute MODE: reads small traces in STD from standard input, separated by a line "---", and prints for each the
 * pairs of places that race, one on a line and sorted, with the same separator.
 *
 * MODE: max  tries every reordering that every program with this trace allows (docs/design.md, "Prediction")
 *       sp   tries every reordering in which each read sees its write and each lock keeps the order of its holders
 *       hb   computes the order of every two events as a matrix
 *       witness  checks, for each line "# witness A B: C D …" (events, from 1 on) after a trace, that the execution of
 * C, D, … is a reordering as in max after which A and B are next; prints what is wrong, or nothing
 *
 * Slow and obvious, and independent of src/predict: the tests compare the tiers with it.
 */
#include "brute_trace.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum mode { MAX, SP, HB, WITNESS };

/* The races. */

static bool race[EVENTS][EVENTS];

static bool conflict(int a, int b)
{
	return trace[a].thread != trace[b].thread && (reads(a) || writes(a)) && (reads(b) || writes(b)) &&
	       trace[a].object == trace[b].object && (writes(a) || writes(b)) && !(atomic(a) && atomic(b));
}

/* Happens-before, including the order of a write and the reads that saw it. */

/* Whether `a` comes before `b` for a reason other than that b reads what a wrote. */
static bool comes_before(bool order[EVENTS][EVENTS], int a, int b)
{
	for (int i = 0; i < b; i++)
		if (trace[b].before[i] && order[a][i])
			return true;
	return false;
}

static void find_ordered(void)
{
	static bool order[EVENTS][EVENTS]; /* [a][b]: a comes before b, or is b */

	memset(order, 0, sizeof order);
	for (int b = 0; b < count; b++) {
		order[b][b] = true;
		for (int a = 0; a < b; a++) {
			bool direct = trace[b].before[a] || ((reads(b) || is(b, "take")) && trace[b].match == a);
			bool locks = releases(a) && acquires(b) && trace[a].object == trace[b].object &&
			             !(is(a, "rrel") && is(b, "racq"));
			if (direct || locks)
				for (int i = 0; i <= a; i++)
					order[i][b] |= order[i][a];
		}
	}
	for (int b = 0; b < count; b++)
		for (int a = 0; a < b; a++)
			race[a][b] = conflict(a, b) && !comes_before(order, a, b);
}

/* Reorderings, one event after the other. */

struct state {
	uint8_t position[THREADS]; /* how many events of each thread are done */
	uint8_t deviated;          /* threads that read something different by a read that is not confined */
	uint8_t notified;  /* threads that were notified while they waited, by the notification that must wake them */
	uint16_t confused; /* threads that read something different by a confined read */
	int8_t writer[NAMES]; /* by variable: the last write */
	uint16_t foreign;     /* variables whose last write wrote something different */
};

static int program[THREADS][EVENTS], length[THREADS];

static bool done(const struct state *s, int e)
{
	for (int i = 0; i < s->position[trace[e].thread]; i++)
		if (program[trace[e].thread][i] == e)
			return true;
	return false;
}

static const char *initial_value(int variable)
{
	for (int e = 0; e < count; e++)
		if (reads(e) && trace[e].object == variable && trace[e].match < 0 && trace[e].value[0])
			return trace[e].value;
	return "";
}

/* Whether a read sees in this state what it saw in the trace. */
static bool sees_same(const struct state *s, int e)
{
	int writer = s->writer[trace[e].object];

	if (s->foreign >> trace[e].object & 1)
		return false;
	if (writer == trace[e].match)
		return true;
	const char *value = writer < 0 ? initial_value(trace[e].object) : written(writer);
	return value[0] && !strcmp(value, trace[e].value);
}

static bool lock_free(const struct state *s, int e)
{
	for (int i = 0; i < count; i++) {
		if (!acquires(i) || trace[i].object != trace[e].object || !done(s, i))
			continue;
		if (!exclusive(i) && !exclusive(e))
			continue;
		int end = -1;
		for (int k = i + 1; k < count && end < 0; k++)
			if (releases(k) && trace[k].match == i)
				end = k;
		if (end < 0 || !done(s, end))
			return false;
	}
	return true;
}

static int tokens(const struct state *s, int semaphore)
{
	int value = initial_of(semaphore);

	for (int i = 0; i < count; i++)
		if (trace[i].object == semaphore && done(s, i))
			value += is(i, "post") - is(i, "take");
	return value;
}

/* Whether the thread can reach the event: none of its earlier decisions could differ. */
static bool reachable(const struct state *s, int e, enum mode mode)
{
	bool decides = !branches || is(e, "branch") || is(e, "pin") || trace[e].depends || trace[e].pinned;
	int thread = trace[e].thread;

	if (mode == SP)
		return true;
	return !(decides && s->deviated >> thread & 1) && !(is(e, "pin") && s->confused >> thread & 1);
}

/*
 * All events of a thread are done that its joiner could see. May the thread end there?  Its end is one more event, and
 * in a trace without branches that event counts as a branch.
 */
static bool may_end(const struct state *s, int thread, enum mode mode)
{
	return mode == SP || branches || !(s->deviated >> thread & 1);
}

static bool in_order(const struct state *s, int e)
{
	for (int i = e + 1; i < count; i++)
		if (acquires(i) && trace[i].object == trace[e].object && (exclusive(i) || exclusive(e)) && done(s, i))
			return false;
	return true;
}

static bool enabled(const struct state *s, int e, enum mode mode)
{
	if (!reachable(s, e, mode))
		return false;
	for (int i = 0; i < count; i++)
		if (trace[e].before[i] && !done(s, i))
			return false;
	if (is(e, "join") && !may_end(s, trace[e].object, mode))
		return false;
	if (is(e, "wake") && trace[e].match >= 0 && !(s->notified >> trace[e].thread & 1))
		return false;
	if (acquires(e) && (!lock_free(s, e) || (mode == SP && !in_order(s, e))))
		return false;
	if (mode == SP) {
		if (reads(e) && s->writer[trace[e].object] != trace[e].match)
			return false;
		return !is(e, "take") || trace[e].match < 0 || done(s, trace[e].match);
	}
	if (trace[e].pinned && !sees_same(s, e))
		return false;
	return !is(e, "take") || tokens(s, trace[e].object) > 0;
}

/* The effect of an event on threads that wait. */
static void notify(struct state *s, int e)
{
	for (int i = 0; i < count; i++)
		if (is(i, "wake") && trace[i].match == e && done(s, trace[i].wait) && !done(s, i))
			s->notified |= 1 << trace[i].thread;
}

static struct state step(struct state s, int e, enum mode mode)
{
	int thread = trace[e].thread;

	if (mode == MAX && reads(e) && !sees_same(&s, e)) {
		if (trace[e].confined)
			s.confused |= 1 << thread;
		else
			s.deviated |= 1 << thread;
	}
	if (writes(e)) {
		s.writer[trace[e].object] = (int8_t)e;
		s.foreign &= ~(1 << trace[e].object);
		if ((s.deviated | (trace[e].fed ? s.confused : 0)) >> thread & 1)
			s.foreign |= 1 << trace[e].object;
	}
	if (is(e, "wake") || is(e, "wait"))
		s.notified &= ~(1 << thread);
	if (!strncmp(trace[e].op, "notify", 6))
		notify(&s, e);
	s.position[thread]++;
	return s;
}

/* The set of visited states. */
static struct state *seen;
static size_t seen_count, seen_room;

static bool is_new(const struct state *s)
{
	uint64_t h = 1469598103934665603u;

	if (seen_count * 2 >= seen_room) {
		struct state *old = seen;
		size_t room = seen_room;
		seen_room = room ? room * 2 : 1 << 12;
		seen = calloc(seen_room, sizeof *seen);
		seen_count = 0;
		for (size_t i = 0; i < room; i++)
			if (old[i].position[0] != 0)
				is_new(&old[i]);
		free(old);
	}
	for (size_t i = 0; i < sizeof *s; i++)
		h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
	for (h ^= h >> 31; seen[h % seen_room].position[0]; h++)
		if (!memcmp(&seen[h % seen_room], s, sizeof *s))
			return false;
	seen[h % seen_room] = *s;
	seen_count++;
	return true;
}

static void look_for_races(const struct state *s, enum mode mode)
{
	for (int t = 0; t < thread_count; t++)
		for (int u = t + 1; u < thread_count; u++) {
			if (s->position[t] == length[t] || s->position[u] == length[u])
				continue;
			int a = program[t][s->position[t]], b = program[u][s->position[u]];
			if (!conflict(a, b) || !reachable(s, a, mode) || !reachable(s, b, mode))
				continue;
			bool orders = true; /* a thread's first access comes after its fork */
			for (int i = 0; i < count; i++)
				orders &= (!trace[a].before[i] || done(s, i)) && (!trace[b].before[i] || done(s, i));
			if (orders)
				race[a < b ? a : b][a < b ? b : a] = true;
		}
}

static void explore(struct state s, enum mode mode)
{
	s.position[0]++; /* zero marks a free place in the table */
	bool new = is_new(&s);
	s.position[0]--;
	if (!new)
		return;
	look_for_races(&s, mode);
	for (int t = 0; t < thread_count; t++)
		if (s.position[t] < length[t] && enabled(&s, program[t][s.position[t]], mode))
			explore(step(s, program[t][s.position[t]], mode), mode);
}

static struct state start(void)
{
	struct state s;

	memset(&s, 0, sizeof s);
	memset(s.writer, -1, sizeof s.writer);
	memset(length, 0, sizeof length);
	for (int e = 0; e < count; e++)
		program[trace[e].thread][length[trace[e].thread]++] = e;
	return s;
}

static void find_reorderings(enum mode mode)
{
	free(seen);
	seen = NULL;
	seen_count = seen_room = 0;
	explore(start(), mode);
}

/* Witnesses. */

static bool is_next(const struct state *s, int e)
{
	int thread = e >= 0 && e < count ? trace[e].thread : 0;

	return e >= 0 && e < count && s->position[thread] < length[thread] && program[thread][s->position[thread]] == e;
}

static void check_witness(char *text)
{
	struct state s = start();
	char *at = strchr(text, ':'), *end;
	int a, b;

	if (!at || sscanf(text, "%d %d", &a, &b) != 2) {
		printf("bad: %s\n", text);
		return;
	}
	for (at++;; at = end) {
		int e = (int)strtol(at, &end, 10) - 1;
		if (end == at)
			break;
		if (!is_next(&s, e) || !enabled(&s, e, MAX)) {
			printf("event %d cannot be next: %s\n", e + 1, text);
			return;
		}
		s = step(s, e, MAX);
	}
	if (!is_next(&s, a - 1) || !is_next(&s, b - 1)) {
		printf("the two are not next: %s\n", text);
		return;
	}
	memset(race, 0, sizeof race);
	look_for_races(&s, MAX);
	if (!race[a < b ? a - 1 : b - 1][a < b ? b - 1 : a - 1])
		printf("the two do not race: %s\n", text);
}

/* Output. */

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void print_races(void)
{
	static char lines[EVENTS * EVENTS][2 * LINE];
	int n = 0;

	for (int a = 0; a < count; a++)
		for (int b = a + 1; b < count; b++) {
			const char *x = trace[a].location, *y = trace[b].location;
			if (!race[a][b])
				continue;
			snprintf(lines[n++], sizeof lines[0], "%s %s", strcmp(x, y) < 0 ? x : y,
			         strcmp(x, y) < 0 ? y : x);
		}
	qsort(lines, (size_t)n, sizeof lines[0], by_text);
	for (int i = 0; i < n; i++)
		if (!i || strcmp(lines[i], lines[i - 1]))
			puts(lines[i]);
}

int main(int argc, char **argv)
{
	static const char *const modes[] = {[MAX] = "max", [SP] = "sp", [HB] = "hb", [WITNESS] = "witness"};
	int mode = 0;

	while (argc == 2 && mode <= WITNESS && strcmp(argv[1], modes[mode]))
		mode++;
	if (argc != 2 || mode > WITNESS) {
		fputs("usage: brute max|sp|hb|witness < TRACES\n", stderr);
		return 2;
	}
	for (bool first = true; read_trace(); first = false) {
		match_all();
		if (mode == WITNESS) {
			for (int i = 0; i < witness_count; i++)
				check_witness(witnesses[i]);
			continue;
		}
		if (!first)
			puts("---");
		memset(race, 0, sizeof race);
		if (mode == HB)
			find_ordered();
		else
			find_reorderings(mode);
		print_races();
	}
	return 0;
}
