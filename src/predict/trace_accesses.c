#include "predict/trace_accesses.h"

#include "format/file.h"

bool accesses_shared(const struct trace *t, const uint32_t *accesses, uint32_t count)
{
	bool threads = false, writes = false;

	for (uint32_t i = 0; i < count && !(threads && writes); i++) {
		threads |= t->events[accesses[i]].thread != t->events[accesses[0]].thread;
		writes |= event_is(&t->events[accesses[i]], IS_WRITE);
	}
	return threads && writes;
}

uint32_t *accesses_by_variable(const struct trace *t, uint32_t *start)
{
	uint32_t variables = t->objects[OBJECT_VARIABLE];

	for (uint32_t i = 0; i < t->count; i++)
		if (event_is_access(&t->events[i]))
			start[t->events[i].object + 2]++;
	for (uint32_t i = 2; i < variables + 2; i++)
		start[i] += start[i - 1];
	uint32_t *accesses = must_alloc((start[variables + 1] + 1ul) * sizeof *accesses);
	for (uint32_t i = 0; i < t->count; i++)
		if (event_is_access(&t->events[i]))
			accesses[start[t->events[i].object + 1]++] = i;
	return accesses;
}
