/*
 * generate linear THREADS LOCKS VARIABLES EVENTS [SEED]: a trace in STD without values and branches. Threads take turns
 * of random length; half of the variables belong to a lock and are accessed under it, the others to a thread, and one
 * in fifty accesses goes to one of a few variables that nothing protects.
 *
 * generate derby [SEED]: a trace with values and branches of the shape of "derby" in table 1 of the paper: 3 threads,
 * 856K events, of these 613K accesses, 38K synchronisation and 205K branches, and 469 pairs of places that no lock and
 * no fork orders. By construction happens-before has 12 of them, sync-preserving 2 more, 104 more are races, and 351
 * are not.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 32) * n >> 32);
}

/* ---- linear ---- */

enum { UNPROTECTED = 16, PLACES = 4 };

struct thread {
	int lock;      /* held, or -1 */
	uint32_t left; /* accesses until it is released */
};

static void access_line(uint32_t t, char kind, uint32_t variable, uint32_t group)
{
	/* A place reads or writes some of the variables. */
	printf("T%u|%c(v%u)|%u\n", t, kind, variable, (group % 64 * 2 + (kind == 'w')) * PLACES + below(PLACES));
}

static uint64_t linear_step(uint32_t t, struct thread *me, bool *taken, uint32_t threads, uint32_t locks,
                            uint32_t variables)
{
	char kind = below(3) ? 'r' : 'w';
	uint32_t half = variables / 2 / locks ? variables / 2 / locks : 1;

	if (me->lock >= 0 && !me->left--) {
		printf("T%u|rel(l%d)|9999\n", t, me->lock);
		taken[me->lock] = false;
		me->lock = -1;
	} else if (me->lock >= 0) {
		uint32_t v = (uint32_t)me->lock + locks * below(half);
		access_line(t, kind, v, v);
	} else if (below(10) == 0) {
		int l = (int)below(locks);
		if (taken[l])
			return 0;
		printf("T%u|acq(l%d)|9998\n", t, l);
		taken[l] = true;
		me->lock = l;
		me->left = 1 + below(8);
	} else if (below(50) == 0) {
		uint32_t v = below(UNPROTECTED);
		access_line(t, below(10) ? 'r' : 'w', variables + v, 64 + v);
	} else {
		uint32_t own = variables / 2 / threads ? variables / 2 / threads : 1;
		access_line(t, kind, locks * half + t * own + below(own), 7);
	}
	return 1;
}

static void linear(uint32_t threads, uint32_t locks, uint32_t variables, uint64_t events)
{
	struct thread *all = calloc(threads, sizeof *all);
	bool *taken = calloc(locks, sizeof *taken);
	uint64_t done = threads - 1;

	for (uint32_t t = 0; t < threads; t++)
		all[t].lock = -1;
	for (uint32_t t = 1; t < threads; t++)
		printf("T0|fork(T%u)|9997\n", t);
	while (done < events) {
		uint32_t t = below(threads);
		for (uint32_t turn = 1 + below(40); turn && done < events; turn--)
			done += linear_step(t, &all[t], taken, threads, locks, variables);
	}
	free(all);
	free(taken);
}

/* ---- derby ---- */

enum { CANDIDATES = 469, BY_HB = 12, BY_SP = 2, BY_BRANCHES = 104, INSTANCES = 4, LOCKS = 24 };
enum { ACCESSES = 613000, SYNC = 38000, BRANCHES = 205000 };

static uint64_t accesses, sync_events, branches, fresh = 1;
static uint64_t values[LOCKS * 4]; /* of what the locks protect */

static void op(int t, const char *text, uint32_t n, uint32_t place)
{
	printf("T%d|%s%u)|%u\n", t, text, n, place);
	sync_events++;
}

static void valued(int t, char kind, const char *name, uint64_t n, uint64_t value, uint32_t place)
{
	printf("T%d|%c(%s%lu=%lu)|%u\n", t, kind, name, n, value, place);
	accesses++;
}

static void branch(int t)
{
	printf("T%d|branch()|1\n", t);
	branches++;
}

