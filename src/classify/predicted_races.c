#include "classify/predicted_races.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "classify/failure_list.h"
#include "classify/primaries.h"
#include "predict/linear_witness.h"
#include "report/symbol.h"
#include "format/enum_names.h"

static bool read_memory(const struct process *p, void *to, size_t size, off_t from, struct error *e)
{
	size_t got = 0;
	ssize_t n = 1;

	while (got < size &&
	       (n = pread(p->board_fd, (char *)to + got, size - got, (off_t)BOARD_EVENTS + from + (off_t)got)) > 0)
		got += (size_t)n;
	return got == size || error_set(e, "cannot read the history of the execution");
}

static bool write_memory(const struct process *p, const void *what, size_t size, struct error *e)
{
	size_t put = 0;
	ssize_t n = 1;

	while (put < size &&
	       (n = pwrite(p->board_fd, (const char *)what + put, size - put, (off_t)BOARD_EVENTS + (off_t)put)) > 0)
		put += (size_t)n;
	return put == size || error_set(e, "cannot write to the board");
}

struct words {
	uint64_t *list;
	uint64_t count;
};

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void sort_words(struct words *w)
{
	uint64_t n = 0;

	if (w->count)
		qsort(w->list, w->count, sizeof *w->list, by_number);
	for (uint64_t i = 0; i < w->count; i++)
		if (!n || w->list[n - 1] != w->list[i])
			w->list[n++] = w->list[i];
	w->count = n;
}

/* Replays the recorded execution. */
static bool replay(struct classifier *c, const struct execution *x, enum predict_mode mode, const struct words *w,
                   struct replayer *r, struct error *e)
{
	if (!replayer_prepare(r, c, x, e))
		return false;
	struct board *b = r->process.board;
	b->config.predict_mode = mode;
	b->config.detect = DETECT_RACES;
	b->config.check = CHECK_OFF;
	b->nwatched = 0;
	b->nwords = w->count;
	if (w->count && !write_memory(&r->process, w->list, w->count * sizeof *w->list, e))
		return false;
	if (!replayer_start(r, c, e))
		return false;
	replayer_wait(r);
	if (b->result.ending != x->result->ending)
		return error_set(e, "a replay ended otherwise: %s", b->result.message);
	return true;
}

/* The first replay finds the words that several threads touch and somebody writes. */
static bool find_words(struct classifier *c, const struct execution *x, struct words *w, struct predicted *p,
                       struct error *e)
{
	struct replayer r = replayer_nothing;
	bool ok = replay(c, x, PREDICT_FIND_WORDS, w, &r, e);

	if (ok) {
		uint64_t n =
		        r.process.board->nwords < PREDICT_WORDS_MOST ? r.process.board->nwords : PREDICT_WORDS_MOST;
		w->list = must_alloc((n + 1) * sizeof *w->list);
		ok = read_memory(&r.process, w->list, n * sizeof *w->list, 0, e);
		w->count = n;
		p->prediction.lost_words = r.process.board->words_lost;
	}
	replayer_end(&r);
	sort_words(w);
	return ok;
}

/* The second replay writes down all that happens to these words, and all synchronisation. */
static bool take_history(struct classifier *c, const struct execution *x, const struct words *w, struct predicted *p,
                         struct error *e)
{
	struct replayer r = replayer_nothing;
	bool ok = replay(c, x, PREDICT_LOG_EVENTS, w, &r, e);

	if (ok) {
		const struct board *b = r.process.board;
		p->count = b->npredict_events < PREDICT_EVENTS_MOST ? b->npredict_events : PREDICT_EVENTS_MOST;
		p->prediction.lost_events = b->predict_events_lost;
		p->events = must_alloc((p->count + 1) * sizeof *p->events);
		ok = read_memory(&r.process, p->events, p->count * sizeof *p->events,
		                 PREDICT_WORDS_MOST * sizeof *w->list, e);
		p->result = must_alloc(sizeof *p->result);
		result_copy(p->result, b);
	}
	replayer_end(&r);
	return ok;
}

static void name_place(const void *context, uint64_t where, char *text, size_t size)
{
	const struct predicted *p = context;
	struct frame f;

	if (where && symbol_where(p->result, where, &f) && f.file[0])
		snprintf(text, size, "%s:%u:%u", f.file, f.line, f.column);
	else if (where)
		snprintf(text, size, "%#lx", where);
	else
		snprintf(text, size, "free");
}

