/*
 * OpenMP's order, as libomp reports it.
 *
 * libomp synchronises by its own atomics, which the runtime does not see.  But it reports to a tool what its threads
 * and tasks do (OMPT, chapter 19 of the OpenMP specification): it asks for the function ompt_start_tool when it starts,
 * and calls back at each fork, barrier, lock and task.  Each edge of OpenMP's happens-before becomes a key that is
 * released and acquired, as for any lock.
 *
 * libomp does not report all of its order: openmp_calls.c handles the rest.
 */
#include "rt/threads/openmp.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "rt/threads/held_locks.h"
#include "rt/order/happens_before.h"
#include "rt/core/pool.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"

#define INTERFACE EXPORT __attribute__((used))
#define UNUSED    __attribute__((unused))

/* ---- the part of OMPT that is used ---- */

union data {
	uint64_t value;
	void *ptr;
};

enum callback {
	PARALLEL_BEGIN = 3,
	PARALLEL_END = 4,
	TASK_CREATE = 5,
	TASK_SCHEDULE = 6,
	IMPLICIT_TASK = 7,
	SYNC_REGION_WAIT = 16,
	MUTEX_RELEASED = 17,
	DEPENDENCES = 18,
	SYNC_REGION = 23,
	MUTEX_ACQUIRE = 26,
	MUTEX_ACQUIRED = 27,
};

enum endpoint { SCOPE_BEGIN = 1, SCOPE_END = 2 };                                /* both bits: begin and end at once */
enum region { REGION_TASKWAIT = 5, REGION_TASKGROUP = 6, REGION_REDUCTION = 7 }; /* all others are barriers */
enum task_flags { TASK_INITIAL = 1, TASK_UNDEFERRED = 0x08000000 };
enum dependence { DEPEND_IN = 1, DEPEND_SOURCE = 5, DEPEND_SINK = 6, DEPEND_INOUTSET = 7 };
enum task_status {
	STATUS_COMPLETE = 1,
	STATUS_CANCEL = 3,
	STATUS_EARLY_FULFILL = 5,
	STATUS_LATE_FULFILL = 6,
	STATUS_TASKWAIT_COMPLETE = 8,
};

struct dependence_of {
	union data variable;
	enum dependence type;
};

typedef entry (*look_up)(const char *name);

struct start_result {
	int (*initialize)(look_up, int device, union data *);
	void (*finalize)(union data *);
	union data tool;
};

/* ---- the state of teams and tasks ---- */

/* The address of a key is in the runtime's own memory; it stands for an object that orders threads. */
typedef uint64_t key;

static void let_know(const key *k) { order_release_too(ORDER_KEY(k)); }
static void learn_of(const key *k) { order_acquire(ORDER_KEY(k)); }

struct team {
	key fork;
	key barrier[2]; /* used in turn: while one thread leaves a barrier, others may be at the next one */
	struct variable **iterations; /* of ordered loops: iterations for which others wait */
	struct fiber **member;
	uint32_t members, size;
};

struct group {
	key done;      /* released by tasks of the group when they complete */
	uint32_t left; /* tasks that have not completed */
	struct group *outer;
};

/* A variable on which tasks of one parent depend. */
struct variable {
	struct variable *next;
	void *address;
	key in, out, set;
};

struct use {
	struct variable *variable;
	enum dependence type;
};

#define BUCKETS 64

struct task {
	key order;    /* what comes before the task's next part: its creation, or the end of its last part */
	key children; /* released by its children when they complete */
	uint32_t references, barrier;
	int flags;
	bool began, fulfilled;
	enum { GOES_ON, FOR_CHILDREN, FOR_GROUP } waits;
	uint32_t left; /* children that have not completed */
	struct team *team;
	struct task *parent;
	struct group *group;
	struct variable **variables; /* on which its children depend: BUCKETS lists */
	struct use *uses;
	uint32_t nuses;
};

/* libomp reports the release of a mutex after the release, so another thread may have taken it already.  That thread
 * waits for the report. */
struct lock {
	key order;
	struct lock *next;
	uint64_t id;
	bool taken;
};

static struct {
	struct lock *locks[BUCKETS];
} state;

