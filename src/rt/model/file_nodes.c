/*
 * Files that the execution has written, or that the log has.  A shared mapping of such a file is separate memory:
 * before the file is read, the bytes of the mapping are taken over, and after it is written, they are brought there.
 */
#include <string.h>
#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/undo.h"
#include "rt/kernel/kernel.h"
#include "rt/model/parts.h"

#define FILE_MOST (1ul << 34)

static struct {
	struct node *all;              /* nodes that have, or had, mappings */
	struct mapping *real_mappings; /* shared mappings of files that are still the real file system's */
	uint64_t inode;
} state = {.inode = 1ul << 40};

static struct timespec current_time(void)
{
	struct timespec t;

	kernel_clock(CLOCK_REALTIME, &t);
	return t;
}

struct node *node_new(uint32_t mode)
{
	struct node *n = model_alloc(sizeof(*n));

	n->st.st_mode = mode;
	n->st.st_ino = state.inode++;
	n->st.st_dev = 1;
	n->st.st_uid = (uid_t)raw0(SYS_geteuid);
	n->st.st_gid = (gid_t)raw0(SYS_getegid);
	n->made = n->changed = true;
	n->st.st_nlink = 1;
	n->st.st_blksize = 4096;
	n->st.st_mtim = n->st.st_ctim = n->st.st_atim = current_time();
	return n;
}

struct node *node_from(const struct stat *st, const uint8_t *data, uint64_t size)
{
	struct node *n = model_alloc(sizeof(*n));

	n->st = *st;
	n->data = (uint8_t *)data;
	n->room = n->high = size;
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
	while (room < size || room < n->high)
		room *= 2;
	uint8_t *data = model_alloc(room);
	if (n->data)
		memcpy(data, n->data, n->high);
	if (!n->borrowed)
		model_free(n->data, n->room);
	n->data = data;
	n->room = room;
	n->borrowed = false;
}

static void check_known(const struct node *n)
{
	if (n->lost)
		model_unknown("it uses a file whose contents were too large to be recorded");
}

/* ---- mappings ---- */

/* The part of a range that a mapping has. */
static bool part_in_mapping(const struct mapping *m, uint64_t limit, uint64_t at, uint64_t size, uint64_t *low,
                            uint64_t *high)
{
	uint64_t end = m->offset + m->size < limit ? m->offset + m->size : limit;

	*low = at > m->offset ? at : m->offset;
	*high = at + size < end ? at + size : end;
	return *low < *high;
}

static void *memory_of(const struct mapping *m, uint64_t at) { return (void *)(m->address + at - m->offset); }

static void set_access(const struct mapping *m, long needed, bool back)
{
	if ((m->prot & needed) != needed)
		raw3(SYS_mprotect, m->address, m->size, back ? m->prot : PROT_READ | PROT_WRITE);
}

static void read_mappings(struct node *n, uint64_t at, uint64_t size)
{
	uint64_t low, high;

	for (struct mapping *m = n->shared; m; m = m->next)
		if (m->written && part_in_mapping(m, size_of(n), at, size, &low, &high)) {
			make_room(n, size_of(n));
			set_access(m, PROT_READ, false);
			memcpy(n->data + low, memory_of(m, low), high - low);
			set_access(m, PROT_READ, true);
			n->high = n->high > high ? n->high : high;
		}
}

static void write_mappings(struct node *n, uint64_t at, uint64_t size)
{
	uint64_t low, high;

	for (struct mapping *m = n->shared; m; m = m->next)
		if (part_in_mapping(m, size_of(n), at, size, &low, &high)) {
			set_access(m, PROT_WRITE, false);
			memcpy(memory_of(m, low), n->data + low, high - low);
			set_access(m, PROT_WRITE, true);
		}
}

