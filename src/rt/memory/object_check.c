/*
 * Synchronisation objects that are used although they were destroyed or never made; that are made again, or freed,
 * while a thread holds them or waits for them.
 *
 * Some objects are made without a call, by their static initialiser.  So a destroyed object stays destroyed only until
 * its first bytes are written: the states of memory (memory_check.c) tell.  On a stack objects come and go without a
 * call, so those are not checked.  An object that the program has not destroyed itself does not count either.
 */
#include <pthread.h>

#include "rt/ending/ending.h"
#include "rt/fibers/fiber.h"
#include "rt/memory/memory_check.h"
#include "rt/memory/above.h"
#include "rt/core/pool.h"

#define GONE       256   /* objects; the oldest are forgotten */
#define KIND_BITS  0x3ff /* bits of a mutex's kind that have a meaning */
#define FIRST_ROOM 64

static struct {
	struct gone {
		uint64_t address;
		uint32_t fiber;
	} gone[GONE];
	uint32_t next;
	/* semaphores and barriers that were made; they have no static initialiser */
	uint64_t *made;
	uint32_t nmade, room;
} state;

/* ---- destroyed ---- */

static void note_gone(uint64_t object)
{
	struct gone *g = &state.gone[state.next++ % GONE];

	if (memory_is_on_stack(object) || !memory_mark_destroyed(object, true))
		return;
	if (g->address && g->address != object)
		memory_mark_destroyed(g->address, false);
	*g = (struct gone){object, omen.current->id};
}

static uint32_t who_destroyed(uint64_t object)
{
	for (uint32_t i = state.next; i-- && state.next - i <= GONE;)
		if (state.gone[i % GONE].address == object)
			return state.gone[i % GONE].fiber;
	return 0;
}

void object_check_take_cells(void)
{
	for (uint32_t i = 0; i < state.next && i < GONE; i++)
		if (state.gone[i].address && memory_is_destroyed(state.gone[i].address))
			memory_mark_destroyed(state.gone[i].address, true);
}

/* ---- made ---- */

static uint32_t slot_of(uint64_t object)
{
	uint32_t i = (uint32_t)((object >> 2) * 0x9e3779b97f4a7c15u >> 32) & (state.room - 1);

	while (state.made[i] && state.made[i] != object)
		i = (i + 1) & (state.room - 1);
	return i;
}

static void note_made(uint64_t object)
{
	if (2 * state.nmade >= state.room) {
		uint64_t *old = state.made;
		uint32_t room = state.room;
		state.room = room ? 2 * room : FIRST_ROOM;
		state.made = pool_alloc(state.room * sizeof(*state.made));
		for (uint32_t i = 0; i < state.room; i++)
			state.made[i] = 0;
		for (uint32_t i = 0; i < room; i++)
			if (old[i])
				state.made[slot_of(old[i])] = old[i];
		if (old)
			pool_free(old, room * sizeof(*old));
	}
	uint32_t at = slot_of(object);
	state.nmade += !state.made[at];
	state.made[at] = object;
}

void object_check_made(enum object_kind kind, const void *object)
{
	memory_mark_destroyed((uint64_t)object, false);
	if (kind == OBJECT_SEMAPHORE || kind == OBJECT_BARRIER)
		note_made((uint64_t)object);
}

/* Only if no other process can have made it: not in memory that is shared. */
static bool was_never_made(enum object_kind kind, uint64_t object)
{
	if (kind == OBJECT_MUTEX) {
		int bits = ((const pthread_mutex_t *)object)->__data.__kind;
		return bits != -1 && bits & ~KIND_BITS && memory_is_private(object);
	}
	if (kind != OBJECT_SEMAPHORE && kind != OBJECT_BARRIER)
		return false;
	return !(state.room && state.made[slot_of(object)]) && memory_is_private(object);
}

/* ---- made or freed while in use ---- */

/* Does the fiber hold the lock, by what the C library has noted in a mutex, or in a rwlock held for writing? */
static bool holds(const struct fiber *f, const void *lock)
{
	const pthread_mutex_t *m = lock;
	const pthread_rwlock_t *l = lock;

	return m->__data.__lock &&
	       ((uint32_t)m->__data.__owner == f->tid || (uint32_t)l->__data.__cur_writer == f->tid);
}

static const struct fiber *holder_in(uint64_t low, uint64_t high, const void **lock)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		for (uint32_t k = 0; k < omen.live[i]->nheld; k++) {
			*lock = omen.live[i]->held[k];
			if ((uint64_t)*lock - low < high - low && holds(omen.live[i], *lock))
				return omen.live[i];
		}
	return NULL;
}

static void make(enum object_kind kind, const void *object)
{
	uint64_t low = (uint64_t)object, high = low + object_size(kind);
	const char *name = ending_object_name(kind);
	const void *lock;
	const struct fiber *f = kind == OBJECT_MUTEX || kind == OBJECT_RWLOCK ? holder_in(low, low + 1, &lock) : NULL;

	if (f)
		LOCK_MISUSE("init of %s %p, which T%u holds", name, object, f->id);
	f = lock_check_waiter(low, high);
	if (f)
		LOCK_MISUSE("init of %s %p, which T%u waits for", name, object, f->id);
}

void object_check_life(enum object_kind kind, const void *object, enum object_life life, bool own)
{
	const char *name = ending_object_name(kind);

	if (omen.off || !omen.current)
		return;
	if (life == OBJECT_MADE) {
		make(kind, object);
		return;
	}
	const char *what = life == OBJECT_GONE ? "destruction" : "use";
	if (memory_is_destroyed((uint64_t)object))
		LOCK_MISUSE("%s of %s %p, which T%u has destroyed", what, name, object,
		            who_destroyed((uint64_t)object));
	if (own && was_never_made(kind, (uint64_t)object))
		LOCK_MISUSE("%s of %s %p, which was never initialised", what, name, object);
	if (own && life == OBJECT_GONE)
		note_gone((uint64_t)object);
}

void object_check_free(uint64_t low, uint64_t high)
{
	const void *lock;
	const struct fiber *f = holder_in(low, high, &lock);

	if (f)
		LOCK_MISUSE("free of a block with lock %p in it, which T%u holds", lock, f->id);
	f = lock_check_waiter(low, high);
	if (f)
		LOCK_MISUSE("free of a block with %s %p in it, which T%u waits for", ending_object_name(f->object_kind),
		            f->object, f->id);
}
