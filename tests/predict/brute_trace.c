/* Reading a trace, and which of its events belong together. */
#include "brute_trace.h"

#include <stdio.h>
#include <stdlib.h>

struct event trace[EVENTS];
int count, thread_count;
bool branches;
char witnesses[WITNESSES][LINE];
int witness_count;

static char names[NAMES][LINE];
static int name_count, thread_names[THREADS];

static void die(const char *why, const char *line)
{
	fprintf(stderr, "brute: %s: %s\n", why, line);
	exit(2);
}

static int number_of(const char *name)
{
	for (int i = 0; i < name_count; i++)
		if (!strcmp(names[i], name))
			return i;
	if (name_count == NAMES)
		die("too many names", name);
	strcpy(names[name_count], name);
	return name_count++;
}

/* Names of different kinds of objects are different names. */
static int object_of(const char *kind, const char *name)
{
	char both[LINE + 16];

	snprintf(both, sizeof both, "%s %.200s", kind, name);
	return number_of(both);
}

/* Reading. */

static int thread_of(const char *name)
{
	int id = object_of("thread", name);

	for (int i = 0; i < thread_count; i++)
		if (thread_names[i] == id)
			return i;
	if (thread_count == THREADS)
		die("too many threads", name);
	thread_names[thread_count] = id;
	return thread_count++;
}

static const char *kind_of(const struct event *e)
{
	static const char *const kinds[][2] = {
	        {"r", "var"},      {"w", "var"},       {"ar", "var"},      {"aw", "var"},    {"rmw", "var"},
	        {"acq", "lock"},   {"rel", "lock"},    {"racq", "lock"},   {"rrel", "lock"}, {"wait", "lock"},
	        {"wake", "lock"},  {"fork", "thread"}, {"join", "thread"}, {"post", "sem"},  {"take", "sem"},
	        {"arrive", "bar"}, {"leave", "bar"},   {"once", "once"}};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (!strcmp(e->op, kinds[i][0]))
			return kinds[i][1];
	return "";
}

static void read_line(char *line)
{
	char name[LINE] = "", argument[LINE] = "", thread[LINE], *at;
	struct event *e = &trace[count];

	if (!strcmp(line, "# branches"))
		branches = true;
	if (!strncmp(line, "# witness ", 10) && witness_count < WITNESSES)
		strcpy(witnesses[witness_count++], line + 10);
	if (!line[0] || line[0] == '#')
		return;
	if (count == EVENTS)
		die("too many events", line);
	*e = (struct event){.match = -1, .wait = -1, .object = -1};
	if (sscanf(line, "%255[^|]|%255[^(|](%255[^)])|%31s", thread, name, argument, e->location) < 2)
		die("what is this", line);
	if (!argument[0] && (at = strrchr(line, '|')))
		snprintf(e->location, sizeof e->location, "%.31s", at + 1);
	e->thread = thread_of(thread);
	e->depends = strchr(name, '*');
	e->confined = strchr(name, '-');
	e->fed = strchr(name, '+');
	name[strcspn(name, "*-+")] = 0;
	branches |= e->depends || e->confined || e->fed;
	e->pinned = !strcmp(name, "cas") || !strcmp(name, "casf");
	snprintf(e->op, sizeof e->op, "%.15s", !strcmp(name, "cas") ? "rmw" : !strcmp(name, "casf") ? "ar" : name);
	if (!strcmp(e->op, "branch") || !strcmp(e->op, "pin"))
		branches = true;
	if ((at = strchr(argument, '='))) {
		*at++ = 0;
		char *second = strchr(at, ':');
		if (second) {
			*second++ = 0;
			snprintf(e->written, sizeof e->written, "%.31s", second);
		}
		snprintf(e->value, sizeof e->value, "%.31s", at);
	}
	if ((at = strchr(argument, ','))) {
		*at++ = 0;
		e->condition = object_of("condition", argument);
		memmove(argument, at, strlen(at) + 1);
	}
	if (!strncmp(e->op, "notify", 6))
		e->condition = object_of("condition", argument);
	else if (!strcmp(e->op, "fork") || !strcmp(e->op, "join"))
		e->object = thread_of(argument);
	else if (argument[0])
		e->object = object_of(kind_of(e), argument);
	count++;
}

bool read_trace(void)
{
	char line[LINE];
	bool any = false;

	count = name_count = thread_count = witness_count = 0;
	branches = false;
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\r\n")] = 0;
		if (!strcmp(line, "---"))
			return true;
		any = true;
		read_line(line);
	}
	return any;
}

/* Which events belong together. */

static int previous(int e)
{
	for (int i = e - 1; i >= 0; i--)
		if (trace[i].thread == trace[e].thread)
			return i;
	return -1;
}

static void match_read(int e)
{
	for (int i = 0; i < e; i++)
		if (writes(i) && trace[i].object == trace[e].object)
			trace[e].match = i;
}

