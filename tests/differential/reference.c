/*
 * The slow, obvious detector: it receives every operation in the order in which it happens, keeps every access for ever
 * and compares each new one with all earlier ones.  It is not instrumented: the runtime neither sees what it does nor
 * switches threads inside it, so it needs no locks.
 *
 * Why the order of the notes gives the same happens-before as the execution has:
 *
 * - A plain access has its scheduling point before it, and its note follows without another. (It would not matter:
 *   whether two accesses race depends on their place among the operations of their own threads, not on which came
 * first.) The same holds for free. A block is not freed while another thread is between taking its address and its
 * note.
 * - An atomic has its point before it and its note after it, so the notes are in the order of the operations.
 * - Locks: the note of an unlock comes before the call, that of a lock after it. Between note and call others may run
 *   (the unlock has a point before it), but the lock is still held: no other thread's note about it can come in
 * between, except those of other readers, whose order does not count. A wait for a condition is an unlock and a lock.
 * - sem_post has no point before it, so the note and the post are one; so are a successful wait and its note.
 * - Barriers: each thread counts the rounds, so it does not matter whose note comes first.
 * - pthread_once: the note at the end of the function comes before the completion, for which the others wait; they
 *   write their notes after that.
 * - Threads: the creator's note comes before the child exists, the child's last note before its end, which join awaits.
 * - malloc is noted after the call, when no other thread knows the block; free before the call, while nobody can get
 * the again.
 *
 * Where C11 is open, or where a detector may decide otherwise for a good reason, both ways are computed (struct model),
 * and where they differ nothing is required. Less order means more races: a detector between the two is right.
 *
 * Options: -l LIE makes the reference wrong in one way (LIES), -o FILE appends what it compared, -v always prints the
 * account of the execution, -x T.N,T.N... leaves out operations (the N-th of thread T), to make a program
 * smaller.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

/* Each is a mistake that a detector could make; a test that does not notice it is not worth much. */
#define LIES(X)                                                                                                        \
	X(LOCKS, "locks")           /* locks order nothing */                                                          \
	X(READERS, "readers")       /* readers order each other */                                                     \
	X(WRITERS, "writers")       /* a writer is not after the readers */                                            \
	X(TRYLOCKS, "trylocks")     /* a failed lock orders too */                                                     \
	X(SEMAPHORES, "semaphores") /* semaphores order nothing */                                                     \
	X(TRYWAITS, "trywaits")     /* a failed wait orders too */                                                     \
	X(BARRIERS, "barriers")     /* barriers order nothing */                                                       \
	X(ROUNDS, "rounds")         /* all rounds of a barrier are one */                                              \
	X(ONCE, "once")             /* pthread_once orders nothing */                                                  \
	X(CREATE, "create")         /* a thread knows nothing of its creator */                                        \
	X(JOIN, "join")             /* a joiner knows nothing of the thread */                                         \
	X(FENCES, "fences")         /* fences order nothing */                                                         \
	X(EAGER, "eager")           /* relaxed loads acquire */                                                        \
	X(RELAXED, "relaxed")       /* relaxed stores release */                                                       \
	X(UPDATES, "updates")       /* a read-modify-write ends release sequences */                                   \
	X(FOREIGN, "foreign")       /* a store by another thread does not */                                           \
	X(OWN, "own")               /* a store by the same thread does, as in C++20 */                                 \
	X(FAILED, "failed")         /* a failed compare-exchange writes */                                             \
	X(ORDERS, "orders")         /* and has the order of a successful one */                                        \
	X(FREE, "free")             /* free is no write */                                                             \
	X(REUSE, "reuse")           /* memory keeps its past when it is allocated anew, or another thread's stack */   \
	X(ATOMICS, "atomics")       /* an atomic and a plain access do not race */

enum lie {
#define X(id, name) LIE_##id,
	LIES(X)
#undef X
	        NO_LIE
};