/* Clears the mappings behind the new end of a file, before its size is set. */
static void clear_mapped(struct node *n, uint64_t from)
{
	uint64_t low, high;

	for (struct mapping *m = n->shared; m; m = m->next)
		if (part_in_mapping(m, UINT64_MAX, from, UINT64_MAX - from, &low, &high)) {
			set_access(m, PROT_WRITE, false);
			memset(memory_of(m, low), 0, high - low);
			set_access(m, PROT_WRITE, true);
		}
}

void node_settle(struct node *n)
{
	if (n->shared)
		read_mappings(n, 0, size_of(n));
}

/* ---- contents ---- */

void node_read(struct node *n, uint64_t at, void *to, uint64_t size)
{
	check_known(n);
	if (n->shared)
		read_mappings(n, at, size);
	uint64_t have = n->high > at ? n->high - at : 0;
	have = have < size ? have : size;
	if (!to)
		return;
	if (have)
		memcpy(to, n->data + at, have);
	memset((uint8_t *)to + have, 0, size - have);
}

/* Behind the end all bytes are zero at all times, so nothing is to be done where a file grows. */
static void resize(struct node *n, uint64_t size)
{
	if (size)
		check_known(n);
	if (size > FILE_MOST)
		model_unknown("it makes a file of %lu bytes", size);
	outputs_file_changes(n);
	n->lost = false;
	uint64_t from = size < size_of(n) ? size : size_of(n);
	if (n->shared) {
		read_mappings(n, 0, from);
		clear_mapped(n, from);
	}
	if (n->high > from) {
		if (n->borrowed)
			n->high = from;
		make_room(n, n->high);
		memset(n->data + from, 0, n->high - from);
		n->high = from;
	}
	n->st.st_size = (off_t)size;
	n->st.st_blocks = (blkcnt_t)((size + 4095) / 4096 * 8);
	n->st.st_mtim = n->st.st_ctim = current_time();
}

void node_resize(struct node *n, uint64_t size)
{
	uint64_t before = size_of(n), from = size < before ? size : before;

	outputs_file_writes(n, from, (size > before ? size : before) - from);
	resize(n, size);
}

void node_write(struct node *n, uint64_t at, const void *from, uint64_t size)
{
	check_known(n);
	if (!size)
		return;
	outputs_file_changes(n);
	if (at + size > size_of(n))
		resize(n, at + size);
	outputs_file_writes(n, at, size);
	make_room(n, at + size);
	memcpy(n->data + at, from, size);
	n->high = n->high > at + size ? n->high : at + size;
	n->st.st_mtim = n->st.st_ctim = current_time();
	if (n->shared)
		write_mappings(n, at, size);
}

/* Clears a range, as far as it is in the file. */
void node_clear(struct node *n, uint64_t at, uint64_t size)
{
	check_known(n);
	uint64_t end = at + size < size_of(n) ? at + size : size_of(n);
	if (at >= end)
		return;
	outputs_file_changes(n);
	outputs_file_writes(n, at, end - at);
	read_mappings(n, 0, size_of(n));
	uint64_t known = end < n->high ? end : n->high;
	if (at < known) {
		make_room(n, n->high);
		memset(n->data + at, 0, known - at);
	}
	make_room(n, end);
	write_mappings(n, at, end - at);
}

/* ---- mapping and unmapping ---- */

static void add_mapping(struct node *n, const struct mapping *new)
{
	struct mapping *m = model_alloc(sizeof(*m));

	if (new->written) {
		outputs_file_changes(n);
		n->stored = true;
	}
	*m = *new;
	m->next = n->shared;
	n->shared = m;
	for (const struct node *a = state.all; a; a = a->mapped)
		if (a == n)
			return;
	n->mapped = state.all;
	state.all = n;
}

void node_map(struct node *n, const struct mapping *new)
{
	for (const struct mapping *other = n->shared; other; other = other->next)
		if (other->offset < new->offset + new->size &&new->offset < other->offset + other->size &&
		    (other->written || new->written))
			model_unknown("it maps the same part of a file twice");
	add_mapping(n, new);
}

