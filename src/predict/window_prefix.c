#include "predict/window_prefix.h"

#include <stdlib.h>
#include <string.h>

#include "predict/arrays.h"
#include "format/file.h"

void window_prefix_start(struct window_prefix *c, const struct trace *t)
{
	*c = (struct window_prefix){.last_write = array_filled(t->objects[OBJECT_VARIABLE], NO_EVENT),
	                            .tokens = array_filled(t->objects[OBJECT_SEMAPHORE], 0),
	                            .scratch = array_filled(t->objects[OBJECT_VARIABLE], NONE)};
	for (uint32_t s = 0; s < t->objects[OBJECT_SEMAPHORE]; s++)
		c->tokens[s] = t->sem_initial[s];
}

static void prefix_acquire(struct window_prefix *c, uint32_t acquire)
{
	if (c->held_count == c->held_capacity) {
		c->held_capacity = c->held_capacity * 2 + 16;
		c->held = must_resize(c->held, c->held_capacity * sizeof *c->held);
	}
	c->held[c->held_count++] = acquire;
}

static void prefix_release(struct window_prefix *c, uint32_t acquire)
{
	uint32_t i = 0;

	while (i < c->held_count && c->held[i] != acquire)
		i++;
	if (i == c->held_count)
		return;
	memmove(c->held + i, c->held + i + 1, (--c->held_count - i) * sizeof *c->held);
}

void window_prefix_advance(struct window_prefix *c, const struct trace *t, uint32_t event)
{
	for (; c->end < event; c->end++) {
		const struct trace_event *e = &t->events[c->end];
		if (event_is(e, IS_WRITE))
			c->last_write[e->object] = c->end;
		else if (e->op == OP_POST)
			c->tokens[e->object]++;
		else if (e->op == OP_TAKE)
			c->tokens[e->object]--;
		else if (e->flags & EVENT_NESTED)
			continue;
		else if (event_is(e, IS_ACQUIRE))
			prefix_acquire(c, c->end);
		else if (event_is(e, IS_RELEASE))
			prefix_release(c, e->match);
	}
}

void window_prefix_free(struct window_prefix *c)
{
	free(c->last_write);
	free(c->tokens);
	free(c->held);
	free(c->scratch);
}