static uint64_t own[3][400]; /* what each thread keeps for itself */

/* What no other thread sees. */
static void private_piece(int t)
{
	for (uint32_t n = 2 + below(5); n; n--) {
		uint32_t v = below(400);
		bool writes = below(3) == 0;
		if (writes)
			own[t][v] = fresh++;
		valued(t, writes ? 'w' : 'r', t == 0 ? "p" : t == 1 ? "q" : "o", v, own[t][v], 10 + (uint32_t)t);
	}
	while (branches * ACCESSES < accesses * BRANCHES)
		branch(t);
}

/* A small critical section, on data that is only accessed in such. */
static void section(int t)
{
	uint32_t l = below(LOCKS);

	op(t, "acq(l", l, 20);
	for (uint32_t n = 1 + below(4); n; n--) {
		uint32_t v = l * 4 + below(4);
		bool writes = below(2) == 0;
		if (writes)
			values[v] = fresh++;
		valued(t, writes ? 'w' : 'r', "s", v, values[v], 22 + writes);
	}
	op(t, "rel(l", l, 21);
}

static void pause(int t)
{
	for (uint32_t n = below(6); n; n--)
		private_piece(t);
}

/*
 * Thread a writes data, then, under a lock, that it is there; thread b looks, and reads the data. It is a race unless b
 * decides by what it has seen. Every instance has data of its own: otherwise b would race with the next one.
 */
static void instance(uint32_t candidate, uint64_t serial)
{
	int a = (int)below(3), b = (a + 1 + (int)below(2)) % 3;
	uint32_t place = 100 + candidate * 4, l = candidate % LOCKS;
	bool plain = candidate < BY_HB, disjoint = !plain && candidate < BY_HB + BY_SP;
	bool decides = candidate >= BY_HB + BY_SP + BY_BRANCHES;

	valued(a, 'w', "d", serial, 7, place);
	if (!plain) {
		op(a, "acq(l", l, place + 1);
		valued(a, 'w', "f", serial, 1, place + 1);
		op(a, "rel(l", l, place + 1);
		pause(a);
		op(b, "acq(l", l, place + 2);
		valued(b, disjoint ? 'w' : 'r', disjoint ? "g" : "f", serial, 1, place + 2);
		op(b, "rel(l", l, place + 2);
		if (decides)
			branch(b);
	}
	valued(b, 'r', "d", serial, 7, place + 3);
}

static void derby(void)
{
	uint64_t total = (uint64_t)CANDIDATES * INSTANCES, made = 0;

	puts("# branches");
	op(0, "fork(T", 1, 2);
	op(0, "fork(T", 2, 3);
	while (accesses < ACCESSES || made < total) {
		int t = (int)below(3);
		/* All kinds evenly over the trace; candidates in an order that mixes them. */
		if (made < total && made * ACCESSES <= accesses * total) {
			instance((uint32_t)(made * 131 % CANDIDATES), made);
			made++;
		} else if (sync_events * ACCESSES < accesses * SYNC) {
			section(t);
		} else {
			private_piece(t);
		}
	}
}

int main(int argc, char **argv)
{
	static char buffer[1 << 20];

	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	bool is_derby = argc >= 2 && !strcmp(argv[1], "derby");
	const char *seed = is_derby ? (argc > 2 ? argv[2] : "1") : argc > 6 ? argv[6] : "1";
	state = strtoull(seed, NULL, 10) * 0x9e3779b97f4a7c15 + 1;
	if (is_derby) {
		derby();
		return fflush(stdout) != 0;
	}
	uint64_t numbers[4] = {0};
	for (int i = 0; i < 4 && i + 2 < argc; i++)
		numbers[i] = strtoull(argv[i + 2], NULL, 10);
	if (argc < 6 || strcmp(argv[1], "linear") || !numbers[0] || !numbers[1] || !numbers[2]) {
		fputs("usage: generate linear THREADS LOCKS VARIABLES EVENTS [SEED] | generate derby [SEED]\n", stderr);
		return 2;
	}
	linear((uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2], numbers[3]);
	return fflush(stdout) != 0;
}
