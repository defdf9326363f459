#include <stdlib.h>
#include <string.h>

#include "outcome.h"

/* The index of the outcome, or the place where it belongs. */
static size_t *find(const struct outcomes *s, const struct outcome *o)
{
	uint64_t hash = 0;
	unsigned word;

	for (size_t i = 0; i < sizeof *o; i += sizeof word) {
		memcpy(&word, (const char *)o + i, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	size_t i = hash & (s->slots - 1);
	while (s->slot[i] && memcmp(&s->at[s->slot[i] - 1], o, sizeof *o) != 0)
		i = (i + 1) & (s->slots - 1);
	return &s->slot[i];
}

static void grow(struct outcomes *s)
{
	s->slots = s->slots ? 2 * s->slots : 64;
	s->at = realloc(s->at, s->slots / 2 * sizeof *s->at);
	free(s->slot);
	s->slot = calloc(s->slots, sizeof *s->slot);
	if (!s->at || !s->slot)
		abort();
	for (size_t i = 0; i < s->n; i++)
		*find(s, &s->at[i]) = i + 1;
}

bool outcomes_have(const struct outcomes *s, const struct outcome *o) { return s->n && *find(s, o); }

void outcomes_add(struct outcomes *s, const struct outcome *o)
{
	if (outcomes_have(s, o))
		return;
	if (2 * (s->n + 1) > s->slots)
		grow(s);
	s->at[s->n++] = *o;
	*find(s, o) = s->n;
}

bool outcomes_subset(const struct outcomes *part, const struct outcomes *all)
{
	for (size_t i = 0; i < part->n; i++) {
		if (!outcomes_have(all, &part->at[i]))
			return false;
	}
	return true;
}

void outcomes_free(struct outcomes *s)
{
	free(s->at);
	free(s->slot);
	*s = (struct outcomes){0};
}

void outcome_line(const struct program *p, const struct outcome *o, char line[LINE_SIZE])
{
	char *end = line;

	for (int t = 0; t < p->threads; t++) {
		end += sprintf(end, "T%d:", t);
		for (int i = 0; i < p->ops[t]; i++)
			end += op_reads(&p->op[t][i]) ? sprintf(end, " %d", o->read[t][i]) : 0;
		end += sprintf(end, " ; ");
	}
	for (int i = 0; i < p->atomics; i++)
		end += sprintf(end, "%s%c=%d", i ? " " : "", LOCATION_NAMES[i], o->last[i]);
	for (int i = 0; i < p->plains; i++)
		end += o->raced >> i & 1 ? sprintf(end, " %c raced", LOCATION_NAMES[ATOMICS + i]) : 0;
}
