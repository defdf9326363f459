/*
 * Random programs.  Each program has its own profile: each kind of operation has a weight, and many weights are zero.
 * So some programs have only fences, some only one lock, and some everything.
 */
#include <string.h>

#include "differential.h"

struct program program;

static uint64_t state;

static uint64_t next(void)
{
	state += 0x9e3779b97f4a7c15u;
	uint64_t z = state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static unsigned below(unsigned n) { return (unsigned)(next() % n); }
static bool chance(unsigned percent) { return below(100) < percent; }

/* The profile of this program. */
static struct {
	unsigned weight[OP_END], total;
	unsigned care;  /* percent of accesses made under the lock of their place */
	unsigned trust; /* percent of accesses made only after an atomic read that saw a nonzero value */
	unsigned writes;
	unsigned elsewhere;         /* percent of accesses to memory other than the buffer */
	unsigned favour, favourite; /* percent of atomics on this variable */
	unsigned narrow;            /* bytes of the buffer in use */
	unsigned under_lock;        /* percent of atomics made under the lock of their place */
} taste;

static int add(int thread, struct op op)
{
	if (program.ops[thread] == OPS)
		return 0;
	program.op[thread][program.ops[thread]++] = op;
	return 1;
}

/*
 * One word that all threads use in turn, mostly under a lock: some of its bytes atomically, the others plainly.  Cells,
 * second halves and overflow records all meet here.
 */
static void choose_one_word(void)
{
	for (int kind = 0; kind < OP_END; kind++)
		if (kind != OP_READ && kind != OP_WRITE && (kind < OP_LOAD || kind > OP_CAS) && kind != OP_LOCK &&
		    kind != OP_UNLOCK)
			taste.weight[kind] = 0;
	taste.weight[OP_READ] += 8;
	taste.weight[OP_LOAD] += 4;
	taste.narrow = 8;
	taste.elsewhere = 0;
	taste.care = 40 + below(55);
	taste.trust = 0;
	taste.writes = 5 + below(40);
	taste.favour = 80;
	taste.favourite = 4; /* the atomic variable in that word */
	taste.under_lock = below(100);
}

static void choose_taste(void)
{
	static const uint8_t often[] = {0, 1, 2, 4, 8}, cares[] = {0, 50, 80, 95, 100};

	for (int kind = 0; kind < OP_END; kind++)
		taste.weight[kind] = often[below(5)];
	/* these follow rules of their own */
	taste.weight[OP_UNLOCK] = taste.weight[OP_LOCK] + taste.weight[OP_TRYLOCK] / 2;
	taste.weight[OP_BARRIER] = taste.weight[OP_SPAWN] = taste.weight[OP_JOIN] = 0;
	taste.weight[OP_READ] += 4;
	taste.weight[OP_WRITE] += 4;
	/* where locks order everything, the order by atomics cannot be tested */
	bool atomics = chance(30);
	for (int kind = OP_LOCK; atomics && kind <= OP_ONCE; kind++)
		taste.weight[kind] = 0;
	for (int kind = OP_LOAD; atomics && kind <= OP_CAS; kind++)
		taste.weight[kind] += 2;
	taste.care = atomics ? 0 : cares[below(5)];
	taste.trust = chance(atomics ? 20 : 50) ? 0 : below(100);
	taste.favour = below(100);
	taste.favourite = below(4);
	taste.writes = 20 + below(70);
	taste.elsewhere = below(50);
	taste.narrow = 8u << below(chance(50) ? 2 : 4);
	taste.under_lock = 0;
	if (chance(20))
		choose_one_word();
	taste.total = 0;
	for (int kind = 0; kind < OP_END; kind++)
		taste.total += taste.weight[kind];
}

static int usual_area(int thread)
{
	if (!chance(taste.elsewhere))
		return AREA_BUFFER;
	if (chance(60))
		return AREA_HEAP + (int)below(SLOTS);
	return AREA_LOCAL + (chance(50) ? thread : (int)below((unsigned)program.threads));
}

static unsigned room_in(int area) { return area == AREA_BUFFER ? taste.narrow : program.size[area]; }

static void place(struct op *op, int thread, unsigned size)
{
	op->area = (uint8_t)usual_area(thread);
	if (size > room_in(op->area))
		size = room_in(op->area);
	op->size = (uint8_t)size;
	op->offset = (uint8_t)below(room_in(op->area) - size + 1);
}

static unsigned lock_of(const struct op *op) { return (op->area + op->offset / 8) % LOCKS; }

static void add_under_lock(int thread, struct op op)
{
	unsigned lock = lock_of(&op);
	struct op take = {.kind = OP_LOCK, .object = (uint8_t)lock, .value = op.kind == OP_READ, .key = op.key};
	struct op give = {.kind = OP_UNLOCK, .object = (uint8_t)lock, .key = op.key};

	op.under = (uint8_t)(lock + 1);
	if (program.ops[thread] + 3 <= OPS)
		add(thread, take), add(thread, op), add(thread, give);
}

/* Uses a place in the careful way. */
static void add_access(int thread, struct op op)
{
	op.if_seen = chance(taste.trust);
	/* an access across a boundary would need two locks */
	if (!chance(taste.care) || op.kind == OP_COPY || op.kind == OP_MOVE ||
	    op.offset / 8 != (op.offset + op.size - 1) / 8) {
		add(thread, op);
		return;
	}
	add_under_lock(thread, op);
}

static void add_plain(int thread, struct op op)
{
	unsigned size = 1u << below(5);

	op.kind = chance(taste.writes) ? OP_WRITE : OP_READ;
	op.form = (uint8_t)below(8);
	place(&op, thread, size);
	if (op.size != size) /* the area is smaller than this */
		op.size = 1;
	if (op.form < 5)
		op.offset &= (uint8_t) ~(op.size - 1u);
	add_access(thread, op);
}

static void add_copy(int thread, struct op op)
{
	place(&op, thread, below(chance(20) ? 40 : 18));
	op.from_area = (uint8_t)usual_area(thread);
	if (op.size > room_in(op.from_area))
		op.size = (uint8_t)room_in(op.from_area);
	op.from = (uint8_t)below(room_in(op.from_area) - op.size + 1);
	op.form = (uint8_t)below(3); /* within shared memory, from it, or to it */
	int gap = (int)op.from - op.offset;
	if (op.from_area == op.area && gap < op.size && gap > -(int)op.size)
		op.kind = OP_MOVE;
	add_access(thread, op);
}

static void add_atomic(int thread, struct op op)
{
	static const uint8_t load[] = {__ATOMIC_RELAXED, __ATOMIC_CONSUME, __ATOMIC_ACQUIRE, __ATOMIC_SEQ_CST};
	static const uint8_t store[] = {__ATOMIC_RELAXED, __ATOMIC_RELEASE, __ATOMIC_SEQ_CST};
	static const uint8_t fail[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_SEQ_CST};

	/* half of them where only atomics go */
	do
		op.cell = (uint8_t)below((unsigned)program.cells);
	while (program.cell[op.cell].area != AREA_ATOMICS && chance(50));
	if (chance(taste.favour))
		op.cell = (uint8_t)taste.favourite;
	op.area = program.cell[op.cell].area;
	op.offset = program.cell[op.cell].offset;
	op.size = program.cell[op.cell].size;
	op.value = (uint8_t)below(4);
	op.form = (uint8_t)below(7);
	op.failure = fail[below(3)];
	switch (op.kind) {
	case OP_LOAD:
		op.order = load[below(4)];
		break;
	case OP_STORE:
		op.order = store[below(3)];
		break;
	default:
		op.order = (uint8_t)below(6); /* all are valid */
		break;
	}
	if (chance(taste.under_lock))
		add_under_lock(thread, op);
	else
		add(thread, op);
}

static void add_random(int thread, unsigned key)
{
	unsigned at = below(taste.total);
	int kind = 0;

	while (at >= taste.weight[kind])
		at -= taste.weight[kind++];
	struct op op = {.kind = (uint8_t)kind, .key = (uint16_t)key};
	switch (kind) {
	case OP_READ:
	case OP_WRITE:
		add_plain(thread, op);
		return;
	case OP_COPY:
	case OP_MOVE:
		add_copy(thread, op);
		return;
	case OP_SET:
		place(&op, thread, below(chance(20) ? 40 : 18));
		add_access(thread, op);
		return;
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
		add_atomic(thread, op);
		return;
	case OP_FENCE:
		op.order =
		        (uint8_t[]){__ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST}[below(4)];
		break;
	case OP_LOCK:
	case OP_TRYLOCK:
	case OP_TIMEDLOCK:
	case OP_UNLOCK:
		op.object = (uint8_t)below(LOCKS);
		op.value = chance(50);
		break;
	case OP_WAIT: {
		struct op take = {.kind = OP_LOCK, .object = (uint8_t)below(MUTEXES), .key = (uint16_t)key};
		add(thread, take);
		op.object = take.object;
		op.form = (uint8_t)below(CONDS);
		op.value = (uint8_t)below(20);
		break;
	}
	case OP_SIGNAL:
	case OP_BROADCAST:
		op.object = (uint8_t)below(CONDS);
		break;
	case OP_ONCE:
		op.object = (uint8_t)below(ONCES);
		break;
	case OP_MALLOC:
	case OP_FREE:
		op.object = (uint8_t)below(SLOTS);
		op.form = (uint8_t)below(3);
		break;
	default:
		op.object = (uint8_t)below(SEMAPHORES);
		op.value = (uint8_t)below(20);
		break;
	}
	add(thread, op);
}

/*
 * Atomic variables do not overlap and keep their size, because C11 has no others; in the buffer, the heap and the
 * threads' memory plain accesses overlap them.
 */
static void lay_cells(void)
{
	unsigned at = 0;

	program.cells = 0;
	for (unsigned size = 1; size <= 8; size *= 2, at += 8)
		program.cell[program.cells++] = (struct cell){AREA_ATOMICS, (uint8_t)at, (uint8_t)size};
	for (unsigned word = 0; word < 3 && word * 8 < taste.narrow; word++) {
		unsigned size = 1u << below(4);
		at = word * 8 + below(8 / size) * size;
		program.cell[program.cells++] = (struct cell){AREA_BUFFER, (uint8_t)at, (uint8_t)size};
	}
	for (int slot = 0; slot < SLOTS; slot++)
		program.cell[program.cells++] = (struct cell){(uint8_t)(AREA_HEAP + slot), 8, 4};
	program.cell[program.cells++] = (struct cell){AREA_LOCAL, 16, 8};
	program.cell[program.cells++] = (struct cell){AREA_LOCAL + 1, 4, 2};
}

/* Its parent spawns and joins a thread; where there are barriers, before and after all of them. */
static void lay_threads(bool barriers)
{
	for (int child = 1; child < program.threads; child++) {
		int parent = (int)below((unsigned)child);
		unsigned start = below(barriers ? 500 : 900);
		struct op spawn = {
		        .kind = OP_SPAWN, .object = (uint8_t)child, .form = (uint8_t)below(4), .key = (uint16_t)start};
		struct op join = {.kind = OP_JOIN, .object = (uint8_t)child, .form = spawn.form};

		if (chance(70)) /* early, so that there is something to race with */
			spawn.key = (uint16_t)below(50);
		program.detached[child] = chance(20);
		join.key = (uint16_t)(barriers ? 800 + below(200) : spawn.key + 1u + below(999u - spawn.key));
		if (chance(70))
			join.key = 999;
		add(parent, spawn);
		if (!program.detached[child])
			add(parent, join);
	}
}

/* All threads pass the barriers in the same order, so no two barriers wait for each other. */
static void lay_barriers(void)
{
	bool comes[BARRIERS][THREADS];
	int meetings = 1 + (int)below(5);

	for (int b = 0; b < BARRIERS; b++) {
		int first = (int)below((unsigned)program.threads), second = (first + 1) % program.threads;
		program.meets[b] = 0;
		for (int t = 0; t < program.threads; t++) {
			comes[b][t] = t == first || t == second || chance(50);
			program.meets[b] += comes[b][t];
		}
	}
	for (int m = 0; m < meetings; m++) {
		int b = (int)below(BARRIERS);
		for (int t = 0; t < program.threads; t++)
			if (comes[b][t])
				add(t, (struct op){.kind = OP_BARRIER,
				                   .object = (uint8_t)b,
				                   .key = (uint16_t)(500 + 50 * m)});
	}
}

static void sort(int thread)
{
	struct op *op = program.op[thread];

	for (int i = 1; i < program.ops[thread]; i++) {
		struct op moving = op[i];
		int at = i;
		for (; at && op[at - 1].key > moving.key; at--)
			op[at] = op[at - 1];
		op[at] = moving;
	}
}

void generate(uint64_t seed)
{
	memset(&program, 0, sizeof(program));
	program.seed = state = seed;
	program.threads = 2 + (int)below(4);
	program.size[AREA_BUFFER] = program.size[AREA_ATOMICS] = BUFFER_SIZE;
	for (int slot = 0; slot < SLOTS; slot++)
		program.size[AREA_HEAP + slot] = 12 + 4 * below(2) + below(2) * (4 + below(20));
	for (int t = 0; t < THREADS; t++)
		program.size[AREA_LOCAL + t] = LOCAL_SIZE;
	choose_taste();
	lay_cells();
	for (int b = 0; b < BARRIERS; b++)
		program.meets[b] = 1;

	/* first the operations that must not be left out when there is no room */
	bool barriers = chance(30);
	lay_threads(barriers);
	if (barriers)
		lay_barriers();
	for (int t = 0; t < program.threads; t++) {
		int n = 5 + (int)below(36);
		for (int i = 0; i < n; i++)
			add_random(t, below(1000));
		sort(t);
	}
}
