/*
 * The axioms are those of Batty et al. (POPL 2011) for C++11, and of Lahav et al. (PLDI 2017, RC11) for PSC; release
 * sequences and fences by the standard's text (C++11 1.10, 29.8). Relations are stored by their second element: r[b] is
 * the set of all a with (a, b) in r.
 */
#include "axioms.h"

#define BIT(e) ((set)1 << (e))
/* A loop over all events with a new variable. */
#define foreach(e, s)                                                                                                  \
	for (set left_##e = (s), e; left_##e && (e = (set)__builtin_ctz(left_##e), 1); left_##e &= left_##e - 1)

static bool acquires(enum order o) { return o == ACQUIRE || o == ACQ_REL || o == SEQ_CST; }
static bool releases(enum order o) { return o == RELEASE || o == ACQ_REL || o == SEQ_CST; }

/* Happens-before. */

static bool continues_sequence(const struct event *head, const struct event *next, const struct model *m)
{
	if (m->lie == LIE_HEAD)
		return false;
	if (next->reads || m->lie == LIE_FOREIGN)
		return true;
	return m->std == STD_C11 && m->lie != LIE_OWN && next->thread == head->thread;
}

/* What a reader of this store synchronises with: the heads of its release sequences, and the fences before the heads. */
static set released_by(const struct execution *x, int store, const struct model *m)
{
	const struct event *s = &x->event[store];
	const int8_t *mo = x->mo[s->location];
	set found = 0;

	for (int first = s->rank; first >= 0; first--) {
		int head = mo[first], next = first + 1;
		while (next <= s->rank && continues_sequence(&x->event[head], &x->event[mo[next]], m))
			next++;
		if (next <= s->rank)
			continue;
		if ((releases(x->event[head].order) && m->lie != LIE_RELEASE) || m->lie == LIE_RELAXED)
			found |= BIT(head);
		foreach (f, x->sb.before[head]) {
			if (x->event[f].fence && releases(x->event[f].order) && m->lie != LIE_FENCE_REL)
				found |= BIT(f);
		}
	}
	return found;
}

static set synchronizes_with(const struct execution *x, int e, const struct model *m)
{
	const struct event *event = &x->event[e];
	set found = 0;

	if (event->reads && ((acquires(event->order) && m->lie != LIE_ACQUIRE) || m->lie == LIE_EAGER))
		found = released_by(x, event->source, m);
	if (event->fence && acquires(event->order) && m->lie != LIE_FENCE_ACQ) {
		foreach (r, x->sb.before[e]) {
			if (x->event[r].reads)
				found |= released_by(x, x->event[r].source, m);
		}
	}
	return found;
}

/* All that this computation uses is in sb ∪ rf, and so stands before it in the array. */
static set happens_before(const struct execution *x, int e, const struct model *m)
{
	set direct = x->sb.before[e] | synchronizes_with(x, e, m), all = direct;

	foreach (a, direct)
		all |= x->hb.before[a];
	return all;
}

/* Coherence. */

static bool coherent(const struct execution *x, int e, const struct model *m)
{
	const struct event *b = &x->event[e];
	int seen = b->reads ? x->event[b->source].rank : 0;

	if (b->reads && b->writes && b->rank != seen + 1 && m->lie != LIE_UPDATES)
		return false;
	foreach (before, x->hb.before[e]) {
		const struct event *a = &x->event[before];
		if (a->location != b->location)
			continue;
		if (a->writes && b->writes && a->rank > b->rank && m->lie != LIE_COWW)
			return false;
		if (a->writes && b->reads && a->rank > seen && m->lie != LIE_COWR)
			return false;
		if (a->reads && b->writes && x->event[a->source].rank > b->rank && m->lie != LIE_CORW)
			return false;
		if (a->reads && b->reads && x->event[a->source].rank > seen && m->lie != LIE_CORR)
			return false;
	}
	return true;
}

/* Seq_cst. */

static struct relation unite(struct relation r, struct relation s)
{
	for (int b = 0; b < EVENTS; b++)
		r.before[b] |= s.before[b];
	return r;
}

/* r; s */
static struct relation compose(struct relation r, struct relation s)
{
	struct relation all = {0};

	for (int b = 0; b < EVENTS; b++) {
		foreach (via, s.before[b])
			all.before[b] |= r.before[via];
	}
	return all;
}

static struct relation closure(struct relation r)
{
	for (int via = 0; via < EVENTS; via++) {
		for (int b = 0; b < EVENTS; b++) {
			if (r.before[b] & BIT(via))
				r.before[b] |= r.before[via];
		}
	}
	return r;
}

/* [from]; r; [to] */
static struct relation between(set from, struct relation r, set to)
{
	for (int b = 0; b < EVENTS; b++)
		r.before[b] &= to & BIT(b) ? from : 0;
	return r;
}

static struct relation identity(set of)
{
	struct relation r = {0};

	foreach (e, of)
		r.before[e] = BIT(e);
	return r;
}

/* The part of r that relates accesses to the same location, or the rest of r. */
static struct relation located(const struct event *event, struct relation r, bool same)
{
	for (int b = 0; b < EVENTS; b++) {
		foreach (a, r.before[b]) {
			bool is_same = event[a].location == event[b].location && event[a].location != NOWHERE;
			if (is_same != same)
				r.before[b] &= ~BIT(a);
		}
	}
	return r;
}

/* Is there an order S? */
struct question {
	const struct execution *x;
	const struct model *m;
	set sc, sc_fences;
	struct relation rf, mo, rb;
	struct relation must; /* (a, b): a is before b in S */
	set dead[256];        /* beginnings of S that cannot be completed, as far as there is room */
};

static void ask(struct question *q, const struct execution *x, const struct model *m)
{
	*q = (struct question){.x = x, .m = m};
	for (int b = 0; b < x->events; b++) {
		const struct event *event = &x->event[b];
		if (event->order == SEQ_CST)
			q->sc |= BIT(b);
		if (event->order == SEQ_CST && event->fence)
			q->sc_fences |= BIT(b);
		if (event->reads)
			q->rf.before[b] = BIT(event->source);
		for (int a = 0; event->writes && a < x->events; a++) {
			const struct event *other = &x->event[a];
			if (a == b || other->location != event->location)
				continue;
			if (other->writes && other->rank < event->rank)
				q->mo.before[b] |= BIT(a);
			if (other->reads && x->event[other->source].rank < event->rank)
				q->rb.before[b] |= BIT(a);
		}
	}
}

/*
 * 29.3p4 to p7 are one rule. Let b be before a because b reads an older store (p4-p6) or is one (p7). Then in S neither
 * a nor a fence after a may precede b or a fence before b. The case without any fence
 * belongs to p3 and mo.
 */
static void fence_clauses(struct question *q, const struct relation *earlier, enum lie store, enum lie fence,
                          enum lie fences)
{
	for (int a = 0; a < q->x->events; a++) {
		foreach (b, earlier->before[a]) {
			set before_b = q->x->sb.before[b] & q->sc_fences;
			if ((q->sc & BIT(a)) && q->m->lie != fence)
				q->must.before[a] |= before_b;
			foreach (f, q->sc_fences) {
				if (!(q->x->sb.before[f] & BIT(a)))
					continue;
				if (q->m->lie != fences)
					q->must.before[f] |= before_b;
				if (q->m->lie != store)
					q->must.before[f] |= q->sc & BIT(b);
			}
		}
	}
}

static void total_order_clauses(struct question *q)
{
	if (q->m->lie != LIE_S_HB)
		q->must = unite(q->must, q->x->hb);
	if (q->m->lie != LIE_S_MO)
		q->must = unite(q->must, q->mo);
	fence_clauses(q, &q->rb, LIE_P5, LIE_P4, LIE_P6);
	fence_clauses(q, &q->mo, LIE_P7_STORE, LIE_P7_FENCE, LIE_P7_FENCES);
}

/* RC11: scb = sb ∪ sb≠loc; hb; sb≠loc ∪ hb=loc ∪ mo ∪ rb, and psc = psc_base ∪ psc_F as below. */
static void partial_order(struct question *q)
{
	const struct relation none = {0}, sb = q->x->sb, hb = q->x->hb;
	enum lie lie = q->m->lie;
	set all = ~(set)0, fences = lie == LIE_PSC_BASE ? 0 : q->sc_fences;

	struct relation far = located(q->x->event, sb, false);
	struct relation scb = lie == LIE_SCB_SB ? none : sb;
	scb = unite(scb, lie == LIE_SCB_HB ? none : compose(far, compose(hb, far)));
	scb = unite(scb, lie == LIE_SCB_LOC ? none : located(q->x->event, hb, true));
	scb = unite(scb, lie == LIE_SCB_MO ? none : q->mo);
	scb = unite(scb, lie == LIE_SCB_RB ? none : q->rb);

	/* psc_base = ([SC] ∪ [Fsc]; hb); scb; ([SC] ∪ hb; [Fsc]) */
	struct relation left = unite(identity(q->sc), between(fences, hb, all));
	struct relation right = unite(identity(q->sc), between(all, hb, fences));
	q->must = compose(left, compose(scb, right));

	/* psc_F = [Fsc]; (hb ∪ hb; eco; hb); [Fsc] */
	struct relation eco = closure(unite(q->rf, unite(q->mo, q->rb)));
	struct relation via = unite(hb, compose(hb, compose(eco, hb)));
	q->must = unite(q->must, lie == LIE_PSC_F ? none : between(q->sc_fences, via, q->sc_fences));
}

/* Is there an order of execution that the fragment allows? Then S must agree with it. */
static bool executable(struct question *q)
{
	if (q->m->fragment == FULL)
		return true;
	struct relation order = unite(q->x->sb, q->rf);
	if (q->m->fragment == EXECUTION && q->m->lie != LIE_ORDER_MO)
		order = unite(order, q->mo);
	order = closure(order);
	for (int e = 0; e < EVENTS; e++) {
		if (order.before[e] & BIT(e))
			return false;
	}
	if (q->m->lie != LIE_ORDER_S)
		q->must = unite(q->must, order);
	return true;
}

/* 29.3p3: can b read what it reads if S begins with these? S agrees with mo, so the last in S is the last in mo. */
static bool may_read(const struct question *q, set placed, int b)
{
	const struct event *event = q->x->event;
	int source = event[b].source, last = -1;
	bool hidden = false;

	foreach (a, placed) {
		if (!event[a].writes || event[a].location != event[b].location)
			continue;
		if (last < 0 || event[a].rank > event[last].rank)
			last = (int)a;
		hidden |= q->x->hb.before[a] >> source & 1;
	}
	if (source == last)
		return true;
	if (q->sc & BIT(source))
		return q->m->lie == LIE_P3_SC;
	if (last < 0 || q->m->lie == LIE_P3_HB)
		return true;
	return q->m->sc == SC_STRICT ? !hidden : !(q->x->hb.before[last] >> source & 1);
}

/* Can S continue after these? That depends on which they are, not on their order. */
static bool complete(struct question *q, set placed)
{
	set *dead = &q->dead[placed * 0x9e3779b1u >> 24];

	if (placed == q->sc)
		return true;
	if (placed && *dead == placed)
		return false;
	foreach (e, q->sc & ~placed) {
		if (q->must.before[e] & q->sc & ~placed)
			continue;
		if (q->m->sc != SC_PSC && q->x->event[e].reads && !may_read(q, placed, (int)e))
			continue;
		if (complete(q, placed | BIT(e)))
			return true;
	}
	*dead = placed;
	return false;
}

static bool consistent(struct execution *x, const struct model *m)
{
	struct question q;

	for (int e = x->program->atomics; e < x->events; e++) {
		x->hb.before[e] = happens_before(x, e, m);
		if (!coherent(x, e, m))
			return false;
	}
	ask(&q, x, m);
	if (!q.sc && m->fragment == FULL)
		return true;
	if (m->sc == SC_PSC)
		partial_order(&q);
	else
		total_order_clauses(&q);
	return executable(&q) && complete(&q, 0);
}

/* All executions. */

struct search {
	/* Release sequences contain read-modify-writes only, because no store that is added later can interrupt those. So
	 * this happens-before is certain, and an execution that contradicts it need not be continued. */
	struct model sure;
	visitor *visit;
	void *context;
};

static void extend(const struct search *s, struct execution *x);

/* The newest event is a store: every place in mo is possible. */
static void place(const struct search *s, const struct execution *x, int e)
{
	int location = x->event[e].location, stores = x->stores[location];

	for (int rank = stores; rank >= 0; rank--) {
		if (rank < stores && x->event[x->mo[location][rank]].reads && s->sure.lie != LIE_UPDATES)
			continue;
		struct execution y = *x;
		int8_t *mo = y.mo[location];
		for (int later = stores; later > rank; later--) {
			mo[later] = mo[later - 1];
			y.event[mo[later]].rank++;
		}
		mo[rank] = (int8_t)e;
		y.event[e].rank = (int8_t)rank;
		y.stores[location]++;
		if (coherent(&y, e, &s->sure))
			extend(s, &y);
	}
}

/*
 * An execution can be built in many orders. This function keeps one: the next event always comes from the first thread
 * whose next operation has what it reads from. The newest event breaks that rule if all it needs existed when the
 * operation of a later thread was preferred.
 */
static bool in_turn(const struct execution *x, int e)
{
	const struct event *event = x->event;
	int needs = x->sb.before[e] ? 31 - __builtin_clz(x->sb.before[e]) : -1;

	if (event[e].reads && event[e].source > needs)
		needs = event[e].source;
	for (int i = needs + 1; i < e; i++) {
		if (event[i].thread > event[e].thread)
			return false;
	}
	return true;
}

static void add(const struct search *s, struct execution *x, int e)
{
	if (!in_turn(x, e))
		return;
	x->hb.before[e] = happens_before(x, e, &s->sure);
	if (x->event[e].writes)
		place(s, x, e);
	else if (coherent(x, e, &s->sure))
		extend(s, x);
}

static void add_read(const struct search *s, const struct execution *x, int e, const struct op *op)
{
	for (int rank = 0; rank < x->stores[op->location]; rank++) {
		struct execution y = *x;
		struct event *event = &y.event[e];
		event->reads = true;
		event->source = y.mo[op->location][rank];
		event->read = y.event[event->source].written;
		event->writes = op->kind != LOAD &&
		                (op->kind != CAS || event->read == op->expected || s->sure.lie == LIE_FAILED);
		event->written = op->kind == ADD ? event->read + op->value : op->value;
		if (op->kind == CAS && !event->writes && s->sure.lie != LIE_FAILURE && s->sure.lie != LIE_SC)
			event->order = op->failure;
		add(s, &y, e);
	}
}

static void extend(const struct search *s, struct execution *x)
{
	const struct program *p = x->program;
	bool ended = true;

	for (int t = 0; t < p->threads; t++) {
		if (x->done[t] == p->ops[t])
			continue;
		const struct op *op = &p->op[t][x->done[t]];
		struct execution y = *x;
		int e = y.events++;
		y.event[e] = (struct event){.thread = (int8_t)t,
		                            .index = y.done[t]++,
		                            .location = (int8_t)op->location,
		                            .order = op->order,
		                            .fence = op->kind == FENCE,
		                            .writes = op->kind == STORE,
		                            .written = op->value};
		for (int a = 0; a < e; a++) {
			if (y.event[a].thread == t || y.event[a].thread == MAIN)
				y.sb.before[e] |= BIT(a);
		}
		if (op->order != PLAIN && s->sure.lie == LIE_SC)
			y.event[e].order = SEQ_CST;
		ended = false;
		if (op_reads(op)) {
			add_read(s, &y, e, op);
		} else {
			add(s, &y, e);
			return; /* it reads from nobody, so no later thread goes first */
		}
	}
	if (ended)
		s->visit(x, s->context);
}

static void each_candidate(const struct program *p, const struct model *m, visitor *visit, void *context)
{
	struct search s = {.sure = *m, .visit = visit, .context = context};
	struct execution x = {.program = p, .events = p->atomics};

	s.sure.std = STD_CXX20;
	for (int i = 0; i < p->atomics; i++) {
		x.event[i] = (struct event){.thread = MAIN, .location = (int8_t)i, .writes = true, .order = RELAXED};
		x.mo[i][x.stores[i]++] = (int8_t)i;
	}
	extend(&s, &x);
}

struct filter {
	const struct model *m;
	visitor *visit;
	void *context;
};

static void visit_consistent(struct execution *x, void *context)
{
	const struct filter *f = context;

	if (consistent(x, f->m))
		f->visit(x, f->context);
}

void enumerate(const struct program *p, const struct model *m, visitor *visit, void *context)
{
	each_candidate(p, m, visit_consistent, &(struct filter){m, visit, context});
}

/* Outcomes. */

/* Plain locations that two threads access without an order, at least one of them by a write. */
static unsigned races(const struct execution *x, const struct model *m)
{
	unsigned raced = 0;

	for (int b = 0; b < x->events; b++) {
		for (int a = 0; a < b; a++) {
			const struct event *first = &x->event[a], *second = &x->event[b];
			if (first->location < ATOMICS || first->location != second->location)
				continue;
			const struct op *one = &x->program->op[first->thread][first->index];
			const struct op *other = &x->program->op[second->thread][second->index];
			int writes = (one->kind == WRITE) + (other->kind == WRITE);
			int enough = m->lie == LIE_READS ? 0 : m->lie == LIE_WRITES ? 2 : 1;
			if (writes >= enough && !(x->hb.before[b] & BIT(a)))
				raced |= 1u << (first->location - ATOMICS);
		}
	}
	return raced;
}

struct outcome outcome_of(const struct execution *x, const struct model *m)
{
	struct outcome o = {.raced = x->program->plains ? races(x, m) : 0};

	for (int e = x->program->atomics; e < x->events; e++) {
		const struct event *event = &x->event[e];
		if (event->reads)
			o.read[event->thread][event->index] = event->read;
	}
	for (int i = 0; i < x->program->atomics; i++)
		o.last[i] = x->event[x->mo[i][x->stores[i] - 1]].written;
	return o;
}

struct collection {
	const struct model *m;
	struct outcomes all;
};

/* Most executions show nothing new, and need no S. Races need the happens-before of the model. */
static void collect(struct execution *x, void *context)
{
	struct collection *c = context;
	bool racy = x->program->plains;

	if (racy && !consistent(x, c->m))
		return;
	struct outcome o = outcome_of(x, c->m);
	if (!outcomes_have(&c->all, &o) && (racy || consistent(x, c->m)))
		outcomes_add(&c->all, &o);
}

struct outcomes find_outcomes(const struct program *p, const struct model *m)
{
	struct collection c = {.m = m};

	each_candidate(p, m, collect, &c);
	return c.all;
}
