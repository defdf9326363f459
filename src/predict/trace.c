#include "predict/trace.h"

#include <stdlib.h>

#include "predict/trace_builder.h"

const struct op_info ops[OP_COUNT] = {
#define X(id, name, kind, is) [OP_##id] = {name, OBJECT_##kind, is},
        OPS(X)
#undef X
};

const char *const object_kinds[] = {
#define X(id, name) [OBJECT_##id] = name,
        OBJECTS(X)
#undef X
};

bool events_conflict(const struct trace_event *a, const struct trace_event *b)
{
	unsigned both = ops[a->op].is & ops[b->op].is, any = ops[a->op].is | ops[b->op].is;

	return a->object == b->object && a->thread != b->thread && event_is_access(a) && event_is_access(b) &&
	       any & IS_WRITE && !(both & IS_ATOMIC);
}

const struct edge *trace_edges(const struct trace *t, uint32_t event, size_t *count)
{
	size_t low = 0, high = t->edge_count;

	*count = 0;
	if (!(t->events[event].flags & EVENT_EDGES))
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (t->edges[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + *count < t->edge_count && t->edges[low + *count].event == event)
		++*count;
	return &t->edges[low];
}

void trace_free(struct trace *t)
{
	trace_builder_free(t);
	for (int i = 0; i < OBJECT_KINDS; i++)
		intern_free(&t->names[i]);
	intern_free(&t->locations);
	intern_free(&t->values);
	free(t->events);
	free(t->thread_index);
	free(t->thread_events);
	free(t->thread_start);
	free(t->edges);
	free(t->sem_initial);
	free(t->value_initial);
	*t = (struct trace){0};
}