static void *make(size_t size) { return memset(pool_alloc(size), 0, size); }

static void drop(void *block, size_t size)
{
	for (size_t i = 0; i < size; i += 8)
		order_forget((uint64_t)ORDER_KEY((uint64_t)block + i));
	pool_free(block, size);
}

static void point(const void *code)
{
	if (!omen.off)
		sched_point(POINT_SYNC, where_code(code));
}

static struct variable *variable_in(struct variable ***table, void *address)
{
	if (!*table)
		*table = make(BUCKETS * sizeof(**table));
	struct variable **at = &(*table)[((uint64_t)address * 0x9e3779b97f4a7c15u) >> 58], *v = *at;
	while (v && v->address != address)
		v = v->next;
	if (v)
		return v;
	v = make(sizeof(*v));
	v->address = address;
	v->next = *at;
	return *at = v;
}

static void drop_variables(struct variable **table)
{
	for (uint32_t i = 0; table && i < BUCKETS; i++)
		for (struct variable *v = table[i], *after; v; v = after) {
			after = v->next;
			drop(v, sizeof(*v));
		}
	if (table)
		pool_free(table, BUCKETS * sizeof(*table));
}

static void drop_team(struct team *t)
{
	if (t->member)
		pool_free(t->member, (t->size + 1) * sizeof(*t->member));
	drop_variables(t->iterations);
	drop(t, sizeof(*t));
}

/* ---- teams ---- */

static void parallel_begin(union data *task UNUSED, const void *frame UNUSED, union data *parallel,
                           unsigned size UNUSED, int flags UNUSED, const void *code)
{
	struct team *t = make(sizeof(*t));

	parallel->ptr = t;
	let_know(&t->fork);
	point(code);
}

static void parallel_end(union data *parallel, union data *task UNUSED, int flags UNUSED, const void *code UNUSED)
{
	struct team *t = parallel->ptr;

	if (!t)
		return;
	learn_of(&t->barrier[0]);
	learn_of(&t->barrier[1]);
	parallel->ptr = NULL;
	drop_team(t);
}

static void let_go(struct task *t);

/*
 * After a team libomp's first thread may wait until the others rest.  It spins for that, and does not report it.  So
 * the runtime lets the others rest first; they have nothing of the program left to do.
 */
#define TURNS 100 /* a thread that spins for ever (KMP_BLOCKTIME) counts as resting after this many turns */

static void join(struct team *t)
{
	if (!t->member)
		t->member = make((t->size + 1) * sizeof(*t->member));
	if (t->members < t->size)
		t->member[t->members++] = omen.current;
	omen.current->at_barrier = NULL;
}

static void let_rest(const struct team *t)
{
	omen.current->at_barrier = NULL;
	for (uint32_t i = 0; i < t->members; i++) {
		const struct fiber *f = t->member[i];
		while (!omen.off && f->at_barrier == t && f->state == FIBER_RUNNABLE && f->barrier_turns < TURNS)
			sched_point(POINT_YIELD, where_code(__builtin_return_address(0)));
	}
}

static void implicit_begin(union data *parallel, union data *task, unsigned size, int flags)
{
	struct task *t = task->ptr = make(sizeof(*t));

	if (flags & TASK_INITIAL)
		parallel->ptr = make(sizeof(struct team));
	*t = (struct task){.references = 1, .flags = flags, .began = true, .team = parallel->ptr};
	if (!t->team || flags & TASK_INITIAL)
		return;
	learn_of(&t->team->fork);
	t->team->size = size;
	if (!omen.current)
		return;
	omen.current->task = t;
	join(t->team);
}

static void leaves(const struct task *t)
{
	if (omen.current && omen.current->task == t)
		omen.current->task = NULL;
}

static void implicit_task(int endpoint, union data *parallel, union data *task, unsigned size, unsigned index,
                          int flags)
{
	struct task *t = task->ptr;

	if (endpoint == SCOPE_BEGIN) {
		implicit_begin(parallel, task, size, flags);
		return;
	}
	if (!t)
		return;
	if (flags & TASK_INITIAL)
		drop_team(t->team);
	else if (!index && t->team && omen.current)
		let_rest(t->team);
	task->ptr = NULL;
	leaves(t);
	let_go(t);
}