/* The locks that a thread holds when the trace is at `e`, by counting. */
static int depth_before(int e, int lock, int thread)
{
	int depth = 0, kept = 0;

	for (int i = 0; i < e; i++) {
		if (trace[i].thread != thread || trace[i].object != lock)
			continue;
		if (is(i, "acq") || is(i, "racq"))
			depth++;
		if (is(i, "rel") || is(i, "rrel"))
			depth--;
		if (is(i, "wait"))
			kept = depth, depth = 0;
		if (is(i, "wake"))
			depth = kept;
	}
	return depth;
}

static void match_lock(int e)
{
	int depth = depth_before(e, trace[e].object, trace[e].thread);

	if (is(e, "acq") || is(e, "racq"))
		trace[e].inner = depth > 0;
	if (is(e, "rel") || is(e, "rrel"))
		trace[e].inner = depth > 1;
	if (!releases(e))
		return;
	for (int i = e - 1; i >= 0; i--)
		if (trace[i].thread == trace[e].thread && trace[i].object == trace[e].object && acquires(i)) {
			if (!is(i, "wake"))
				trace[i].match = e;
			trace[e].match = i;
			return;
		}
}

static bool notify_used(int notify, int by)
{
	for (int i = 0; i < by; i++)
		if (is(i, "wake") && trace[i].match == notify)
			return true;
	return false;
}

static void match_wake(int e)
{
	trace[e].wait = previous(e);
	for (int pass = 0; pass < 2 && trace[e].match < 0; pass++)
		for (int i = trace[e].wait + 1; i < e; i++)
			if (is(i, pass ? "notifyall" : "notify") && trace[i].condition == trace[e].condition &&
			    (pass || !notify_used(i, e))) {
				trace[e].match = i;
				break;
			}
	if (trace[e].match >= 0)
		trace[e].before[trace[e].match] = true;
}

static int round_of[EVENTS];

/* The first thread that leaves a round ends it. */
static void match_barriers(void)
{
	for (int e = 0; e < count; e++) {
		if (!is(e, "arrive"))
			continue;
		int round = 0;
		for (int i = 0; i < e; i++)
			if (trace[i].object == trace[e].object && is(i, "arrive") && round_of[i] > round)
				round = round_of[i];
		for (int i = 0; i < e; i++)
			if (trace[i].object == trace[e].object && is(i, "leave") && round_of[previous(i)] == round) {
				round++;
				break;
			}
		round_of[e] = round;
		for (int i = 0; i < e; i++)
			if (is(i, "arrive") && trace[i].object == trace[e].object && round_of[i] < round)
				trace[e].before[i] = true;
	}
	for (int e = 0; e < count; e++)
		for (int i = 0; i < e && is(e, "leave"); i++)
			if (is(i, "arrive") && trace[i].object == trace[e].object &&
			    round_of[i] == round_of[previous(e)])
				trace[e].before[i] = true;
}

int initial_of(int semaphore)
{
	int value = 0, least = 0;

	for (int i = 0; i < count; i++) {
		if (trace[i].object == semaphore)
			value += is(i, "post") - is(i, "take");
		if (value < least)
			least = value;
	}
	return -least;
}

static void match_take(int e)
{
	int rank = -initial_of(trace[e].object);

	for (int i = 0; i < e; i++)
		rank += is(i, "take") && trace[i].object == trace[e].object;
	for (int i = 0; i < e && rank >= 0; i++)
		if (is(i, "post") && trace[i].object == trace[e].object && !rank--)
			trace[e].match = i;
}

/* Whether the event is the thread's own, or a fork or join of it. */
static bool concerns(int e, int thread)
{
	return trace[e].thread == thread || ((is(e, "fork") || is(e, "join")) && trace[e].object == thread);
}

static void match_threads(int e)
{
	for (int i = 0; i < e; i++) {
		/* An event comes after each earlier fork of its thread. */
		if (is(i, "fork") && trace[i].object == trace[e].thread)
			trace[e].before[i] = true;
		/* Joins and repeated forks come after all events of the thread, and after all forks and joins of it. */
		if ((is(e, "join") || is(e, "fork")) && concerns(i, trace[e].object))
			trace[e].before[i] = true;
		if (is(e, "once") && is(i, "once") && trace[i].object == trace[e].object)
			trace[e].before[i] = true;
	}
	/* Only the first of them executed the initialiser. */
	if (is(e, "once"))
		for (int i = 0, seen = 0; i < e; i++)
			if (trace[e].before[i] && is(i, "once") && trace[i].object == trace[e].object && seen++)
				trace[e].before[i] = false;
}

void match_all(void)
{
	memset(round_of, 0, sizeof round_of);
	for (int e = 0; e < count; e++) {
		if (reads(e))
			match_read(e);
		if (!strcmp(kind_of(&trace[e]), "lock"))
			match_lock(e);
		if (is(e, "wake"))
			match_wake(e);
		if (is(e, "take"))
			match_take(e);
		match_threads(e);
		if (previous(e) >= 0)
			trace[e].before[previous(e)] = true;
	}
	match_barriers();
}
