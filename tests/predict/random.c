/*
 * random SEED COUNT [EVENTS [MARKED]]: prints COUNT random traces in STD, separated by a line "---". Each is possible in some
 * program: this program executes the threads, one random step after the other, and they do only what they can do. MARKED:
 * the percentage of the traces with branches that also have confined reads, fed writes and pins.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, LOCKS = 2, VARIABLES = 3, SEMAPHORES = 1 };

static uint64_t state;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

static bool chance(uint32_t percent) { return below(100) < percent; }

static struct thread {
	bool started, forked, ended, joined;
	int waits_for;   /* a lock to wake with, or -1 */
	int kept;        /* its depth */
	bool in_barrier; /* has arrived, and not left */
	int round;
} threads[THREADS];

static struct lock {
	int depth[THREADS];
	bool shared[THREADS];
} locks[LOCKS];

static int values[VARIABLES], tokens[SEMAPHORES];
static int round_now, arrived;
static bool round_full;
static int thread_count, events, limit;
static bool once_done;
/* The features of this trace. */
static bool has_values, has_branches, has_atomics, has_fork, has_rwlocks, has_reentry, has_waits, has_barrier, has_sems,
        has_once, own_places, has_marks, has_joins, has_reuse;
static uint32_t share_accesses, variables, lock_count, marked;

static void emit(int t, const char *text)
{
	printf("T%d|%s|%d\n", t, text, own_places ? events + 1 : t * 2 + (int)below(2) + 1);
	events++;
}

static void emit_number(int t, const char *op, int n)
{
	char text[64];

	snprintf(text, sizeof text, "%s%d)", op, n);
	emit(t, text);
}

static void access(int t)
{
	char text[64];
	int v = (int)below(variables), new = (int)below(3);
	const char *star = has_branches && chance(10) ? "*" : "", *mark = has_marks && chance(55) ? "-" : "";
	bool known = has_values && chance(90);

	if (has_atomics && chance(25)) {
		switch (below(5)) {
		case 0:
			snprintf(text, sizeof text, known ? "ar(x%d=%d)" : "ar(x%d)", v, values[v]);
			break;
		case 1:
			snprintf(text, sizeof text, known ? "casf(x%d=%d)" : "casf(x%d)", v, values[v]);
			break;
		case 2:
			snprintf(text, sizeof text, known ? "aw(x%d=%d)" : "aw(x%d)", v, new);
			break;
		case 3:
			snprintf(text, sizeof text, known ? "rmw(x%d=%d:%d)" : "rmw(x%d)", v, values[v], new);
			break;
		default:
			snprintf(text, sizeof text, known ? "cas(x%d=%d:%d)" : "cas(x%d)", v, values[v], new);
		}
		if (text[0] != 'a' && text[3] != 'f')
			values[v] = new;
		else if (text[1] == 'w')
			values[v] = new;
	} else if (chance(50)) {
		snprintf(text, sizeof text, known ? "r%s%s(x%d=%d)" : "r%s%s(x%d)", star, mark, v, values[v]);
	} else {
		mark = mark[0] ? "+" : "";
		snprintf(text, sizeof text, known ? "w%s%s(x%d=%d)" : "w%s%s(x%d)", star, mark, v, new);
		values[v] = new;
	}
	emit(t, text);
}

static void plain(int t, const char *op, int v, int value)
{
	char text[64];

	snprintf(text, sizeof text, has_values ? "%s(x%d=%d)" : "%s(x%d)", op, v, value);
	emit(t, text);
}

/* The use of confined reads: y = f(x), perhaps a read of either, and perhaps a branch on it. */
static void compute(int t)
{
	int x = (int)below(variables), y = (int)below(variables);

	plain(t, "r-", x, values[x]);
	if (chance(40))
		plain(t, "r", x, values[x]);
	if (chance(70)) {
		values[y] = (int)below(3);
		plain(t, "w+", y, values[y]);
		if (chance(50))
			plain(t, "r", y, values[y]);
	}
	if (chance(60))
		emit(t, chance(25) ? "pin()" : "branch()");
}

