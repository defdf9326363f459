/* Which fiber waits for which, as far as glibc's objects show it. */
#include "rt/ending/waits.h"

#include <pthread.h>

#include "rt/core/text.h"
#include "rt/ending/ending.h"

static const char *const object_name[] = {
        [OBJECT_NONE] = "",
        [OBJECT_MUTEX] = "mutex",
        [OBJECT_RWLOCK] = "rwlock",
        [OBJECT_COND] = "condition",
        [OBJECT_BARRIER] = "barrier",
        [OBJECT_SEMAPHORE] = "semaphore",
        [OBJECT_SPINLOCK] = "spin lock",
        [OBJECT_ONCE] = "once",
        [OBJECT_THREAD] = "the end of thread",
};

const char *ending_object_name(enum object_kind kind) { return object_name[kind]; }

/* The mutex for which `f` waits, or NULL.  A condition wait counts only while it takes its mutex again. */
static const void *waited_mutex(const struct fiber *f)
{
	if (f->object_kind == OBJECT_MUTEX)
		return f->wait.key == f->object ? f->object : NULL;
	return f->object_kind == OBJECT_COND && f->wait.key == f->mutex ? f->mutex : NULL;
}

/* glibc's locks name their owner by its thread id. */
struct fiber *ending_holder(const struct fiber *f)
{
	uint64_t within = (uint64_t)f->wait.key - (uint64_t)f->object;

	if (f->state != FIBER_BLOCKED || f->wait.deadline != NEVER || !f->wait.key)
		return NULL;
	const pthread_mutex_t *m = waited_mutex(f);
	if (m)
		return fiber_by_tid((uint32_t)m->__data.__owner);
	switch (f->object_kind) {
	case OBJECT_RWLOCK: {
		const pthread_rwlock_t *l = f->object;
		if (within >= sizeof(*l) || !l->__data.__cur_writer)
			return NULL;
		return fiber_by_tid((uint32_t)l->__data.__cur_writer);
	}
	case OBJECT_THREAD:
		if (within >= 4096) /* the key is not the word of the thread's id: `f` waits for something else */
			return NULL;
		for (uint32_t i = 0; i < omen.nlive; i++)
			if (omen.live[i]->fs == (uint64_t)f->object)
				return omen.live[i];
		return NULL;
	default:
		return NULL;
	}
}

bool ending_in_cycle(struct fiber *f)
{
	struct fiber *at = ending_holder(f);

	for (uint32_t steps = 0; at && steps < omen.nlive; steps++, at = ending_holder(at))
		if (at == f)
			return true;
	return false;
}

bool ending_has_cycle(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (ending_in_cycle(omen.live[i]))
			return true;
	return false;
}

void ending_describe_wait(char *buf, size_t size, const struct fiber *f)
{
	static const char *const kind[] = {
	        [WAIT_KEY] = "a futex",
	        [WAIT_FDS] = "input or output",
	        [WAIT_SIGNAL] = "a signal",
	        [WAIT_CHILD] = "a child process",
	        [WAIT_SHARED] = "a futex shared with other processes",
	};
	const struct fiber *h = ending_holder(f);
	const void *m = waited_mutex(f);

	if (m && h)
		text_format(buf, size, "waits for mutex %p held by T%u", m, h->id);
	else if (m && ((const pthread_mutex_t *)m)->__data.__owner)
		text_format(buf, size, "waits for mutex %p held by a thread that has ended", m);
	else if (f->object_kind == OBJECT_THREAD && h)
		text_format(buf, size, "waits for the end of T%u", h->id);
	else if (f->object_kind != OBJECT_NONE && h)
		text_format(buf, size, "waits for %s %p held by T%u", object_name[f->object_kind], f->object, h->id);
	else if (f->object_kind != OBJECT_NONE)
		text_format(buf, size, "waits for %s %p", object_name[f->object_kind], f->object);
	else if (f->wait.key)
		text_format(buf, size, "waits for %s %p", kind[f->wait.kind], f->wait.key);
	else
		text_format(buf, size, "waits for %s", kind[f->wait.kind]);
}
