#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "litmus.h"

/* All models, a bit each, and groups of models that allow the same. */
enum { MODELS = STANDARDS * SC_RULES * FRAGMENTS };

static struct model model(int i)
{
	return (struct model){
	        .std = i / (SC_RULES * FRAGMENTS), .sc = i / FRAGMENTS % SC_RULES, .fragment = i % FRAGMENTS};
}

enum {
	NEVER = 0,
	ANY = (1 << MODELS) - 1,
	ANY_C11 = (1 << MODELS / 2) - 1,
	ANY_CXX20 = ANY - ANY_C11,
	ANY_TEXT = 07007,
	ANY_STRICT = ANY_TEXT << FRAGMENTS,
	ANY_PSC = ANY_STRICT << FRAGMENTS,
	ANY_S = ANY_TEXT | ANY_STRICT,
	ANY_FULL = 0111111,
	ANY_EXECUTION = ANY_FULL << EXECUTION,
};

const struct litmus litmus[] = {
        /* Coherence: one location. */
        {"CoRR", "store x 1 rlx | load x rlx, load x rlx", "*T1: 1 0 *", NEVER},
        {"CoRR2", "store x 1 rlx | store x 2 rlx | load x rlx, load x rlx | load x rlx, load x rlx",
         "*T2: 1 2 ; T3: 2 1 *", NEVER},
        {"CoWW", "store x 1 rlx, store x 2 rlx", "*x=1", NEVER},
        {"CoWR", "store x 1 rlx, load x rlx | store x 2 rlx", "T0: 0 *", NEVER},
        {"CoWR+late", "store x 1 rlx, load x rlx | store x 2 rlx", "T0: 2 *x=1", NEVER},
        {"CoRW", "load x rlx, store x 1 rlx | store x 2 rlx", "T0: 2 *x=2", NEVER},
        {"add+add", "add x 16 rlx | add x 32 rlx", "T0: 0 ; T1: 0 *", NEVER},
        {"add+store", "add x 16 rlx | store x 1 rlx", "T0: 0 *x=16", NEVER},
        {"cas+cas", "cas x 0 1 rlx rlx | cas x 0 2 rlx rlx", "T0: 0 ; T1: 0 *", NEVER},
        {"cas+fails", "cas x 0 1 rlx rlx | cas x 0 2 rlx rlx", "T0: 0 ; T1: 1 ; x=1", ANY},
        {"cas+old", "store x 1 rlx, cas x 0 2 rlx rlx", "T0: 0 *", NEVER},

        /* Message passing. */
        {"MP+rlx", "store x 1 rlx, store y 1 rlx | load y rlx, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+rel+acq", "store x 1 rlx, store y 1 rel | load y acq, load x rlx", "*T1: 1 0 *", NEVER},
        {"MP+rel+rlx", "store x 1 rlx, store y 1 rel | load y rlx, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+rlx+acq", "store x 1 rlx, store y 1 rlx | load y acq, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+sc", "store x 1 sc, store y 1 sc | load y sc, load x sc", "*T1: 1 0 *", NEVER},
        {"MP+fences", "store x 1 rlx, fence rel, store y 1 rlx | load y rlx, fence acq, load x rlx", "*T1: 1 0 *",
         NEVER},
        {"MP+fence+acq", "store x 1 rlx, fence rel, store y 1 rlx | load y acq, load x rlx", "*T1: 1 0 *", NEVER},
        {"MP+rel+fence", "store x 1 rlx, store y 1 rel | load y rlx, fence acq, load x rlx", "*T1: 1 0 *", NEVER},
        {"MP+late-fence", "store x 1 rlx, store y 1 rlx, fence rel | load y acq, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+early-fence", "store x 1 rlx, store y 1 rel | fence acq, load y rlx, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+wrong-fences", "store x 1 rlx, fence acq, store y 1 rlx | load y rlx, fence rel, load x rlx", "*T1: 1 0 *",
         ANY},
        {"MP+exchange", "store x 1 rlx, exchange y 1 rel | exchange y 2 acq, load x rlx", "*T1: 1 0 *", NEVER},
        {"MP+exchange+acq", "store x 1 rlx, exchange y 1 acq | exchange y 2 acq, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+exchange+rel", "store x 1 rlx, exchange y 1 rel | exchange y 2 rel, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+cas", "store x 1 rlx, store y 1 rel | cas y 1 2 acq rlx, load x rlx", "*T1: 1 0 *", NEVER},
        {"MP+cas-fails", "store x 1 rlx, store y 1 rel | cas y 9 2 acq rlx, load x rlx", "*T1: 1 0 *", ANY},
        {"MP+cas-fails+acq", "store x 1 rlx, store y 1 rel | cas y 9 2 acq acq, load x rlx", "*T1: 1 0 *", NEVER},
        {"MP+stores", "store x 1 rlx, store y 1 rel | load y acq, store x 2 rlx", "*T1: 1 ; x=1 *", NEVER},
        {"MP+loads", "load x rlx, store y 1 rel | load y acq, store x 1 rlx | store x 2 rlx", "T0: 2 ; T1: 1 *x=2 *",
         NEVER},
        {"WRC", "store x 1 rlx | load x rlx, store y 1 rel | load y acq, load x rlx", "*T1: 1 ; T2: 1 0 *", NEVER},
        {"WRC+rlx", "store x 1 rlx | load x rlx, store y 1 rlx | load y rlx, load x rlx", "*T1: 1 ; T2: 1 0 *", ANY},
        {"ISA2", "store x 1 rlx, store y 1 rel | load y acq, store z 1 rel | load z acq, load x rlx",
         "*T1: 1 ; T2: 1 0 *", NEVER},
        {"ISA2+rlx", "store x 1 rlx, store y 1 rel | load y rlx, store z 1 rel | load z acq, load x rlx",
         "*T1: 1 ; T2: 1 0 *", ANY},

        /* Release sequences. */
        {"RS+own", "store x 1 rlx, store y 1 rel, store y 2 rlx | load y acq, load x rlx", "*T1: 2 0 *", ANY_CXX20},
        {"RS+foreign", "store x 1 rlx, store y 1 rel | store y 2 rlx | load y acq, load x rlx", "*T2: 2 0 *y=2", ANY},
        {"RS+blocked", "store x 1 rlx, store y 1 rel, store y 2 rlx | store y 3 rlx | load y acq, load x rlx",
         "*T2: 2 0 *", ANY},
        {"RS+update", "store x 1 rlx, store y 1 rel | add y 16 rlx | load y acq, load x rlx", "*T1: 1 ; T2: 17 0 *",
         NEVER},
        {"RS+own-update", "store x 1 rlx, store y 1 rel, store y 2 rlx | add y 16 rlx | load y acq, load x rlx",
         "*T2: 18 0 *", ANY_CXX20},
        {"RS+two-heads",
         "store x 1 rlx, store y 1 rel | store z 1 rlx, add y 16 rel | load y acq, load x rlx, load z rlx",
         "*T1: 1 ; T2: 17 0 *", NEVER},
        {"RS+two-heads-z",
         "store x 1 rlx, store y 1 rel | store z 1 rlx, add y 16 rel | load y acq, load x rlx, load z rlx",
         "*T1: 1 ; T2: 17 1 0 *", NEVER},
        {"RS+fence", "store x 1 rlx, fence rel, store y 1 rlx | add y 16 rlx | load y rlx, fence acq, load x rlx",
         "*T1: 1 ; T2: 17 0 *", NEVER},

        /* Store buffering. */
        {"SB+rlx", "store x 1 rlx, load y rlx | store y 1 rlx, load x rlx", "T0: 0 ; T1: 0 *", ANY},
        {"SB+rel+acq", "store x 1 rel, load y acq | store y 1 rel, load x acq", "T0: 0 ; T1: 0 *", ANY},
        {"SB+sc", "store x 1 sc, load y sc | store y 1 sc, load x sc", "T0: 0 ; T1: 0 *", NEVER},
        {"SB+sc+rlx", "store x 1 sc, load y sc | store y 1 rlx, load x sc", "T0: 0 ; T1: 0 *", ANY},
        {"SB+fences", "store x 1 rlx, fence sc, load y rlx | store y 1 rlx, fence sc, load x rlx", "T0: 0 ; T1: 0 *",
         NEVER},
        {"SB+fence", "store x 1 rlx, fence sc, load y rlx | store y 1 rlx, load x rlx", "T0: 0 ; T1: 0 *", ANY},
        {"SB+fences+ar", "store x 1 rlx, fence ar, load y rlx | store y 1 rlx, fence ar, load x rlx", "T0: 0 ; T1: 0 *",
         ANY},
        {"SB+sc+fence", "store x 1 sc, load y sc | store y 1 rlx, fence sc, load x rlx", "T0: 0 ; T1: 0 *", NEVER},
        {"SB+rlx+fence", "store x 1 rlx, load y sc | store y 1 rlx, fence sc, load x rlx", "T0: 0 ; T1: 0 *", ANY},
        {"SB+exchange", "exchange x 1 ar, load y acq | exchange y 1 ar, load x acq", "T0: 0 0 ; T1: 0 0 *", ANY},
        {"SB+exchange+sc", "exchange x 1 sc, load y sc | exchange y 1 sc, load x sc", "T0: 0 0 ; T1: 0 0 *", NEVER},
        {"SB+relay", "store x 1 sc, store z 1 rel | load z acq, load y sc | store y 1 sc, load x sc",
         "*T1: 1 0 ; T2: 0 *", NEVER},
        {"SB+third", "store x 1 rlx | store x 2 sc, load y sc | store y 1 sc, load x sc", "*T1: 0 ; T2: 1 ; x=2 *",
         ANY_S},
        {"SB+third+sc", "store x 1 sc | store x 2 sc, load y sc | store y 1 sc, load x sc", "*T1: 0 ; T2: 1 ; x=2 *",
         NEVER},
        {"SB+own", "store x 1 rlx, store x 2 sc, load y sc | store y 1 sc, load x sc", "T0: 0 ; T1: 1 *", NEVER},
        {"SB+third+own", "store x 1 rlx, store x 2 sc | store x 3 sc, load y sc | store y 1 sc, load x sc",
         "*T1: 0 ; T2: 1 ; x=3 *", ANY_TEXT},

        /* Load buffering: here a read sees only stores that exist already. */
        {"LB", "load x rlx, store y 1 rlx | load y rlx, store x 1 rlx", "T0: 1 ; T1: 1 *", NEVER},
        {"LB+one", "load x rlx, store x 1 rlx", "T0: 1 *", NEVER},
        {"LB+exchange", "exchange x 1 sc | exchange x 2 sc", "T0: 2 ; T1: 1 *", NEVER},
        {"LB+rel+acq", "load x rlx, store y 1 rel | load y acq, store x 1 rlx", "T0: 1 ; T1: 1 *", NEVER},
        {"LB+add", "add x 16 rlx, add y 16 rlx | add y 32 rlx, add x 32 rlx", "T0: 32 *; T1: 16 *", NEVER},

        /* Stores, and only one load. */
        {"2+2W+rlx", "store x 1 rlx, store y 2 rlx | store y 1 rlx, store x 2 rlx", "*x=1 y=1", ANY & ~ANY_EXECUTION},
        {"2+2W+rel", "store x 1 rel, store y 2 rel | store y 1 rel, store x 2 rel", "*x=1 y=1", ANY & ~ANY_EXECUTION},
        {"2+2W+sc", "store x 1 sc, store y 2 sc | store y 1 sc, store x 2 sc", "*x=1 y=1", NEVER},
        {"2+2W+fences", "store x 1 rlx, fence sc, store y 2 rlx | store y 1 rlx, fence sc, store x 2 rlx", "*x=1 y=1",
         NEVER},
        {"2+2W+fence+sc", "store x 1 rlx, fence sc, store y 2 rlx | store y 1 sc, store x 2 sc", "*x=1 y=1", NEVER},
        {"S+rlx", "store x 1 rlx, store y 1 rlx | load y rlx, store x 2 rlx", "*T1: 1 ; x=1 *", ANY & ~ANY_EXECUTION},
        {"R+rlx", "store x 1 rlx, store y 1 rlx | store y 2 rlx, load x rlx", "*T1: 0 *y=2", ANY},
        {"R+sc", "store x 1 sc, store y 1 sc | store y 2 sc, load x sc", "*T1: 0 *y=2", NEVER},
        {"R+fences", "store x 1 rlx, fence sc, store y 1 rlx | store y 2 rlx, fence sc, load x rlx", "*T1: 0 *y=2",
         NEVER},

        /* Where S, RC11 and the order of execution differ. */
        {"IRIW+acq", "store x 1 rel | store y 1 rel | load x acq, load y acq | load y acq, load x acq",
         "*T2: 1 0 ; T3: 1 0 *", ANY},
        {"IRIW+sc", "store x 1 sc | store y 1 sc | load x sc, load y sc | load y sc, load x sc", "*T2: 1 0 ; T3: 1 0 *",
         NEVER},
        {"IRIW+fences",
         "store x 1 rlx | store y 1 rlx | load x rlx, fence sc, load y rlx | load y rlx, fence sc, load x rlx",
         "*T2: 1 0 ; T3: 1 0 *", ANY_S},
        {"IRIW+acq+sc", "store x 1 sc | store y 1 sc | load x acq, load y sc | load y acq, load x sc",
         "*T2: 1 0 ; T3: 1 0 *", ANY_PSC &ANY_FULL},
        {"RWC+fences", "store x 1 rlx | load x rlx, fence sc, load y rlx | store y 1 rlx, fence sc, load x rlx",
         "*T1: 1 0 ; T2: 0 *", ANY_S},
        {"RWC+rlx+sc", "store x 1 sc | load x rlx, load y sc | store y 1 sc, load x sc", "*T1: 1 0 ; T2: 0 *",
         ANY_FULL},
        {"Z6.U", "store x 1 sc, store y 1 rel | add y 16 sc, load y rlx | store y 3 sc, load x sc",
         "*T1: 1 3 ; T2: 0 *", ANY_PSC &ANY_FULL},

        /* Races. */
        {"race+rel+acq", "write p 1, store x 1 rel | load x acq, read p", "*T1: 1 *raced", NEVER},
        {"race+early", "write p 1, store x 1 rel | load x acq, read p", "*T1: 0 *raced", ANY},
        {"race+rlx", "write p 1, store x 1 rlx | load x acq, read p", "*T1: 1 ; x=1", NEVER},
        {"race+reads", "read p, store x 1 rlx | read p, store x 2 rlx", "*raced", NEVER},
        {"race+own", "write p 1, store x 1 rel, store x 2 rlx | load x acq, write p 2", "*T1: 2 *raced", ANY_CXX20},
        {0},
};

