/*
 * Names of files.  The table has what the execution has made, changed or removed, and from the start what the
 * recording changes at any time, as it was before.  Everything else is only looked at in the real file system.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"
#include "rt/core/text.h"

#define BUCKETS     1024
#define LINKS_MOST  40
#define COPIED_MOST (256u << 20)

struct table_name {
	struct table_name *next;
	struct node *node;  /* NULL: nothing is there */
	struct node *first; /* what was there at the beginning, as far as that is known */
	bool was_there;     /* something was there at the beginning */
	uint32_t size;
	char name[];
};

static struct {
	struct table_name *bucket[BUCKETS];
	char here[PATH_SIZE];
	bool gone; /* the current directory was removed */
	uint32_t umask;
	struct lookup lookups[PATHS_MAX];
} state;

static struct table_name **bucket_of(const char *name, uint32_t size)
{
	uint32_t h = 2166136261u;

	for (uint32_t i = 0; i < size; i++)
		h = (h ^ (uint8_t)name[i]) * 16777619u;
	return &state.bucket[h % BUCKETS];
}

static struct table_name *entry_of(const char *name)
{
	uint32_t size = (uint32_t)strlen(name);

	for (struct table_name *p = *bucket_of(name, size); p; p = p->next)
		if (p->size == size && !memcmp(p->name, name, size))
			return p;
	return NULL;
}

/* Sets what a name stands for.  `there`, of a name that is new to the table: did it stand for something so far? */
static void set_entry(const char *name, struct node *n, bool there)
{
	struct table_name *p = entry_of(name);

	if (!p) {
		uint32_t size = (uint32_t)strlen(name);
		struct table_name **bucket = bucket_of(name, size);
		p = model_alloc(sizeof(*p) + size + 1);
		memcpy(p->name, name, size + 1);
		p->size = size;
		p->next = *bucket;
		*bucket = p;
		p->was_there = there;
		p->first = there ? n : NULL;
	}
	outputs_name_changes(name);
	p->node = n;
}

void names_set(const char *name, struct node *n) { set_entry(name, n, false); }

void names_each(void (*f)(const char *name, const struct node *first, bool was_there, struct node *now))
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (const struct table_name *p = state.bucket[i]; p; p = p->next)
			f(p->name, p->first, p->was_there, p->node);
}

const char *names_current_directory(void) { return state.gone ? NULL : state.here; }

/* The mask of a process can only be read by setting it. */
void names_read_umask(void)
{
	state.umask = (uint32_t)raw1(SYS_umask, 077);
	raw1(SYS_umask, state.umask);
}

void names_change_directory(const char *here)
{
	size_t n = strnlen(here, PATH_SIZE - 1);

	memmove(state.here, here, n);
	state.here[n] = 0;
	state.gone = false;
}

uint32_t names_umask(void) { return state.umask; }

long answer_umask(const struct request *a)
{
	uint32_t before = state.umask;

	state.umask = (uint32_t)a->arg[0] & 0777;
	return before;
}

/* The node of another name of the same file. */
static struct node *known_node(const struct stat *st)
{
	for (uint32_t i = 0; st->st_nlink > 1 && !S_ISDIR(st->st_mode) && i < BUCKETS; i++)
		for (const struct table_name *p = state.bucket[i]; p; p = p->next)
			if (p->node && p->node->st.st_ino == st->st_ino && p->node->st.st_dev == st->st_dev)
				return p->node;
	return NULL;
}

/* The entry may be damaged: its sizes are checked. */
void names_add_before(const struct world_entry *e)
{
	const char *name = (const char *)(e + 1);
	size_t size = strnlen(name, e->bytes) + 1;
	struct stat st;

	if (size > e->bytes || size > PATH_SIZE || *name != '/')
		return;
	const struct table_name *known = entry_of(name);
	if (e->result == -E2BIG && known && known->node) /* it was a directory with too much in it */
		known->node->lost = true;
	if (known)
		return;
	if (e->result || e->bytes < size + sizeof(st)) {
		names_set(name, NULL);
		return;
	}
	memcpy(&st, name + size, sizeof(st));
	const uint8_t *data = (const uint8_t *)name + size + sizeof(st);
	uint64_t bytes = e->bytes - size - sizeof(st);
	struct node *n = known_node(&st);
	if (!n)
		n = node_from(&st, data, S_ISREG(st.st_mode) ? bytes : 0);
	if (S_ISLNK(st.st_mode) && !n->target)
		n->target = model_text(data, bytes < PATH_SIZE ? bytes : 0);
	set_entry(name, n, true);
}