/* ---- waiting ---- */

static void group_begin(struct task *t)
{
	struct group *g = make(sizeof(*g));

	g->outer = t->group;
	t->group = g;
}

static void group_end(struct task *t)
{
	struct group *g = t->group;

	if (!g)
		return;
	learn_of(&g->done);
	t->group = g->outer;
	drop(g, sizeof(*g));
}

/*
 * A thread that waits for tasks looks for one to execute.  If all are taken, it spins until they are done, and does not
 * report it.  So the runtime lets it look only when no other thread is inside a task: then each remaining task can be
 * taken or is done.
 */
static bool can_go_on(const struct task *t)
{
	return t->waits == FOR_CHILDREN ? !t->left : t->waits == FOR_GROUP ? !t->group || !t->group->left : true;
}

static bool is_in_task(const struct fiber *f) { return f->task && f->task->parent && can_go_on(f->task); }

static bool others_are_in_tasks(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i] != omen.current && is_in_task(omen.live[i]))
			return true;
	return false;
}

static void let_finish(const void *code)
{
	while (!omen.off && !can_go_on(omen.current->task) && others_are_in_tasks())
		sched_point(POINT_YIELD, where_code(code));
}

/* libomp yields between two tasks and in its loops. */
void openmp_yields(const void *code)
{
	if (omen.current)
		omen.current->barrier_turns++;
	if (omen.current && omen.current->task)
		let_finish(code);
}

static void wait_for(struct task *t, int what, const void *code)
{
	t->waits = what;
	if (omen.current && omen.current->task == t)
		let_finish(code);
}

static void region_begin(int kind, struct task *t)
{
	if (kind == REGION_TASKGROUP) {
		group_begin(t);
	} else if (kind != REGION_TASKWAIT && t->team) {
		let_know(&t->team->barrier[t->barrier]);
		if (omen.current) {
			omen.current->at_barrier = t->team;
			omen.current->barrier_turns = 0;
		}
	}
}

/* A thread leaves the barrier at the end of a team when the next team begins; it has no team then. */
static void region_end(int kind, struct task *t, bool in_team)
{
	if (kind == REGION_TASKGROUP) {
		group_end(t);
	} else if (kind == REGION_TASKWAIT) {
		learn_of(&t->children);
	} else {
		if (in_team && t->team) {
			learn_of(&t->team->barrier[t->barrier]);
			if (omen.current)
				omen.current->at_barrier = NULL;
		}
		t->barrier ^= 1;
	}
}

static void sync_region(int kind, int endpoint, union data *parallel, union data *task, const void *code)
{
	struct task *t = task ? task->ptr : NULL;

	if (!t || kind == REGION_REDUCTION)
		return;
	if (endpoint & SCOPE_BEGIN) {
		point(code);
		region_begin(kind, t);
		if (kind == REGION_TASKWAIT)
			wait_for(t, FOR_CHILDREN, code);
	}
	if (endpoint & SCOPE_END) {
		t->waits = GOES_ON;
		region_end(kind, t, parallel);
	}
}

/* The reductions of a group's tasks are combined when the tasks are done; the group ends only after that. */
static void sync_region_wait(int kind, int endpoint, union data *parallel UNUSED, union data *task, const void *code)
{
	struct task *t = task ? task->ptr : NULL;

	if (!t || kind != REGION_TASKGROUP)
		return;
	wait_for(t, endpoint == SCOPE_BEGIN ? FOR_GROUP : GOES_ON, code);
	if (endpoint & SCOPE_END && t->group)
		learn_of(&t->group->done);
}

/* ---- tasks ---- */

/* A task is kept until its children are gone. */
static void let_go(struct task *t)
{
	while (t && !--t->references) {
		struct task *parent = t->parent;
		drop_variables(t->variables);
		if (t->uses)
			pool_free(t->uses, t->nuses * sizeof(*t->uses));
		drop(t, sizeof(*t));
		t = parent;
	}
}