static void name_variable(const void *context, uint64_t address, char *text, size_t size)
{
	const struct predicted *p = context;

	if (!symbol_data(p->result, address, text, size))
		snprintf(text, size, "%#lx", address);
}

bool predicted_find(struct classifier *c, const struct execution *recorded, enum tier last,
                    const struct maximal_options *options, struct predicted *p, struct error *e)
{
	struct words w = {0};
	const struct trace_names names = {name_place, name_variable, p};
	double start = classifier_now();

	*p = (struct predicted){0};
	bool ok = find_words(c, recorded, &w, p, e) && take_history(c, recorded, &w, p, e) &&
	          trace_from_log(&p->past, p->events, (uint32_t)p->count, &names, e);
	free(w.list);
	if (!ok)
		return false;
	p->prediction.trace = &p->past.trace;
	p->prediction.read_seconds = classifier_now() - start;
	prediction_run(&p->prediction, last, options);
	return true;
}

struct turns {
	struct board_turn *list;
	size_t count, capacity;
	uint32_t *ids; /* for each thread of the recorded execution, its number in the new one */
	uint32_t next_id, known;
};

static void add_turn(struct turns *t, uint32_t thread, uint64_t until, bool waits)
{
	if (t->count && t->list[t->count - 1].thread == thread) {
		if (t->list[t->count - 1].until < until)
			t->list[t->count - 1].until = until;
		t->list[t->count - 1].waits = waits;
		return;
	}
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? t->capacity * 2 : 256;
		t->list = must_resize(t->list, t->capacity * sizeof *t->list);
	}
	t->list[t->count++] = (struct board_turn){.thread = thread, .until = until, .waits = waits};
}

/* Threads are numbered as they are created, and the new execution may create them in another order. */
static uint32_t id_of(struct turns *t, uint64_t thread)
{
	for (; t->known <= thread; t->known++) {
		t->ids = must_resize(t->ids, (t->known + 1ul) * sizeof *t->ids);
		t->ids[t->known] = t->known;
	}
	return t->ids[thread];
}

static void follow_event(struct turns *t, const struct predicted *p, uint32_t event, const struct pair *pair)
{
	const struct predict_event *past = &p->events[p->past.log_index[event]];
	const struct trace_event *e = &p->past.trace.events[event];
	uint64_t until = e->op == OP_END ? UINT64_MAX : past->op + 1;

	if (ops[e->op].kind == OBJECT_NONE && e->op != OP_END) /* a branch before the operation */
		until = past->op;

	for (int i = 0; i < 2; i++) { /* a part of one of the two accesses themselves */
		const struct predict_event *access = &p->events[p->past.log_index[pair->event[i]]];
		if (access->thread == past->thread && access->op == past->op)
			until = past->op;
	}
	add_turn(t, id_of(t, past->thread), until, e->op == OP_WAIT || e->op == OP_ARRIVE);
	if (e->op == OP_FORK) {
		id_of(t, past->object);
		t->ids[past->object] = ++t->next_id;
	}
}

/* The event at this place of the witness; NO_EVENT: the witness ends here. */
static uint32_t witness_at(const struct pair *pair, size_t i)
{
	if (i < pair->witness_start)
		return (uint32_t)i;
	i -= pair->witness_start;
	return i < pair->witness_count ? pair->witness[i] : NO_EVENT;
}

/*
 * Makes the turns. Returns the point at which the execution leaves the recorded one: the last point before it does
 * something else.
 */
static uint64_t make_turns(struct turns *t, const struct predicted *p, const struct pair *pair)
{
	uint64_t op[2];
	uint32_t id[2], event;
	size_t same = 0;

	t->count = t->known = t->next_id = 0;
	while (witness_at(pair, same) == same)
		same++;
	uint64_t point = p->events[p->past.log_index[same]].point;
	point = point > 1 ? point - 1 : 1;
	for (size_t i = 0; (event = witness_at(pair, i)) != NO_EVENT; i++) {
		const struct predict_event *past = &p->events[p->past.log_index[event]];
		follow_event(t, p, event, pair);
		if (i < same && past->point < point) /* it happens before that point */
			t->count = 0;
	}
	for (int i = 0; i < 2; i++) {
		const struct predict_event *access = &p->events[p->past.log_index[pair->event[i]]];
		op[i] = access->op;
		id[i] = id_of(t, access->thread);
		add_turn(t, id[i], op[i], false);
	}
	for (int i = 0; i < 2; i++)
		add_turn(t, id[i], op[i] + 1, false);
	return point;
}