/* ---- looking up ---- */

static bool is_below(const struct table_name *p, const char *name, size_t size)
{
	return p->size > size && !memcmp(p->name, name, size) && (p->name[size] == '/' || (size == 1 && *name == '/'));
}

bool names_is_above(const char *name, const char *below)
{
	size_t size = strlen(name);

	return !strncmp(name, below, size) && (below[size] == '/' || (size == 1 && below[1]));
}

/* The directory of a name. */
static void parent_of(const char *name, char out[PATH_SIZE])
{
	size_t n = strnlen(name, PATH_SIZE - 1);

	while (n > 1 && name[n - 1] != '/')
		n--;
	n -= n > 1;
	memmove(out, name, n);
	out[n] = 0;
}

/* Did this execution make or remove a directory above it?  Then the real file system does not know it. */
static bool is_below_changed(const char *name)
{
	static char above[PATH_SIZE];

	parent_of(name, above);
	for (; above[1]; parent_of(above, above)) {
		const struct table_name *p = entry_of(above);
		if (p && p->node && p->node->lost)
			model_unknown("it looks into a directory that had too much in it to be recorded");
		if (p)
			return !p->node || p->node->made;
	}
	return false;
}

static void look_up(const char *name, struct lookup *f)
{
	const struct table_name *p = entry_of(name);

	f->known = p || is_below_changed(name);
	f->node = p ? p->node : NULL;
	f->there = f->node;
	if (f->node)
		f->st = f->node->st;
	else if (!f->known)
		f->there = raw2(SYS_lstat, name, &f->st) == 0;
}

struct lookup *names_look_up(const char *name)
{
	struct lookup *f = &state.lookups[0];

	f->last = LAST_NAME;
	f->slash = false;
	if (name != f->name)
		text_format(f->name, PATH_SIZE, "%s", name);
	look_up(f->name, f);
	return f;
}

static long link_target(const struct lookup *f, char *out)
{
	if (!f->node)
		return raw3(SYS_readlink, f->name, out, PATH_SIZE - 1);
	const char *target = f->node->target ? f->node->target : "";
	size_t n = strnlen(target, PATH_SIZE - 1);
	memcpy(out, target, n);
	return (long)n;
}

struct walk {
	struct lookup *f;
	char rest[PATH_SIZE]; /* the rest of the path */
	char *next;
	uint32_t links;
	/* It is the target of a call that makes, moves or removes: a slash at the end does not demand a directory. */
	bool is_target;
};

/* Continues along the target of a link, which was found at `before` bytes of the name. */
static long follow_link(struct walk *w, size_t before)
{
	static char target[PATH_SIZE], longer[PATH_SIZE];
	long size = link_target(w->f, target);

	if (size <= 0)
		return size ? size : -ENOENT;
	if (++w->links > LINKS_MOST)
		return -ELOOP;
	target[size] = 0;
	if (w->is_target && !*w->next && target[size - 1] == '/')
		return -EISDIR; /* the call wants to make a file there */
	if ((size_t)size + strlen(w->next) + 2 > PATH_SIZE)
		return -ENAMETOOLONG;
	text_format(longer, PATH_SIZE, "%s%s%s", target, w->f->slash ? "/" : "", w->next);
	memcpy(w->rest, longer, strlen(longer) + 1);
	w->next = w->rest;
	w->f->name[before] = 0;
	if (*target == '/' || !before)
		memcpy(w->f->name, "/", 2);
	w->next += strspn(w->next, "/");
	look_up(w->f->name, w->f);
	return 0;
}

