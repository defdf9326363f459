/* Calls that list directories or change the current one. */
#include <errno.h>
#include <string.h>

#include "rt/model/parts.h"

/* ---- listing ---- */

struct head {
	uint64_t ino;
	int64_t off;
	uint16_t size;
	uint8_t type;
	char name[];
};

/* The recording has listed these names: after it was left they are not listed again. */
static void follow_list(struct open *o, const uint8_t *list, uint64_t size)
{
	for (uint64_t at = 0; at < size;) {
		const struct head *h = (const void *)(list + at);
		uint64_t n = strlen(h->name) + 1;
		if (o->listed_size + n > o->listed_room) {
			uint64_t room = o->listed_room ? 2 * o->listed_room : 4096;
			char *more = model_alloc(room);
			if (o->listed)
				memcpy(more, o->listed, o->listed_size);
			model_free(o->listed, o->listed_room);
			o->listed = more;
			o->listed_room = room;
		}
		memcpy(o->listed + o->listed_size, h->name, n);
		o->listed_size += n;
		at += h->size ? h->size : size;
	}
	o->offset += size;
}

static bool was_listed(const struct open *o, const char *name)
{
	for (uint64_t at = 0; at < o->listed_size; at += strlen(o->listed + at) + 1)
		if (!strcmp(o->listed + at, name))
			return true;
	return false;
}

void directory_list_again(struct open *o)
{
	if (!o->name || o->offset)
		return;
	model_free(o->listing, o->listing_room);
	model_free(o->listed, o->listed_room);
	o->listing = NULL;
	o->listed = NULL;
	o->listed_size = 0;
}

/* Gives whole entries only; `offset` counts bytes of the whole listing. */
long answer_getdents(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint64_t done = 0, room = (uint32_t)a->arg[2];

	if (!o || !o->name)
		return o ? -ENOTDIR : -EBADF;
	if (a->entry) {
		follow_list(o, (const uint8_t *)a->arg[1], (uint64_t)a->entry->result);
		return 0;
	}
	if (o->gone)
		return -ENOENT;
	if (!o->listing) {
		o->listing_size = names_list(o->name, &o->listing, &o->listing_room);
		o->offset = o->listed_size ? 0 : o->offset;
	}
	while (o->offset < o->listing_size) {
		const struct head *h = (const void *)(o->listing + o->offset);
		bool skip = was_listed(o, h->name);
		if (!skip && done + h->size > room)
			return done ? (long)done : -EINVAL;
		if (!skip) {
			memcpy((char *)a->arg[1] + done, h, h->size);
			done += h->size;
		}
		o->offset += h->size;
	}
	return (long)done;
}

/* ---- the current directory ---- */

long answer_current_directory(const struct request *a)
{
	const char *here = names_current_directory();
	size_t n = here ? strlen(here) + 1 : 0;
	struct open *o;
	struct path_arg name;
	long error;

	switch (a->nr) {
	case SYS_getcwd:
		if (!here)
			return -ENOENT;
		if (n > (uint64_t)a->arg[1])
			return -ERANGE;
		memcpy((char *)a->arg[0], here, n);
		return (long)n;
	case SYS_fchdir:
		o = descriptor(a->arg[0]);
		if (!o || !o->name)
			return o ? -ENOTDIR : -EBADF;
		if (o->gone)
			model_unknown("it goes to a directory that was removed");
		names_change_directory(o->name);
		return 0;
	default: {
		if (!paths_of_call(a->nr, a->arg, &name))
			return -EFAULT;
		const struct lookup *f = names_find(a, &name, 0, &error);
		if (error || !f->there)
			return error ? error : -ENOENT;
		if (!S_ISDIR(f->st.st_mode))
			return -ENOTDIR;
		names_change_directory(f->name);
		return 0;
	}
	}
}
