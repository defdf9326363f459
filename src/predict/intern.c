#include "predict/intern.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

static uint64_t hash(const char *text, size_t size)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < size; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3;
	return h ^ h >> 29;
}

static void grow_slots(struct intern *n)
{
	size_t count = n->slot_count ? n->slot_count * 2 : 64;

	free(n->slots);
	n->slots = must_alloc(count * sizeof *n->slots);
	memset(n->slots, 0, count * sizeof *n->slots);
	n->slot_count = count;
	for (uint32_t id = 0; id < n->count; id++) {
		size_t at = hash(n->text + n->start[id], n->start[id + 1] - n->start[id] - 1) & (count - 1);
		while (n->slots[at])
			at = (at + 1) & (count - 1);
		n->slots[at] = id + 1;
	}
}

static uint32_t append(struct intern *n, const char *text, size_t size)
{
	if (n->size + size + 1 > n->text_capacity) {
		n->text_capacity = (n->size + size + 1) * 2;
		n->text = must_resize(n->text, n->text_capacity);
	}
	if (n->count + 2ul > n->start_capacity) {
		n->start_capacity = n->count * 2ul + 64;
		n->start = must_resize(n->start, n->start_capacity * sizeof *n->start);
	}
	memcpy(n->text + n->size, text, size);
	n->text[n->size + size] = 0;
	n->start[n->count] = n->size;
	n->size += size + 1;
	n->start[n->count + 1] = n->size;
	return n->count++;
}

uint32_t intern(struct intern *n, const char *text, size_t size)
{
	if (n->count >= n->slot_count / 2)
		grow_slots(n);
	size_t at = hash(text, size) & (n->slot_count - 1);
	for (; n->slots[at]; at = (at + 1) & (n->slot_count - 1)) {
		uint32_t id = n->slots[at] - 1;
		if (n->start[id + 1] - n->start[id] - 1 == size && !memcmp(n->text + n->start[id], text, size))
			return id;
	}
	if (n->count >= INTERN_MOST)
		return INTERN_MOST;
	n->slots[at] = n->count + 1;
	return append(n, text, size);
}

const char *interned(const struct intern *n, uint32_t id) { return id < n->count ? n->text + n->start[id] : "?"; }

void intern_free(struct intern *n)
{
	free(n->start);
	free(n->text);
	free(n->slots);
	*n = (struct intern){0};
}