static const char *const lie_names[] = {
#define X(id, name) name,
        LIES(X)
#undef X
};

static struct outcomes outcomes_of(const struct program *p, int number, enum lie lie)
{
	struct model m = model(number);

	m.lie = lie;
	return find_outcomes(p, &m);
}

/* The models that allow what the test asks for. */
static unsigned allowing(const struct litmus *l, enum lie lie)
{
	struct program p;
	char line[LINE_SIZE];
	unsigned allowed = 0;

	if (!program_parse(&p, l->program))
		return ~l->allowed;
	for (int i = 0; i < MODELS; i++) {
		struct outcomes o = outcomes_of(&p, i, lie);
		for (size_t k = 0; k < o.n; k++) {
			outcome_line(&p, &o.at[k], line);
			if (fnmatch(l->outcome, line, 0) == 0)
				allowed |= 1u << i;
		}
		outcomes_free(&o);
	}
	return allowed;
}

/* Random programs. */

/* Executes the program one operation at a time, in every order: what sequential consistency allows. */
struct interleaving {
	const struct program *program;
	int done[THREADS];
	struct outcome so_far; /* last: the memory */
};

static void interleave(const struct interleaving *w, struct outcomes *all)
{
	bool ended = true;

	for (int t = 0; t < w->program->threads; t++) {
		if (w->done[t] == w->program->ops[t])
			continue;
		struct interleaving next = *w;
		int i = next.done[t]++;
		const struct op *op = &w->program->op[t][i];
		if (op->kind != FENCE) {
			int *cell = &next.so_far.last[op->location], old = *cell;
			if (op_reads(op))
				next.so_far.read[t][i] = old;
			if (op->kind != LOAD && (op->kind != CAS || old == op->expected))
				*cell = op->kind == ADD ? old + op->value : op->value;
		}
		interleave(&next, all);
		ended = false;
	}
	if (ended)
		outcomes_add(all, &w->so_far);
}