static int holders(int l)
{
	int n = 0;

	for (int t = 0; t < thread_count; t++)
		n += locks[l].depth[t] > 0;
	return n;
}

static bool all_share(int l)
{
	for (int t = 0; t < thread_count; t++)
		if (locks[l].depth[t] && !locks[l].shared[t])
			return false;
	return true;
}

static void lock_step(int t)
{
	int l = (int)below(lock_count);
	struct lock *k = &locks[l];

	if (k->depth[t] && !(has_reentry && chance(25))) {
		emit_number(t, k->shared[t] ? "rrel(l" : "rel(l", l);
		k->depth[t]--;
	} else if (k->depth[t]) {
		emit_number(t, k->shared[t] ? "racq(l" : "acq(l", l);
		k->depth[t]++;
	} else if (!holders(l)) {
		k->shared[t] = has_rwlocks && chance(50);
		emit_number(t, k->shared[t] ? "racq(l" : "acq(l", l);
		k->depth[t]++;
	} else if (has_rwlocks && all_share(l)) {
		k->shared[t] = true;
		emit_number(t, "racq(l", l);
		k->depth[t]++;
	}
}

static void wait_step(int t)
{
	char text[64];

	if (chance(40)) {
		emit(t, chance(60) ? "notify(c)" : "notifyall(c)");
		return;
	}
	for (int l = 0; l < LOCKS; l++)
		if (locks[l].depth[t] && !locks[l].shared[t]) {
			snprintf(text, sizeof text, "wait(c,l%d)", l);
			emit(t, text);
			threads[t].waits_for = l;
			threads[t].kept = locks[l].depth[t];
			locks[l].depth[t] = 0;
			return;
		}
}

/* Its wait ends, if the lock is free, with a notification or without one. */
static void wake_step(int t)
{
	char text[64];
	int l = threads[t].waits_for;

	if (holders(l))
		return;
	snprintf(text, sizeof text, "wake(c,l%d)", l);
	emit(t, text);
	locks[l].depth[t] = threads[t].kept;
	threads[t].waits_for = -1;
}

/* Two threads are one round. */
static void barrier_step(int t)
{
	if (round_full && arrived == 2) {
		round_now++;
		round_full = false;
		arrived = 0;
	}
	if (arrived == 2)
		return;
	emit(t, "arrive(b)");
	threads[t].in_barrier = true;
	threads[t].round = round_now;
	arrived++;
}

static void leave_step(int t)
{
	if (threads[t].round == round_now && arrived < 2)
		return;
	emit(t, "leave(b)");
	if (threads[t].round == round_now)
		round_full = true;
	threads[t].in_barrier = false;
}

/* Whether a thread can end at this point. */
static bool may_end(int t)
{
	for (int l = 0; l < LOCKS; l++)
		if (locks[l].depth[t])
			return false;
	return threads[t].waits_for < 0 && !threads[t].in_barrier;
}

/* A thread other than these two that can do something; if there is none, the first of them. */
static int third(int t, int u)
{
	for (int i = 0; i < thread_count; i++)
		if (i != t && i != u && threads[i].started && !threads[i].ended && threads[i].waits_for < 0 &&
		    !threads[i].in_barrier)
			return i;
	return t;
}

/* Whether a thread may end depends on its last read: a third thread writes that variable, and the joiner reads it too. */
static void join_step(int t, int u)
{
	int v = (int)below(variables), w = third(t, u);
	bool looks = has_joins && events + 3 < limit;

	if (looks && w != t && chance(60)) {
		values[v] = (int)below(3);
		plain(w, "w", v, values[v]);
	}
	if (looks && !threads[u].ended && chance(60))
		plain(u, "r", v, values[v]);
	emit_number(t, "join(T", u);
	threads[u].ended = threads[u].joined = true;
	if (looks && chance(60))
		plain(t, chance(60) ? "r" : "w", v, values[v]);
}

