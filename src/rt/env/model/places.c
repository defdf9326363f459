/*
 * Names.  What the execution has made, changed or removed stands in a table, and so does from the start what the
 * recording changed at any time, as it was before; everything else is as the real file system has it, and only looked
 * at.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "rt/arena.h"
#include "rt/arch/x86_64/raw.h"
#include "rt/env/model/parts.h"
#include "rt/text.h"

#define BUCKETS     1024
#define LINKS_MOST  40
#define COPIED_MOST (256u << 20)

struct place {
	struct place *next;
	struct node *node; /* NULL: nothing is there */
	uint32_t size;
	char name[];
};

static struct {
	struct place *bucket[BUCKETS];
	char here[NAME_SIZE];
	struct found found[NAMES_MOST];
} state;

static struct place **bucket_of(const char *name, uint32_t size)
{
	uint32_t h = 2166136261u;

	for (uint32_t i = 0; i < size; i++)
		h = (h ^ (uint8_t)name[i]) * 16777619u;
	return &state.bucket[h % BUCKETS];
}

static struct place *look(const char *name)
{
	uint32_t size = (uint32_t)strlen(name);

	for (struct place *p = *bucket_of(name, size); p; p = p->next)
		if (p->size == size && !memcmp(p->name, name, size))
			return p;
	return NULL;
}

void places_put(const char *name, struct node *n)
{
	struct place *p = look(name);

	if (!p) {
		uint32_t size = (uint32_t)strlen(name);
		struct place **bucket = bucket_of(name, size);
		p = arena_alloc(sizeof(*p) + size + 1);
		memcpy(p->name, name, size + 1);
		p->size = size;
		p->next = *bucket;
		*bucket = p;
	}
	p->node = n;
}

void places_remove(const char *name) { places_put(name, NULL); }

const char *places_here(void) { return state.here; }

void places_start(const char *here)
{
	size_t n = strnlen(here, NAME_SIZE - 1);

	memcpy(state.here, here, n);
	state.here[n] = 0;
}

void places_before(const struct world_entry *e)
{
	const char *name = (const char *)(e + 1);
	size_t size = strlen(name) + 1;
	struct stat st;

	if (look(name))
		return;
	if (e->result || e->bytes < size + sizeof(st)) {
		places_put(name, NULL);
		return;
	}
	memcpy(&st, name + size, sizeof(st));
	if (S_ISREG(st.st_mode))
		places_put(name, node_from(&st, (const uint8_t *)name + size + sizeof(st), e->bytes - size - sizeof(st)));
	else if (S_ISDIR(st.st_mode))
		places_put(name, node_from(&st, NULL, 0));
}

/* ---- looking up ---- */

static bool is_below(const struct place *p, const char *name, size_t size)
{
	return p->size > size && !memcmp(p->name, name, size) && (p->name[size] == '/' || (size == 1 && *name == '/'));
}

bool places_has_below(const char *name)
{
	size_t size = strlen(name);

	for (uint32_t i = 0; i < BUCKETS; i++)
		for (const struct place *p = state.bucket[i]; p; p = p->next)
			if (p->node && is_below(p, name, size))
				return true;
	return false;
}

/* The directory that a name is in. */
static void parent_of(const char *name, char out[NAME_SIZE])
{
	size_t n = strnlen(name, NAME_SIZE - 1);

	while (n > 1 && name[n - 1] != '/')
		n--;
	n -= n > 1;
	memmove(out, name, n);
	out[n] = 0;
}

/* Something above it was made or removed here: then the real file system does not know of it. */
static bool is_ours(const char *name)
{
	static char above[NAME_SIZE];

	parent_of(name, above);
	for (; above[1]; parent_of(above, above)) {
		const struct place *p = look(above);
		if (p)
			return !p->node || p->node->made;
	}
	return false;
}

static void look_at(const char *name, struct found *f)
{
	const struct place *p = look(name);

	f->known = p || is_ours(name);
	f->node = p ? p->node : NULL;
	f->there = f->node;
	if (f->node)
		f->st = f->node->st;
	else if (!f->known)
		f->there = raw2(SYS_lstat, name, &f->st) == 0;
}