struct model models[MODELS];
struct region region[REGIONS];
int regions;
struct access access_[EVENTS];
int accesses;
bool *conflict[REGIONS];
struct event event[EVENTS];
int events;

static struct {
	char *memory;
	int region;
	int pins;
	bool reserved;
} areas[AREAS];

static struct {
	int at; /* the next operation */
	int depth[LOCKS];
	bool reads; /* holds the reader-writer lock to read */
	bool spawned, running;
	uint64_t seen;
	int rounds[BARRIERS];
} thread[THREADS];

static enum lie lie = NO_LIE;
static bool left_out[THREADS][OPS];
bool talks, merging;
const char *statistics;
static char buffer[BUFFER_SIZE] __attribute__((aligned(16)));
static char atomics[BUFFER_SIZE] __attribute__((aligned(16)));

/* Happens-before. */

static void join(struct clock *into, const struct clock *other)
{
	for (int i = 0; i < THREADS; i++)
		if (other->of[i] > into->of[i])
			into->of[i] = other->of[i];
}

/* An operation happens and gets a time of its own. */
static void happens(int self, const char *what, uint64_t seen)
{
	if (events == EVENTS)
		abort();
	event[events++] = (struct event){
	        .thread = (uint8_t)self, .op = (uint8_t)(thread[self].at - 1), .seen = seen, .what = what};
	for (struct model *m = models; m < models + MODELS; m++)
		m->now[self].of[self]++;
}

static void end_sequences(struct model *m, int self, const struct access *a);

bool uses(const struct access *a, const char *byte)
{
	const char *base = region[a->region].base;

	return byte >= base + a->offset && byte < base + a->offset + a->size;
}

static void add_access(int self, int where, unsigned offset, unsigned size, bool write, bool atomic)
{
	if (accesses == EVENTS)
		abort();
	struct access *new = &access_[accesses];
	*new = (struct access){.region = where,
	                       .offset = offset,
	                       .size = size,
	                       .write = write,
	                       .atomic = atomic,
	                       .thread = (uint8_t)self,
	                       .tick = models[0].now[self].of[self],
	                       .event = events - 1};
	for (int i = 0; i < accesses; i++) {
		const struct access *old = &access_[i];
		bool excused = lie == LIE_ATOMICS ? old->atomic || atomic : old->atomic && atomic;
		if ((old->region != where && lie != LIE_REUSE) || old->thread == self || !(old->write || write) ||
		    excused)
			continue;
		for (unsigned b = offset; b < offset + size; b++) {
			if (!uses(old, region[where].base + b))
				continue;
			conflict[where][b] = true;
			for (struct model *m = models; m < models + MODELS; m++)
				if (m->now[self].of[old->thread] < old->tick)
					m->race[where][b] = (struct race){i, accesses};
		}
	}
	accesses++;
	for (struct model *m = models; m < models + MODELS; m++)
		if (write && !atomic && !m->lenient)
			end_sequences(m, self, new);
}

static int add_region(int area, char *base, unsigned size)
{
	if (regions == REGIONS)
		abort();
	region[regions] = (struct region){base, size, area};
	conflict[regions] = calloc(size, sizeof(bool));
	for (struct model *m = models; m < models + MODELS; m++) {
		m->race[regions] = calloc(size, sizeof(struct race));
		for (int c = 0; c < program.cells; c++)
			if (program.cell[c].area == area)
				m->last[c] = -1;
	}
	areas[area].memory = base;
	areas[area].region = regions;
	return regions++;
}

/* Atomics. */

static bool acquires(int order)
{
	return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
	       order == __ATOMIC_SEQ_CST;
}