static void note_outcome(struct execution *x, void *all)
{
	struct outcome o = outcome_of(x, &(struct model){0});

	outcomes_add(all, &o);
}

/* What is wrong with the models' outcomes of one program, by rules that hold for any program. */
static const char *wrong_with(const struct program *p)
{
	struct outcomes of[MODELS], sc = {0}, listed = {0};
	const char *wrong = NULL;

	interleave(&(struct interleaving){.program = p}, &sc);
	enumerate(p, &(struct model){0}, note_outcome, &listed);
	for (int i = 0; i < MODELS; i++) {
		of[i] = outcomes_of(p, i, LIE_SC);
		if (of[i].n != sc.n || !outcomes_subset(&sc, &of[i]))
			wrong = "if all is seq_cst, its outcomes are not those of the interleavings";
		outcomes_free(&of[i]);
		of[i] = outcomes_of(p, i, NO_LIE);
		if (!outcomes_subset(&sc, &of[i]))
			wrong = "an interleaving is not allowed";
	}
	if (listed.n != of[0].n || !outcomes_subset(&listed, &of[0]))
		wrong = "its executions have other outcomes than found";
	for (int i = 0; i < MODELS; i++) {
		struct model m = model(i);
		if (m.fragment != FULL && !outcomes_subset(&of[i], &of[i - 1]))
			wrong = "a fragment has outcomes that the whole does not have";
		if (m.std != STD_C11 && !outcomes_subset(&of[i - MODELS / 2], &of[i]))
			wrong = "C++20, with less synchronisation, allows less";
		if (m.sc == SC_STRICT && !outcomes_subset(&of[i], &of[i - FRAGMENTS]))
			wrong = "the strict rule allows more";
	}
	for (int i = 0; i < MODELS; i++)
		outcomes_free(&of[i]);
	outcomes_free(&listed);
	outcomes_free(&sc);
	return wrong;
}