static void count(const struct task *t, int32_t more)
{
	if (t->flags & TASK_UNDEFERRED)
		return;
	if (t->parent)
		t->parent->left += (uint32_t)more;
	if (t->group)
		t->group->left += (uint32_t)more;
}

static void task_create(union data *parent, const void *frame UNUSED, union data *new_task, int flags,
                        int depends UNUSED, const void *code)
{
	struct task *p = parent ? parent->ptr : NULL, *t = make(sizeof(*t));

	*t = (struct task){.references = 1, .flags = flags, .parent = p};
	new_task->ptr = t;
	if (p) {
		p->references++;
		t->team = p->team;
		t->barrier = p->barrier;
		t->group = p->group;
		count(t, 1);
	}
	let_know(&t->order);
	if (!(flags & TASK_INITIAL))
		point(code);
}

/* Each iteration of an ordered loop is named by a row of numbers.  This one waits for others (SINK), or lets others
 * continue (SOURCE). */
static void depend_on_iteration(struct team *t, const struct dependence_of *d, int n)
{
	uint64_t h = 1;

	for (int i = 0; i < n; i++)
		h = (h ^ d[i].variable.value) * 0x9fb21c651e98df25u, h ^= h >> 29;
	struct variable *v = variable_in(&t->iterations, (void *)h);
	if (d->type == DEPEND_SOURCE)
		let_know(&v->out);
	else
		learn_of(&v->out);
}

static void dependences(union data *task, const struct dependence_of *d, int n)
{
	struct task *t = task ? task->ptr : NULL;

	if (!t || n <= 0)
		return;
	if (d->type == DEPEND_SOURCE || d->type == DEPEND_SINK) {
		if (t->team)
			depend_on_iteration(t->team, d, n);
		return;
	}
	if (!t->parent || t->uses)
		return;
	t->uses = make((uint32_t)n * sizeof(*t->uses));
	t->nuses = (uint32_t)n;
	for (int i = 0; i < n; i++)
		t->uses[i] = (struct use){variable_in(&t->parent->variables, d[i].variable.ptr), d[i].type};
	let_know(&t->order);
}

static void after_dependences(const struct task *t)
{
	for (uint32_t i = 0; i < t->nuses; i++) {
		struct variable *v = t->uses[i].variable;
		learn_of(&v->out);
		if (t->uses[i].type != DEPEND_IN)
			learn_of(&v->in);
		if (t->uses[i].type != DEPEND_INOUTSET)
			learn_of(&v->set);
	}
}

static void before_dependences(const struct task *t)
{
	for (uint32_t i = 0; i < t->nuses; i++) {
		struct variable *v = t->uses[i].variable;
		enum dependence type = t->uses[i].type;
		let_know(type == DEPEND_IN ? &v->in : type == DEPEND_INOUTSET ? &v->set : &v->out);
	}
}

static void complete(struct task *t)
{
	if (t->fulfilled)
		learn_of(&t->order);
	if (!(t->flags & TASK_UNDEFERRED)) {
		if (t->team)
			let_know(&t->team->barrier[t->barrier]);
		if (t->parent)
			let_know(&t->parent->children);
		if (t->group)
			let_know(&t->group->done);
	}
	before_dependences(t);
	count(t, -1);
	leaves(t);
	let_go(t);
}

static void go_on(struct task *t)
{
	if (!t)
		return;
	if (!t->began)
		after_dependences(t);
	t->began = true;
	if (omen.current)
		omen.current->task = t;
	learn_of(&t->order);
}

/* The task ends, but not in the thread that executed it, if a thread did. */
static void end_elsewhere(struct task *t, int status)
{
	const struct task *own = omen.current ? omen.current->task : NULL;

	if (!t)
		return;
	go_on(t);
	if (status == STATUS_LATE_FULFILL)
		complete(t);
	else
		let_go(t);
	if (omen.current)
		omen.current->task = own;
}