static bool is_own_descriptors(const char *name)
{
	const char *end = strncmp(name, "/proc/", 6) ? NULL : strchr(name + 6, '/');

	return end && (!strcmp(end, "/fd") || !strcmp(end, "/fdinfo"));
}

/* One step down. */
static long step_down(struct walk *w, const char *step, size_t n, bool follow)
{
	struct lookup *f = w->f;
	size_t at = strlen(f->name), before = at;

	f->too_long = n > NAME_MAX && !*w->next;
	if (n > NAME_MAX || at + n + 2 > PATH_SIZE)
		return -ENAMETOOLONG;
	if (at > 1)
		f->name[at++] = '/';
	memcpy(f->name + at, step, n);
	f->name[at + n] = 0;
	if (model.departed && is_own_descriptors(f->name))
		model_unknown("it looks for its descriptors in /proc");
	look_up(f->name, f);
	if (!f->there)
		return *w->next ? -ENOENT : 0;
	if (S_ISLNK(f->st.st_mode) && (*w->next || (f->slash && !w->is_target) || follow))
		return follow_link(w, before > 1 ? before : 0);
	return 0;
}

static long walk(struct walk *w, bool follow)
{
	struct lookup *f = w->f;

	f->last = LAST_ROOT;
	f->slash = f->too_long = false;
	while (*w->next) {
		const char *step = w->next;
		size_t n = strcspn(step, "/");
		long error = 0;
		if (!f->there || !S_ISDIR(f->st.st_mode))
			return f->there ? -ENOTDIR : -ENOENT;
		w->next += n + strspn(step + n, "/");
		f->slash = step[n] == '/';
		f->last = LAST_NAME;
		if (n == 1 && step[0] == '.') {
			f->last = LAST_DOT;
		} else if (n == 2 && step[0] == '.' && step[1] == '.') {
			f->last = LAST_DOTS;
			parent_of(f->name, f->name);
			look_up(f->name, f);
		} else {
			error = step_down(w, step, n, follow);
		}
		if (error)
			return error;
	}
	return f->there && f->slash && !w->is_target && !S_ISDIR(f->st.st_mode) ? -ENOTDIR : 0;
}

/* The directory where a path begins, or NULL with the error. */
static const char *begin_of(const struct path_arg *n, long *error)
{
	if (*n->path == '/')
		return "/";
	if (n->directory == AT_FDCWD) {
		*error = -ENOENT;
		return names_current_directory();
	}
	const struct open *directory = descriptor(n->directory);
	*error = !directory ? -EBADF : directory->gone ? -ENOENT : -ENOTDIR;
	return directory && !directory->gone ? directory->name : NULL;
}

static struct lookup *find_recorded(const struct world_entry *e, struct lookup *f, uint32_t which)
{
	const char *name = world_names(e), *end = name + e->names;

	for (uint32_t i = 0; i < which && name < end; i++)
		name += strnlen(name, (size_t)(end - name)) + 1;
	size_t n = name < end ? strnlen(name, (size_t)(end - name)) : 0;
	n = n < PATH_SIZE ? n : 0;
	memcpy(f->name, name, n);
	f->name[n] = 0;
	f->last = LAST_NAME;
	f->slash = false;
	look_up(f->name, f);
	return f;
}

static struct lookup *find(const struct request *a, const struct path_arg *n, uint32_t which, bool is_target,
                           long *error)
{
	static struct walk w;
	struct lookup *f = &state.lookups[which];

	*error = 0;
	if (a->entry) /* the log has the name already */
		return find_recorded(a->entry, f, which);
	*f->name = 0;
	f->there = f->known = false;
	f->node = NULL;
	if (raw2(SYS_access, n->path, 0) == -EFAULT)
		*error = -EFAULT;
	else if (!*n->path)
		*error = -ENOENT;
	else if (strlen(n->path) >= PATH_SIZE - 1)
		*error = -ENAMETOOLONG;
	if (*error)
		return f;
	const char *from = begin_of(n, error);
	if (!from)
		return f;
	text_format(w.rest, sizeof(w.rest), "%s", n->path);
	text_format(f->name, PATH_SIZE, "%s", from);
	look_up(f->name, f);
	w.f = f;
	w.next = w.rest + strspn(w.rest, "/");
	w.links = 0;
	w.is_target = is_target;
	*error = walk(&w, n->follow);
	return f;
}