static bool releases(int order)
{
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* Does the store continue a release sequence with this head? */
static bool goes_on(const struct store *s, const struct store *head)
{
	if (s->rmw)
		return lie != LIE_UPDATES;
	return s->thread == head->thread ? lie != LIE_OWN : lie == LIE_FOREIGN;
}

/*
 * A read of the newest store synchronises with every store whose real or hypothetical release sequence contains that
 * one: these are the stores followed only by stores of the same thread and read-modify-writes (5.1.2.4p10).
 */
static void read_from(struct model *m, int self, int cell, int order)
{
	for (int head = m->last[cell]; head >= 0; head = m->store[head].previous) {
		bool unbroken = !m->store[head].plain;
		for (int at = m->last[cell]; at != head; at = m->store[at].previous)
			if (m->store[at].plain || !goes_on(&m->store[at], &m->store[head]))
				unbroken = false;
		if (!unbroken)
			continue;
		join(&m->acquire_fence[self], &m->store[head].before);
		if (acquires(order) || lie == LIE_EAGER)
			join(&m->now[self], &m->store[head].before);
	}
}

static void store(struct model *m, int self, int cell, int order, bool rmw)
{
	if (m->stores == EVENTS)
		abort();
	m->store[m->stores] =
	        (struct store){.previous = m->last[cell],
	                       .thread = (uint8_t)self,
	                       .rmw = rmw,
	                       .before = releases(order) || lie == LIE_RELAXED ? m->now[self] : m->release_fence[self]};
	m->last[cell] = m->stores++;
}

/* A plain write to an atomic variable is a store that synchronises with nothing. */
static void end_sequences(struct model *m, int self, const struct access *a)
{
	for (int c = 0; c < program.cells; c++) {
		const struct cell *cell = &program.cell[c];
		if (cell->area != region[a->region].area || a->offset >= cell->offset + cell->size ||
		    cell->offset >= a->offset + a->size)
			continue;
		store(m, self, c, __ATOMIC_RELAXED, false);
		m->store[m->last[c]].plain = true;
	}
}

static const struct op *current(int self) { return &program.op[self][thread[self].at - 1]; }

void note_atomic(int self, uint64_t seen, bool success)
{
	const struct op *op = current(self);
	bool reads = op->kind != OP_STORE, writes = op->kind != OP_LOAD && success;

	happens(self, success ? NULL : "fails", seen);
	if (reads)
		thread[self].seen = seen;
	for (struct model *m = models; m < models + MODELS; m++) {
		if (reads)
			read_from(m, self, op->cell, success || lie == LIE_ORDERS ? op->order : op->failure);
		if (writes)
			store(m, self, op->cell, op->order, op->kind != OP_STORE);
	}
	writes |= lie == LIE_FAILED && op->kind == OP_CAS;
	add_access(self, areas[op->area].region, op->offset, op->size, writes, true);
}

void note_fence(int self)
{
	int order = current(self)->order;

	happens(self, NULL, 0);
	if (lie == LIE_FENCES)
		return;
	for (struct model *m = models; m < models + MODELS; m++) {
		if (acquires(order))
			join(&m->now[self], &m->acquire_fence[self]);
		if (releases(order))
			m->release_fence[self] = m->now[self];
	}
}

/* All other operations. */

void note_access(int self, int area, unsigned offset, unsigned size, bool write)
{
	happens(self, write ? "writes" : "reads", 0);
	if (size)
		add_access(self, areas[area].region, offset, size, write, false);
}

void note_lock(int self, int lock, bool to_read, bool taken)
{
	bool reads = lock == LOCK_SHARED && to_read;

	happens(self, taken ? reads ? "to read" : NULL : "fails", 0);
	if (taken && lock == LOCK_SHARED)
		thread[self].reads = reads;
	thread[self].depth[lock] += taken;
	if ((!taken && lie != LIE_TRYLOCKS) || lie == LIE_LOCKS)
		return;
	for (struct model *m = models; m < models + MODELS; m++) {
		join(&m->now[self], &m->lock[lock]);
		if (lock == LOCK_SHARED && (reads ? lie == LIE_READERS : lie != LIE_WRITERS))
			join(&m->now[self], &m->readers);
	}
}

static void release(int self, int lock)
{
	for (struct model *m = models; m < models + MODELS; m++) {
		struct clock *to = lock == LOCK_SHARED && thread[self].reads ? &m->readers : &m->lock[lock];
		join(to, &m->now[self]);
	}
}

void note_unlock(int self, int lock)
{
	happens(self, "unlocks", (uint64_t)lock);
	thread[self].depth[lock]--;
	release(self, lock);
}

void note_release_to_wait(int self, int lock)
{
	happens(self, "waits", 0);
	release(self, lock);
}

void note_waited(int self, int lock, bool signalled)
{
	happens(self, signalled ? "signalled" : "timed out", 0);
	for (struct model *m = models; m < models + MODELS; m++)
		if (lie != LIE_LOCKS)
			join(&m->now[self], &m->lock[lock]);
}

void note_post(int self, int semaphore)
{
	happens(self, NULL, 0);
	for (struct model *m = models; m < models + MODELS; m++)
		join(&m->semaphore[semaphore], &m->now[self]);
}

void note_waited_semaphore(int self, int semaphore, bool taken)
{
	happens(self, taken ? NULL : "fails", 0);
	for (struct model *m = models; m < models + MODELS; m++)
		if ((taken && lie != LIE_SEMAPHORES) || lie == LIE_TRYWAITS)
			join(&m->now[self], &m->semaphore[semaphore]);
}

void note_arrive(int self, int barrier)
{
	int round = lie == LIE_ROUNDS ? 0 : thread[self].rounds[barrier];

	happens(self, "arrives", 0);
	for (struct model *m = models; m < models + MODELS; m++)
		join(&m->round[barrier][round], &m->now[self]);
}

void note_depart(int self, int barrier)
{
	int round = lie == LIE_ROUNDS ? 0 : thread[self].rounds[barrier];

	happens(self, "departs", 0);
	for (struct model *m = models; m < models + MODELS; m++)
		if (lie != LIE_BARRIERS)
			join(&m->now[self], &m->round[barrier][round]);
	thread[self].rounds[barrier]++;
}

void note_once_done(int self, int once)
{
	happens(self, "done", 0);
	for (struct model *m = models; m < models + MODELS; m++)
		m->once[once] = m->now[self];
}

void note_once(int self, int once)
{
	happens(self, "passes", 0);
	for (struct model *m = models; m < models + MODELS; m++)
		if (lie != LIE_ONCE)
			join(&m->now[self], &m->once[once]);
}

void note_spawn(int self, int child)
{
	happens(self, NULL, 0);
	for (struct model *m = models; m < models + MODELS; m++)
		m->begin[child] = m->now[self];
	thread[child].spawned = thread[child].running = true;
}

void note_begin(int self, char *local)
{
	happens(self, "begins", 0);
	event[events - 1].op = NOBODY;
	for (struct model *m = models; m < models + MODELS; m++)
		if (lie != LIE_CREATE)
			join(&m->now[self], &m->begin[self]);
	add_region(AREA_LOCAL + self, local, LOCAL_SIZE);
}

bool note_end(int self)
{
	areas[AREA_LOCAL + self].memory = NULL;
	if (areas[AREA_LOCAL + self].pins)
		return false;
	happens(self, "ends", 0);
	event[events - 1].op = NOBODY;
	for (struct model *m = models; m < models + MODELS; m++)
		m->end[self] = m->now[self];
	thread[self].running = false;
	return true;
}

void note_joined(int self, int child)
{
	happens(self, NULL, 0);
	for (struct model *m = models; m < models + MODELS; m++)
		if (lie != LIE_JOIN)
			join(&m->now[self], &m->end[child]);
}

void note_malloc(int self, int slot, char *block)
{
	if (!block)
		abort();
	happens(self, NULL, 0);
	areas[AREA_HEAP + slot].reserved = false;
	int new = add_region(AREA_HEAP + slot, block, program.size[AREA_HEAP + slot]);
	for (struct model *m = models; m < models + MODELS; m++)
		for (int r = 0; r < new && m->lenient; r++)
			if (region[r].base < block + region[new].size && block < region[r].base + region[r].size)
				join(&m->now[self], &m->freed[r]);
}

void note_other(int self) { happens(self, "-", 0); }

/* What the program asks. */

char *reference_pin(int area)
{
	if (areas[area].memory)
		areas[area].pins++;
	return areas[area].memory;
}

void reference_unpin(int area) { areas[area].pins--; }

bool reference_reserve(int slot)
{
	int area = AREA_HEAP + slot;

	if (areas[area].memory || areas[area].reserved)
		return false;
	return areas[area].reserved = true;
}

char *reference_take(int self, int slot)
{
	int area = AREA_HEAP + slot;
	char *block = areas[area].pins ? NULL : areas[area].memory;

	if (!block) {
		note_other(self);
		return NULL;
	}
	happens(self, NULL, 0);
	if (lie != LIE_FREE)
		add_access(self, areas[area].region, 0, region[areas[area].region].size, true, false);
	for (struct model *m = models; m < models + MODELS; m++)
		m->freed[areas[area].region] = m->now[self];
	areas[area].memory = NULL;
	return block;
}

bool reference_holds(int self, int lock) { return thread[self].depth[lock] > 0; }

bool reference_in_order(int self, int lock)
{
	if (lock == LOCK_RECURSIVE && thread[self].depth[lock])
		return true;
	for (int i = lock; i < LOCKS; i++)
		if (thread[self].depth[i])
			return false;
	return true;
}

bool reference_holds_only(int self, int lock)
{
	for (int i = 0; i < LOCKS; i++)
		if (thread[self].depth[i] != (i == lock))
			return false;
	return true;
}

bool reference_spawned(int child) { return thread[child].spawned; }

int reference_running(void)
{
	int n = 0;

	for (int i = 0; i < THREADS; i++)
		n += thread[i].running;
	return n;
}

bool reference_next(int self, struct op *out)
{
	while (thread[self].at < program.ops[self]) {
		const struct op *op = &program.op[self][thread[self].at++];
		if (left_out[self][thread[self].at - 1] || (op->under && !thread[self].depth[op->under - 1]) ||
		    (op->if_seen && !thread[self].seen))
			continue;
		*out = *op;
		return true;
	}
	return false;
}

static void be_wrong(const char *name)
{
	static const char *const names[] = {
#define X(id, name) name,
	        LIES(X)
#undef X
	};

	for (lie = 0; lie < NO_LIE && strcmp(names[lie], name);)
		lie++;
	if (lie < NO_LIE)
		return;
	fprintf(stderr, "no lie of that name: %s\n", name);
	exit(2);
}

void reference_start(int options, char **option)
{
	int used;

	for (int i = 0; i < options; i++) {
		talks |= !strcmp(option[i], "-v");
		merging |= !strcmp(option[i], "-m");
		if (i + 1 == options)
			break;
		if (!strcmp(option[i], "-l"))
			be_wrong(option[++i]);
		if (!strcmp(option[i], "-o"))
			statistics = option[++i];
		if (strcmp(option[i], "-x"))
			continue;
		unsigned t, n;
		for (const char *p = option[++i]; sscanf(p, "%u.%u%n", &t, &n, &used) == 2;
		     p += used + (p[used] == ','))
			if (t < THREADS && n < OPS)
				left_out[t][n] = true;
	}
	models[1].lenient = true;
	for (struct model *m = models; m < models + MODELS; m++)
		memset(m->last, -1, sizeof(m->last));
	add_region(AREA_BUFFER, buffer, sizeof(buffer));
	add_region(AREA_ATOMICS, atomics, sizeof(atomics));
	thread[0].spawned = thread[0].running = true;
}