/* Forks, joins or, where threads share names, forks again. A thread that is joined has ended, or ends here unseen. */
static void thread_step(int t)
{
	int u = (int)below((uint32_t)thread_count);
	struct thread *other = &threads[u];

	if (u == t)
		return;
	if (!other->started) {
		emit_number(t, "fork(T", u);
		other->started = other->forked = true;
	} else if (has_reuse && other->forked && (other->joined || chance(25)) && may_end(u)) {
		emit_number(t, "fork(T", u);
		other->ended = other->joined = false;
	} else if (!other->joined && (other->ended || (has_joins && may_end(u)))) {
		join_step(t, u);
	}
}

static void end_step(int t)
{
	if (!may_end(t))
		return;
	if (chance(50))
		emit(t, "end()");
	threads[t].ended = true;
}

static void step(int t)
{
	struct thread *me = &threads[t];
	uint32_t what = below(100);

	if (!me->started || me->ended)
		return;
	if (me->waits_for >= 0)
		wake_step(t);
	else if (me->in_barrier)
		leave_step(t);
	else if (has_barrier && chance(30))
		barrier_step(t);
	else if (has_waits && chance(15))
		wait_step(t);
	else if (has_marks && what < 15 && events + 3 < limit)
		compute(t);
	else if (what < share_accesses)
		access(t);
	else if (what < 70)
		lock_step(t);
	else if (what < 77 && has_branches)
		emit(t, has_marks && chance(35) ? "pin()" : "branch()");
	else if (what < (has_joins ? 88 : 82) && has_fork)
		thread_step(t);
	else if (what < (has_joins ? 91 : 84) && has_fork)
		end_step(t);
	else if (what < 97 && has_sems && (chance(50) || tokens[0] > 0)) {
		bool take = tokens[0] > 0 && chance(60);
		emit(t, take ? "take(s)" : "post(s)");
		tokens[0] += take ? -1 : 1;
	} else if (what >= 97 && has_once) {
		emit(t, "once(o)");
		once_done = true;
	}
}

static void random_trace(void)
{
	memset(threads, 0, sizeof threads);
	memset(locks, 0, sizeof locks);
	memset(values, 0, sizeof values);
	tokens[0] = (int)below(2);
	round_now = arrived = events = 0;
	round_full = false;
	thread_count = 2 + (int)below(2);
	has_values = chance(70);
	has_branches = chance(60);
	has_marks = has_branches && chance(marked);
	has_atomics = chance(25);
	has_fork = chance(40);
	has_joins = has_fork && chance(75);
	has_reuse = has_fork && chance(50);
	if (has_joins)
		thread_count = 3;
	has_rwlocks = chance(20);
	has_reentry = chance(25);
	has_waits = chance(20);
	has_barrier = chance(12);
	if (has_barrier && chance(50))
		thread_count = 4; /* two rounds without a common thread */
	has_sems = chance(15);
	has_once = chance(12);
	own_places = chance(60);
	share_accesses = 20 + below(35);
	variables = 1 + below(VARIABLES);
	lock_count = 1 + below(LOCKS);
	for (int t = 0; t < thread_count; t++)
		threads[t] =
		        (struct thread){.started = !has_fork || !t || chance(has_joins ? 60 : 30), .waits_for = -1};
	if (has_branches)
		puts("# branches");
	for (int tries = 0; events < limit && tries < 200; tries++)
		step((int)below((uint32_t)thread_count));
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: random SEED COUNT [EVENTS [MARKED]]\n", stderr);
		return 2;
	}
	state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15 + 1;
	int most = argc > 3 ? atoi(argv[3]) : 14;
	marked = argc > 4 ? (uint32_t)atoi(argv[4]) : 50;
	for (long i = 0, n = atol(argv[2]); i < n; i++) {
		if (i)
			puts("---");
		limit = most - (int)(below((uint32_t)most - 3) * below(100) / 100);
		random_trace();
	}
	return 0;
}
