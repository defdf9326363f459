/*
 * Files that the execution has written, or that the recording tells of.  A shared mapping of one is memory of its own:
 * before the file is read what stands there is taken over, and after it is written it is brought there.
 */
#include <string.h>
#include <sys/mman.h>

#include "rt/arena.h"
#include "rt/arch/x86_64/raw.h"
#include "rt/env/model/parts.h"

static struct {
	struct node *all; /* that have mappings */
	uint64_t inode;
} state = {.inode = 1ul << 40};

struct node *node_new(uint32_t mode)
{
	struct node *n = arena_alloc(sizeof(*n));

	n->st.st_mode = mode;
	n->st.st_ino = state.inode++;
	n->st.st_dev = 1;
	n->made = true;
	n->st.st_nlink = 1;
	n->st.st_blksize = 4096;
	n->st.st_mtim.tv_sec = n->st.st_ctim.tv_sec = n->st.st_atim.tv_sec = omen.clock / 1000000000;
	return n;
}

struct node *node_from(const struct stat *st, const uint8_t *data, uint64_t size)
{
	struct node *n = arena_alloc(sizeof(*n));

	n->st = *st;
	n->data = (uint8_t *)data;
	n->room = size;
	n->borrowed = true;
	n->lost = S_ISREG(st->st_mode) && (uint64_t)st->st_size != size;
	return n;
}

static uint64_t size_of(const struct node *n) { return (uint64_t)n->st.st_size; }

static void make_room(struct node *n, uint64_t size)
{
	if (!n->borrowed && size <= n->room)
		return;
	uint64_t room = 4096;
	while (room < size)
		room *= 2;
	uint8_t *data = arena_alloc(room);
	if (n->data)
		memcpy(data, n->data, n->room < size_of(n) ? n->room : size_of(n));
	n->data = data;
	n->room = room;
	n->borrowed = false;
}

static void check(const struct node *n)
{
	if (n->lost)
		model_unknown("it uses a file whose contents were too large to be recorded");
}

/* What a mapping has of a range. */
static bool common(const struct mapping *m, uint64_t limit, uint64_t at, uint64_t size, uint64_t *low, uint64_t *high)
{
	uint64_t end = m->offset + m->size < limit ? m->offset + m->size : limit;

	*low = at > m->offset ? at : m->offset;
	*high = at + size < end ? at + size : end;
	return *low < *high;
}

static void take_over(struct node *n, uint64_t at, uint64_t size)
{
	uint64_t low, high;

	for (struct mapping *m = n->shared; m; m = m->next)
		if (m->writable && common(m, size_of(n), at, size, &low, &high)) {
			make_room(n, size_of(n));
			memcpy(n->data + low, (const void *)(m->address + low - m->offset), high - low);
		}
}

static void bring(struct node *n, uint64_t at, uint64_t size)
{
	uint64_t low, high;

	for (struct mapping *m = n->shared; m; m = m->next)
		if (common(m, size_of(n), at, size, &low, &high)) {
			if (!m->writable)
				raw3(SYS_mprotect, m->address, m->size, PROT_READ | PROT_WRITE);
			memcpy((void *)(m->address + low - m->offset), n->data + low, high - low);
			if (!m->writable)
				raw3(SYS_mprotect, m->address, m->size, PROT_READ);
		}
}

void node_read(struct node *n, uint64_t at, void *to, uint64_t size)
{
	check(n);
	if (n->shared)
		take_over(n, at, size);
	memcpy(to, n->data + at, size);
}

void node_write(struct node *n, uint64_t at, const void *from, uint64_t size)
{
	check(n);
	if (at + size > size_of(n))
		node_resize(n, at + size);
	make_room(n, size_of(n));
	memcpy(n->data + at, from, size);
	if (n->shared)
		bring(n, at, size);
}

void node_resize(struct node *n, uint64_t size)
{
	if (size)
		check(n);
	n->lost = false;
	uint64_t before = size_of(n);
	make_room(n, size);
	if (size > before) /* what a larger file had left there */
		memset(n->data + before, 0, size - before);
	n->st.st_size = (off_t)size;
	n->st.st_blocks = (blkcnt_t)((size + 511) / 512);
}

void node_map(struct node *n, const struct mapping *new)
{
	struct mapping *m = arena_alloc(sizeof(*m));

	for (const struct mapping *other = n->shared; other; other = other->next)
		if (other->offset < new->offset + new->size && new->offset < other->offset + other->size &&
		    (other->writable || new->writable))
			model_unknown("it maps the same part of a file twice");
	*m = *new;
	m->next = n->shared;
	n->shared = m;
	for (const struct node *a = state.all; a; a = a->mapped)
		if (a == n)
			return;
	n->mapped = state.all;
	state.all = n;
}

/* Mappings go as a whole: parts of them have not been seen to. */
void node_unmap(uint64_t low, uint64_t high)
{
	for (struct node *n = state.all; n; n = n->mapped)
		for (struct mapping **at = &n->shared; *at;) {
			struct mapping *m = *at;
			if (m->address >= high || m->address + m->size <= low) {
				at = &m->next;
				continue;
			}
			take_over(n, m->offset, m->size);
			*at = m->next;
		}
}

void node_remap(uint64_t from, uint64_t to, uint64_t size)
{
	for (struct node *n = state.all; n; n = n->mapped)
		for (struct mapping *m = n->shared; m; m = m->next)
			if (m->address == from) {
				m->address = to;
				m->size = size;
			}
}