/* Verdicts. */

static bool verdict(const char *what, const char *name, const char *wrong)
{
	printf("%s c11 %s %s%s%s\n", wrong ? "FAIL" : "ok", what, name, wrong ? ": " : "", wrong ? wrong : "");
	return !wrong;
}

bool self_test(void)
{
	enum { N = sizeof litmus / sizeof litmus[0] - 1, PROGRAMS = 300 };
	bool good = true, notices[N] = {false};
	char text[64];

	for (unsigned lie = 1; lie <= sizeof lie_names / sizeof lie_names[0]; lie++) {
		bool noticed = false;
		for (int i = 0; i < N; i++) {
			if (allowing(&litmus[i], lie) != litmus[i].allowed)
				noticed = notices[i] = true;
		}
		good &= verdict("wrong about", lie_names[lie - 1], noticed ? NULL : "goes unnoticed");
	}
	for (int i = 0; i < N; i++) {
		unsigned allowed = allowing(&litmus[i], NO_LIE);
		const char *wrong = NULL;
		snprintf(text, sizeof text, "allowed by %06o, not by %06o", allowed, litmus[i].allowed);
		if (allowed != litmus[i].allowed)
			wrong = text;
		else if (!notices[i] && strncmp(litmus[i].name, "LB", 2) != 0)
			wrong = "cannot fail";
		good &= verdict("litmus", litmus[i].name, wrong);
	}
	for (unsigned number = 1; number <= PROGRAMS; number++) {
		struct program p = program_generate(number, false);
		const char *wrong = wrong_with(&p);
		snprintf(text, sizeof text, "programs up to %u", number);
		if (wrong || number == PROGRAMS)
			good &= verdict("random", text, wrong);
	}
	return good;
}