struct lookup *names_find(const struct request *a, const struct path_arg *n, uint32_t which, long *error)
{
	return find(a, n, which, false, error);
}

struct lookup *names_find_target(const struct request *a, const struct path_arg *n, uint32_t which, long *error)
{
	return find(a, n, which, true, error);
}

bool names_has_parent(const char *name)
{
	static char above[PATH_SIZE];
	static struct lookup f;

	parent_of(name, above);
	look_up(above, &f);
	return f.there && S_ISDIR(f.st.st_mode);
}

/* ---- changing ---- */

struct dirent64 {
	uint64_t ino;
	int64_t off;
	uint16_t size;
	uint8_t type;
	char name[];
};

/* Copies the contents of a real file. */
static void copy_contents(const char *name, struct node *n)
{
	uint64_t size = (uint64_t)n->st.st_size, done = 0;
	long fd = raw3(SYS_open, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0), got;

	n->lost = fd < 0 || size > COPIED_MOST;
	if (!n->lost && size) {
		n->data = model_alloc(size);
		n->room = size;
		while (done < size && (got = raw4(SYS_pread64, fd, n->data + done, size - done, done)) > 0)
			done += (uint64_t)got;
		n->high = done;
	}
	if (fd >= 0)
		raw1(SYS_close, fd);
}

struct node *names_copy_in(struct lookup *f)
{
	static char target[PATH_SIZE];

	if (f->node || !f->there)
		return f->node;
	struct node *n = known_node(&f->st);
	if (!n) {
		n = model_alloc(sizeof(*n));
		n->st = f->st;
		if (S_ISREG(f->st.st_mode)) {
			copy_contents(f->name, n);
			descriptors_use_node(n);
			node_adopt(n);
		} else if (S_ISLNK(f->st.st_mode)) {
			long size = raw3(SYS_readlink, f->name, target, PATH_SIZE - 1);
			n->target = model_text(target, size > 0 ? (uint64_t)size : 0);
		}
	}
	set_entry(f->name, n, true);
	f->node = n;
	f->known = true;
	return n;
}

void names_make(const char *name, struct node *n)
{
	static char above[PATH_SIZE];
	static struct lookup f;

	parent_of(name, above);
	look_up(above, &f);
	if (f.there)
		n->st.st_dev = f.st.st_dev;
	names_set(name, n);
}

void names_remove(struct lookup *f)
{
	if (f->node)
		f->node->st.st_nlink--;
	else
		descriptors_unlinked(&f->st);
	if (S_ISDIR(f->st.st_mode)) {
		descriptors_moved(f->name, NULL);
		state.gone |= !strcmp(f->name, state.here);
	}
	set_entry(f->name, NULL, true);
}

#define TREE_MOST 4096

/* Copies everything below a real directory into the table. */
static void copy_in_below(const char *name, uint32_t depth)
{
	static struct lookup f;
	static uint32_t count;
	uint64_t room, size, size_of_name = strlen(name);
	uint8_t *list;

	if (!depth)
		count = 0;
	size = names_list(name, &list, &room);
	for (uint64_t at = 0; at < size;) {
		const struct dirent64 *d = (const void *)(list + at);
		at += d->size;
		if (!strcmp(d->name, ".") || !strcmp(d->name, "..") || size_of_name + strlen(d->name) + 2 > PATH_SIZE)
			continue;
		if (++count > TREE_MOST || depth > 32)
			model_unknown("it moves a directory with much in it");
		text_format(f.name, PATH_SIZE, "%s/%s", name, d->name);
		look_up(f.name, &f);
		bool directory = f.there && S_ISDIR(f.st.st_mode);
		const struct node *n = names_copy_in(&f);
		if (directory && n && !n->made) {
			char *below = model_copy_text(f.name);
			copy_in_below(below, depth + 1);
			model_free(below, strlen(below) + 1);
		}
	}
	model_free(list, room);
	struct table_name *p = entry_of(name);
	if (p && p->node)
		p->node->made = true;
}