static void task_schedule(union data *prior, int status, union data *second)
{
	struct task *from = prior ? prior->ptr : NULL, *to = second ? second->ptr : NULL;

	switch (status) {
	case STATUS_EARLY_FULFILL:
		if (from)
			from->fulfilled = true;
		break; /* its thread continues with it */
	case STATUS_LATE_FULFILL:
	case STATUS_TASKWAIT_COMPLETE:
		prior->ptr = NULL;
		end_elsewhere(from, status);
		return;
	case STATUS_COMPLETE:
	case STATUS_CANCEL:
		if (from) {
			prior->ptr = NULL;
			complete(from);
		}
		go_on(to);
		return;
	}
	if (from)
		let_know(&from->order);
	if (status != STATUS_EARLY_FULFILL)
		go_on(to);
}

/* ---- locks, critical and ordered regions ---- */

static struct lock *lock_of(uint64_t id)
{
	struct lock **at = &state.locks[(id * 0x9e3779b97f4a7c15u) >> 58], *l = *at;

	while (l && l->id != id)
		l = l->next;
	if (l)
		return l;
	l = make(sizeof(*l));
	l->id = id;
	l->next = *at;
	return *at = l;
}

static void mutex_acquire(int kind UNUSED, unsigned hint UNUSED, unsigned how UNUSED, uint64_t id UNUSED,
                          const void *code)
{
	point(code);
}

static void mutex_acquired(int kind UNUSED, uint64_t id, const void *code)
{
	struct lock *l = lock_of(id);

	while (l->taken && !omen.off)
		sched_point(POINT_YIELD, where_code(code));
	l->taken = true;
	learn_of(&l->order);
	held_add((const void *)id);
}

static void mutex_released(int kind UNUSED, uint64_t id, const void *code)
{
	struct lock *l = lock_of(id);

	held_remove((const void *)id);
	let_know(&l->order);
	l->taken = false;
	omen.progress++;
	point(code);
}

/* ---- the beginning ---- */

/* Finds libomp's code: the synchronisation in it is reported by the callbacks. */
static int find_code(struct dl_phdr_info *info, size_t size UNUSED, void *in)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD || (uint64_t)in < low || (uint64_t)in >= low + p->p_memsz)
			continue;
		omen.told_low = low;
		omen.told_high = low + p->p_memsz;
		return 1;
	}
	return 0;
}

static int initialize(look_up find, int device UNUSED, union data *tool UNUSED)
{
	static const struct {
		enum callback which;
		entry function;
	} callbacks[] = {
	        {PARALLEL_BEGIN, (entry)parallel_begin}, {PARALLEL_END, (entry)parallel_end},
	        {TASK_CREATE, (entry)task_create},       {TASK_SCHEDULE, (entry)task_schedule},
	        {IMPLICIT_TASK, (entry)implicit_task},   {SYNC_REGION_WAIT, (entry)sync_region_wait},
	        {MUTEX_RELEASED, (entry)mutex_released}, {DEPENDENCES, (entry)dependences},
	        {SYNC_REGION, (entry)sync_region},       {MUTEX_ACQUIRE, (entry)mutex_acquire},
	        {MUTEX_ACQUIRED, (entry)mutex_acquired},
	};
	int (*set)(int, entry) = (int (*)(int, entry))find("ompt_set_callback");

	if (!set)
		return 0;
	dl_iterate_phdr(find_code, (void *)find);
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++)
		set(callbacks[i].which, callbacks[i].function);
	return 1;
}

static void finalize(union data *tool UNUSED) {}

/*
 * libomp may start before libomen does.  If the program has a tool of its own, libomp gets that one.  If the program
 * was started without Omen's tool, the order is not needed.
 */
INTERFACE struct start_result *ompt_start_tool(unsigned version, const char *runtime);
struct start_result *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct start_result result = {.initialize = initialize, .finalize = finalize};
	struct start_result *(*other)(unsigned, const char *) =
	        (struct start_result * (*)(unsigned, const char *)) openmp_next("ompt_start_tool"),
	                                                   *own;

	if (other && (own = other(version, runtime)))
		return own;
	if (getenv("OMP_TOOL_LIBRARIES") || !(omen.board || getenv("OMEN_BOARD")))
		return NULL;
	return &result;
}

/* Archer, LLVM's own tool, annotates the order for ThreadSanitizer if this function exists; its result does not matter.
 */
INTERFACE int RunningOnValgrind(void);
int RunningOnValgrind(void) { return 0; }