static uint32_t flags_of(const struct predict_event *p)
{
	switch (p->kind) {
	case PREDICT_WRITE:
		return ACCESS_WRITE;
	case PREDICT_FREE:
		return ACCESS_WRITE | ACCESS_FREE;
	case PREDICT_LOAD:
	case PREDICT_REFUTE:
		return ACCESS_ATOMIC;
	case PREDICT_STORE:
	case PREDICT_UPDATE:
	case PREDICT_COMPARE:
		return ACCESS_ATOMIC | ACCESS_WRITE;
	default:
		return 0;
	}
}

/*
 * A free has no site; where it was called from is not in the log. A compare and swap that comes at another time may
 * write where it did not, or the other way round: it is the same access.
 */
static bool is_access(const struct board_access *a, const struct predict_event *p)
{
	bool compares = p->kind == PREDICT_COMPARE || p->kind == PREDICT_REFUTE;
	uint32_t kind = ACCESS_KIND & ~(compares ? (uint32_t)ACCESS_WRITE : 0);

	return !((a->flags ^ flags_of(p)) & kind) && (!p->where || access_place(a) == p->where);
}

static const struct predict_event *past_of(const struct predicted *p, size_t i, int access)
{
	return &p->events[p->past.log_index[p->prediction.pairs.list[i].event[access]]];
}

uint32_t predicted_flags(const struct predicted *p, size_t i, int access) { return flags_of(past_of(p, i, access)); }
uint32_t predicted_thread(const struct predicted *p, size_t i, int access) { return past_of(p, i, access)->thread; }

bool predicted_place(const struct predicted *p, size_t i, int access, struct frame *out)
{
	uint64_t where = past_of(p, i, access)->where;

	return where && symbol_where(p->result, where, out);
}

int predicted_is(const struct predicted *p, size_t i, const struct board_race *r)
{
	const struct predict_event *one = past_of(p, i, 0), *other = past_of(p, i, 1);

	if (is_access(&r->access[0], one) && is_access(&r->access[1], other))
		return 0;
	return is_access(&r->access[0], other) && is_access(&r->access[1], one) ? 1 : -1;
}

static bool is_race_seen(const struct predicted *p, size_t i, const struct board *b)
{
	for (uint32_t k = 0; k < b->nraces && k < BOARD_RACES; k++)
		if (predicted_is(p, i, &b->races[k]) >= 0)
			return true;
	return false;
}

static void explain_failure(struct confirmation *k, const struct predicted *p, const struct pair *pair,
                            const struct board *b)
{
	static const char *const where[] = {
	        [MEETING_WAITS] = "waits where it did not wait then",
	        [MEETING_GONE] = "has ended before",
	        [MEETING_ELSEWHERE] = "goes another way",
	};
	const struct board_result *r = &b->result;

	if (!b->meeting[0]) {
		snprintf(k->why, sizeof k->why, "the execution ended before it came to the two accesses: %s%s%.120s",
		         ending_name(r->ending), r->message[0] ? ": " : "", r->message);
		return;
	}
	for (int i = 0; i < 2; i++) {
		uint32_t at = b->meeting[i];
		if (at == MEETING_THERE || at >= sizeof where / sizeof *where)
			continue;
		snprintf(k->why, sizeof k->why, "T%u %s, so it does not come to its access",
		         p->events[p->past.log_index[pair->event[i]]].thread, where[at]);
		return;
	}
	snprintf(k->why, sizeof k->why,
	         "both threads came to where the accesses were made in the recorded "
	         "execution, and access something "
	         "else");
}

static bool write_turns(const struct replayer *r, const struct turns *t, struct error *e)
{
	r->process.board->nturns = t->count;
	return write_memory(&r->process, t->list, t->count * sizeof *t->list, e);
}

/* Makes one execution, as the turns say. */
static bool make_execution(struct classifier *c, const struct execution *recorded, const struct turns *t,
                           uint64_t point, struct replayer *r, struct error *e)
{
	if (!primaries_prepare(r, c, recorded, e))
		return false;
	struct board_config *config = &r->process.board->config;
	config->stop_at = point;
	config->predict_mode = PREDICT_MEET;
	config->detect = DETECT_PRECISE;
	config->every_operation = true;
	config->runs = 1;
	config->next_strategy.id = STRATEGY_MEET;
	config->event_budget = c->points + LEAST_POINTS; /* and no other limit: a replay must end there too */
	if (!write_turns(r, t, e) || !replayer_start(r, c, e))
		return false;
	return replayer_hear(r) == 'R' || error_set(e, "the process that was to make the execution is gone");
}