static void move_below(const char *from, const char *to)
{
	static char name[PATH_SIZE];
	size_t size = strlen(from);

	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct table_name *p = state.bucket[i]; p; p = p->next)
			if (p->node && is_below(p, from, size)) {
				struct node *moved = p->node;
				p->node = NULL;
				text_format(name, sizeof(name), "%s%s", to, p->name + size);
				names_set(name, moved);
			}
}

/* What stood at the target before is removed. */
void names_move(struct lookup *from, struct lookup *to)
{
	static char here[PATH_SIZE];
	struct node *n = names_copy_in(from);
	bool directory = S_ISDIR(from->st.st_mode);

	if (to->there)
		names_remove(to);
	if (directory) {
		if (!n->made)
			copy_in_below(from->name, 0);
		move_below(from->name, to->name);
		descriptors_moved(from->name, to->name);
		if (!strcmp(state.here, from->name) || names_is_above(from->name, state.here)) {
			text_format(here, sizeof(here), "%s%s", to->name, state.here + strlen(from->name));
			names_change_directory(here);
		}
	}
	names_set(from->name, NULL);
	names_set(to->name, n);
}

/* ---- listing ---- */

struct listing {
	uint8_t *data;
	uint64_t size, room;
};

static void add_name(struct listing *l, uint64_t ino, uint8_t type, const char *name)
{
	size_t n = strlen(name) + 1, size = (sizeof(struct dirent64) + n + 7) & ~7ul;

	if (l->size + size > l->room) {
		struct listing new = {model_alloc(2 * l->room), l->size, 2 * l->room};
		memcpy(new.data, l->data, l->size);
		model_free(l->data, l->room);
		*l = new;
	}
	struct dirent64 *d = (void *)(l->data + l->size);
	l->size += size;
	d->ino = ino;
	d->size = (uint16_t)size;
	d->type = type;
	d->off = (int64_t)l->size;
	memcpy(d->name, name, n);
}

/* Lists what the real directory has, without the names that the table has. */
static void list_real_directory(struct listing *l, const char *name)
{
	static char path[PATH_SIZE], raw[32768];
	long fd = raw3(SYS_open, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), n;

	while (fd >= 0 && (n = raw3(SYS_getdents64, fd, raw, sizeof(raw))) > 0)
		for (long i = 0; i < n;) {
			const struct dirent64 *d = (const void *)(raw + i);
			bool dots = !strcmp(d->name, ".") || !strcmp(d->name, "..");
			text_format(path, sizeof(path), "%s/%s", name[1] ? name : "", d->name);
			if (!dots && !entry_of(path))
				add_name(l, d->ino, d->type, d->name);
			i += d->size;
		}
	if (fd >= 0)
		raw1(SYS_close, fd);
}

uint64_t names_list(const char *name, uint8_t **out, uint64_t *room)
{
	struct listing l = {.data = model_alloc(4096), .room = 4096};
	const struct table_name *self = entry_of(name);
	size_t size = strlen(name), skip = size + (size > 1);

	if (self && self->node && self->node->lost)
		model_unknown("it lists a directory that had too much in it to be recorded");
	add_name(&l, self && self->node ? self->node->st.st_ino : 1, 4, ".");
	add_name(&l, 1, 4, "..");
	if (!(self ? !self->node || self->node->made : is_below_changed(name)))
		list_real_directory(&l, name);
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (const struct table_name *p = state.bucket[i]; p; p = p->next)
			if (p->node && is_below(p, name, size) && !strchr(p->name + skip, '/'))
				add_name(&l, p->node->st.st_ino, (uint8_t)(p->node->st.st_mode >> 12), p->name + skip);
	*out = l.data;
	*room = l.room;
	return l.size;
}

bool names_directory_is_empty(const char *name)
{
	uint8_t *list;
	uint64_t room, size = names_list(name, &list, &room);

	model_free(list, room);
	return size <= 2 * ((sizeof(struct dirent64) + 3 + 7) & ~7ul);
}