struct found *places_look(const char *name)
{
	struct found *f = &state.found[0];

	if (name != f->name)
		text_format(f->name, NAME_SIZE, "%s", name);
	look_at(f->name, f);
	return f;
}

static long link_target(const struct found *f, char *out)
{
	if (!f->node)
		return raw3(SYS_readlink, f->name, out, NAME_SIZE - 1);
	size_t n = strnlen(f->node->target ? f->node->target : "", NAME_SIZE - 1);
	memcpy(out, f->node->target, n);
	return (long)n;
}

/* Walks along `rest`, which may grow by the targets of links. */
static long walk(struct found *f, char *rest, bool follow)
{
	static char target[NAME_SIZE], longer[NAME_SIZE];
	uint32_t links = 0;
	size_t at = strlen(f->name);

	for (char *c = rest; *c;) {
		size_t n = strcspn(c, "/");
		char *next = c + n + strspn(c + n, "/");
		if (!n || (n == 1 && *c == '.')) {
			c = next;
			continue;
		}
		if (n == 2 && c[0] == '.' && c[1] == '.') {
			parent_of(f->name, f->name);
			at = strlen(f->name);
			c = next;
			continue;
		}
		size_t before = at;
		if (at + n + 2 > NAME_SIZE)
			return -ENAMETOOLONG;
		if (at > 1)
			f->name[at++] = '/';
		memcpy(f->name + at, c, n);
		at += n;
		f->name[at] = 0;
		c = next;
		look_at(f->name, f);
		if (!f->there) {
			if (*c)
				return -ENOENT;
			continue;
		}
		if (S_ISLNK(f->st.st_mode) && (*c || follow)) {
			long size = link_target(f, target);
			if (size <= 0 || ++links > LINKS_MOST)
				return -ELOOP;
			target[size] = 0;
			if ((size_t)size + strlen(c) + 2 > NAME_SIZE)
				return -ENAMETOOLONG;
			text_format(longer, NAME_SIZE, "%s/%s", target, c);
			memcpy(rest, longer, strlen(longer) + 1);
			c = rest;
			at = *target == '/' ? 1 : before;
			f->name[at] = 0;
			if (at == 1)
				f->name[0] = '/';
			look_at(f->name, f);
		} else if (*c && !S_ISDIR(f->st.st_mode)) {
			return -ENOTDIR;
		}
	}
	return 0;
}

struct found *places_find(const struct ask *a, const struct name *n, uint32_t which, long *error)
{
	static char rest[NAME_SIZE];
	struct found *f = &state.found[which];

	*error = 0;
	if (a->entry) { /* the recording has the name already */
		const char *name = world_names(a->entry), *end = name + a->entry->names;
		for (uint32_t i = 0; i < which && name < end; i++)
			name += strlen(name) + 1;
		text_format(f->name, NAME_SIZE, "%s", name < end ? name : "");
		look_at(f->name, f);
		return f;
	}
	const struct open *directory = n->directory == AT_FDCWD ? NULL : descriptor(n->directory);
	const char *from = *n->path == '/' ? "/" : directory ? directory->name : state.here;
	if (*n->path != '/' && n->directory != AT_FDCWD && (!directory || !directory->name))
		*error = directory ? -ENOTDIR : -EBADF;
	else if (!*n->path)
		*error = -ENOENT;
	else if (strlen(n->path) >= NAME_SIZE - 1)
		*error = -ENAMETOOLONG;
	if (*error)
		return f;
	text_format(rest, sizeof(rest), "%s", n->path);
	text_format(f->name, NAME_SIZE, "%s", from);
	look_at(f->name, f);
	*error = walk(f, rest, n->follow);
	return f;
}

bool places_parent(const char *name)
{
	static char above[NAME_SIZE];
	static struct found f;

	parent_of(name, above);
	look_at(above, &f);
	return f.there && S_ISDIR(f.st.st_mode);
}