void node_map_real_file(const struct stat *st, const struct mapping *new)
{
	struct mapping *m = model_alloc(sizeof(*m));

	*m = *new;
	m->dev = st->st_dev;
	m->ino = st->st_ino;
	m->next = state.real_mappings;
	state.real_mappings = m;
}

void node_replace(struct node *n, const struct mapping *m)
{
	uint64_t have = size_of(n) > m->offset ? size_of(n) - m->offset : 0;

	raw6(SYS_mmap, m->address, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	undo_impossible("a mapped file has become memory of its own");
	if (have)
		node_read(n, m->offset, (void *)m->address, have < m->size ? have : m->size);
	raw3(SYS_mprotect, m->address, m->size, m->prot);
}

void node_adopt(struct node *n)
{
	for (struct mapping **at = &state.real_mappings, *m; (m = *at);)
		if (m->dev == n->st.st_dev && m->ino == n->st.st_ino) {
			*at = m->next;
			node_replace(n, m);
			add_mapping(n, m);
			model_free(m, sizeof(*m));
		} else {
			at = &m->next;
		}
}

/* Splits a mapping that goes across this address. */
static void split_mappings(struct mapping *list, uint64_t at)
{
	for (struct mapping *m = list; m; m = m->next) {
		if (at <= m->address || at >= m->address + m->size)
			continue;
		struct mapping *rest = model_alloc(sizeof(*rest));
		*rest = *m;
		rest->address = at;
		rest->offset += at - m->address;
		rest->size -= at - m->address;
		m->size = at - m->address;
		m->next = rest;
	}
}

static bool is_within(const struct mapping *m, uint64_t low, uint64_t high)
{
	return m->address >= low && m->address + m->size <= high;
}

static void remove_mappings(struct mapping **list, uint64_t low, uint64_t high)
{
	split_mappings(*list, low);
	split_mappings(*list, high);
	for (struct mapping **at = list, *m; (m = *at);)
		if (is_within(m, low, high)) {
			*at = m->next;
			model_free(m, sizeof(*m));
		} else {
			at = &m->next;
		}
}

void node_unmap(uint64_t low, uint64_t high)
{
	high = (high + 4095) & ~4095ul;
	for (struct node *n = state.all; n; n = n->mapped) {
		bool touched = false;
		for (const struct mapping *m = n->shared; m; m = m->next)
			touched |= m->address < high && m->address + m->size > low;
		if (touched)
			read_mappings(n, 0, size_of(n));
		remove_mappings(&n->shared, low, high);
	}
	remove_mappings(&state.real_mappings, low, high);
}

void node_protect(uint64_t low, uint64_t high, long prot)
{
	high = (high + 4095) & ~4095ul;
	for (struct node *n = state.all; n; n = n->mapped) {
		split_mappings(n->shared, low);
		split_mappings(n->shared, high);
		for (struct mapping *m = n->shared; m; m = m->next)
			if (is_within(m, low, high)) {
				m->prot = prot;
				m->written |= prot & PROT_WRITE;
				if (m->written) {
					outputs_file_changes(n);
					n->stored = true;
				}
			}
	}
}

/* `done`: the memory has moved already. */
void node_remap(uint64_t from, uint64_t old_size, uint64_t to, uint64_t size, bool done)
{
	for (struct node *n = state.all; n; n = n->mapped)
		for (struct mapping *m = n->shared; m; m = m->next)
			if (m->address == from && m->size >= old_size) {
				m->address = to;
				m->size = (size + 4095) & ~4095ul;
				if (done && size > old_size) {
					make_room(n, size_of(n));
					write_mappings(n, m->offset + old_size, size - old_size);
				}
			} else if (m->address < from + old_size && m->address + m->size > from) {
				model_unknown("it moves a part of a mapping of a file");
			}
}