static void confirm(struct classifier *c, const struct execution *recorded, struct predicted *p, size_t i,
                    struct turns *turns)
{
	struct confirmation *k = &p->confirmations[i];
	struct replayer r = replayer_nothing;
	struct error e;
	uint64_t point = make_turns(turns, p, &p->prediction.pairs.list[i]);

	if (make_execution(c, recorded, turns, point, &r, &e)) {
		const struct board *b = r.process.board;
		const struct departure d = departure_at(c, b, point);
		failure_list_note(c, b, &d);
		k->confirmed = is_race_seen(p, i, b);
		if (!k->confirmed) {
			explain_failure(k, p, &p->prediction.pairs.list[i], b);
		} else if (!b->schedule_full) {
			p->executions[i] = primary_take(b);
			p->executions[i]->departs_at = point;
			p->executions[i]->every_operation = true;
		}
	} else {
		snprintf(k->why, sizeof k->why, "%.200s", e.text);
	}
	replayer_end(&r);
}

static bool is_known(const struct predicted *p, size_t i, const struct races *known)
{
	for (size_t k = 0; k < known->count; k++)
		if (predicted_is(p, i, &known->list[k]->seen) >= 0)
			return true;
	return false;
}

/*
 * A compare and swap writes only if it sees what it wants, and the tiers do not ask what it sees where two accesses
 * meet: that it races with a read is a guess until an execution shows it.
 */
static bool is_guess(const struct predicted *p, size_t i)
{
	const struct predict_event *one = past_of(p, i, 0), *other = past_of(p, i, 1);

	return !p->confirmations[i].confirmed && ((one->kind == PREDICT_COMPARE && other->kind == PREDICT_READ) ||
	                                          (other->kind == PREDICT_COMPARE && one->kind == PREDICT_READ));
}

static void drop_guesses(struct predicted *p)
{
	struct pairs *pairs = &p->prediction.pairs;
	size_t n = 0;

	for (size_t i = 0; i < pairs->count; i++) {
		if (is_guess(p, i)) {
			free(pairs->list[i].witness);
			continue;
		}
		pairs->list[n] = pairs->list[i];
		p->confirmations[n] = p->confirmations[i];
		p->executions[n++] = p->executions[i];
	}
	pairs->count = n;
}

void predicted_confirm(struct classifier *c, const struct execution *recorded, const struct races *known,
                       struct predicted *p)
{
	const struct pairs *pairs = &p->prediction.pairs;
	struct turns turns = {0};
	struct sections sections;

	if (!pairs->count)
		return;
	p->confirmations = must_alloc(pairs->count * sizeof *p->confirmations);
	p->executions = must_alloc(pairs->count * sizeof *p->executions);
	memset(p->confirmations, 0, pairs->count * sizeof *p->confirmations);
	memset(p->executions, 0, pairs->count * sizeof *p->executions);
	p->prediction.confirmations = p->confirmations;
	sections_build(&sections, &p->past.trace);
	for (size_t i = 0; i < pairs->count; i++) {
		struct confirmation *k = &p->confirmations[i];
		struct pair *pair = &pairs->list[i];
		k->confirmed = is_known(p, i, known);
		if (k->confirmed)
			continue;
		if (classifier_out_of_time(c)) {
			snprintf(k->why, sizeof k->why, "there was no time left to execute it");
			continue;
		}
		if (!pair->witness && !witness_longest(&sections, pair))
			witness_shortest(&sections, pair);
		confirm(c, recorded, p, i, &turns);
	}
	drop_guesses(p);
	sections_free(&sections);
	free(turns.list);
	free(turns.ids);
}

void predicted_free(struct predicted *p)
{
	for (size_t i = 0; p->executions && i < p->prediction.pairs.count; i++)
		if (p->executions[i])
			execution_free(p->executions[i]);
	prediction_free(&p->prediction);
	logged_trace_free(&p->past);
	free(p->events);
	free(p->result);
	free(p->confirmations);
	free(p->executions);
	*p = (struct predicted){0};
}