/* ---- changing ---- */

struct node *places_own(struct found *f)
{
	if (f->node || !f->there)
		return f->node;
	struct node *n = arena_alloc(sizeof(*n));
	n->st = f->st;
	if (S_ISREG(f->st.st_mode)) {
		uint64_t size = (uint64_t)f->st.st_size, done = 0;
		long fd = raw3(SYS_open, f->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0), got;
		if (fd < 0 || size > COPIED_MOST) {
			n->lost = true;
		} else {
			n->data = arena_alloc(size + 1);
			n->room = size;
			while (done < size &&
			       (got = raw4(SYS_pread64, fd, n->data + done, size - done, done)) > 0)
				done += (uint64_t)got;
		}
		if (fd >= 0)
			raw1(SYS_close, fd);
	}
	places_put(f->name, n);
	f->node = n;
	f->known = true;
	return n;
}

/* With everything below it that we have; what the real file system has below a directory does not come along. */
void places_move(const char *from, const char *to)
{
	static char name[NAME_SIZE];
	size_t size = strlen(from);
	struct place *p = look(from);
	struct node *n = p ? p->node : NULL;

	for (uint32_t i = 0; n && S_ISDIR(n->st.st_mode) && i < BUCKETS; i++)
		for (p = state.bucket[i]; p; p = p->next)
			if (p->node && is_below(p, from, size)) {
				struct node *moved = p->node;
				p->node = NULL;
				text_format(name, sizeof(name), "%s%s", to, p->name + size);
				places_put(name, moved);
			}
	places_put(from, NULL);
	places_put(to, n);
}

/* ---- listing ---- */

struct dirent64 {
	uint64_t ino;
	int64_t off;
	uint16_t size;
	uint8_t type;
	char name[];
};

static uint64_t add_name(uint8_t *out, uint64_t at, uint64_t ino, uint8_t type, const char *name)
{
	struct dirent64 *d = (void *)(out + at);
	size_t n = strlen(name) + 1;

	d->ino = ino;
	d->size = (uint16_t)((sizeof(*d) + n + 7) & ~7ul);
	d->type = type;
	memcpy(d->name, name, n);
	d->off = (int64_t)(at + d->size);
	return at + d->size;
}

#define LISTING_MOST (16u << 20)

/* What getdents64 would give of the whole directory. */
uint64_t places_list(const char *name, uint8_t **out)
{
	static char path[NAME_SIZE];
	uint64_t at = 0, got = 0;
	size_t size = strlen(name);
	const struct place *self = look(name);
	uint8_t *raw = arena_alloc(LISTING_MOST);
	long n, fd = self && self->node && self->node->made
	                     ? -1
	                     : raw3(SYS_open, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

	*out = arena_alloc(2ul * LISTING_MOST);
	while (fd >= 0 && got + 65536 < LISTING_MOST && (n = raw3(SYS_getdents64, fd, raw + got, 65536)) > 0)
		got += (uint64_t)n;
	if (fd >= 0)
		raw1(SYS_close, fd);
	else {
		at = add_name(*out, at, 1, 4, ".");
		at = add_name(*out, at, 1, 4, "..");
	}
	for (uint64_t i = 0; i < got;) {
		const struct dirent64 *d = (const void *)(raw + i);
		text_format(path, sizeof(path), "%s/%s", size > 1 ? name : "", d->name);
		const struct place *p = look(path);
		if (!p) /* what we have comes below */
			at = add_name(*out, at, d->ino, d->type, d->name);
		i += d->size;
	}
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (const struct place *p = state.bucket[i]; p && at + NAME_SIZE < 2ul * LISTING_MOST; p = p->next)
			if (p->node && is_below(p, name, size) && !strchr(p->name + size + (size > 1), '/'))
				at = add_name(*out, at, p->node->st.st_ino, (uint8_t)(p->node->st.st_mode >> 12),
				              p->name + size + (size > 1));
	return at;
}
