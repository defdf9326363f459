/* Calls that change names of files, and modes, owners and times. */
#include <errno.h>
#include <string.h>

#include "rt/kernel/kernel.h"
#include "rt/model/parts.h"

/* ---- names ---- */

static long remove_name(struct lookup *f, bool directory)
{
	bool is_directory = f->there && S_ISDIR(f->st.st_mode);

	if (f->last != LAST_NAME)
		return !directory             ? -EISDIR
		       : f->last == LAST_DOT  ? -EINVAL
		       : f->last == LAST_DOTS ? -ENOTEMPTY
		                              : -EBUSY;
	if (!f->there)
		return -ENOENT;
	if (f->slash && !is_directory)
		return -ENOTDIR;
	if (directory != is_directory)
		return directory ? -ENOTDIR : -EISDIR;
	if (directory && !names_directory_is_empty(f->name))
		return -ENOTEMPTY;
	names_remove(f);
	return 0;
}

/* Can something be made there? */
static long check_new(const struct lookup *f, bool directory)
{
	if (f->last != LAST_NAME || f->there)
		return -EEXIST;
	if (!names_has_parent(f->name) || (f->slash && !directory))
		return -ENOENT;
	return 0;
}

static long make_name(struct lookup *f, uint32_t mode)
{
	long error = check_new(f, true);

	if (!error)
		names_make(f->name, node_new(S_IFDIR | (mode & 01777 & ~names_umask())));
	return error;
}

#define NO_REPLACE 1 /* RENAME_NOREPLACE */

static long check_rename(const struct lookup *from, const struct lookup *to, long flags)
{
	bool directory = S_ISDIR(from->st.st_mode);

	if (from->last != LAST_NAME)
		return -EBUSY;
	if (to->last != LAST_NAME)
		return flags & NO_REPLACE ? -EEXIST : -EBUSY;
	if (!from->there || !names_has_parent(to->name))
		return -ENOENT;
	if (to->there && flags & NO_REPLACE)
		return -EEXIST;
	if (!directory && (from->slash || to->slash))
		return -ENOTDIR;
	if (names_is_above(from->name, to->name))
		return -EINVAL;
	if (names_is_above(to->name, from->name))
		return -ENOTEMPTY;
	return 0;
}

static long rename_to(struct lookup *from, struct lookup *to, long flags)
{
	bool directory = S_ISDIR(from->st.st_mode);
	long error = check_rename(from, to, flags);

	if (error)
		return error;
	if (to->there && from->st.st_ino == to->st.st_ino && from->st.st_dev == to->st.st_dev)
		return 0;
	if (to->there && directory != S_ISDIR(to->st.st_mode))
		return directory ? -ENOTDIR : -EISDIR;
	if (to->there && directory && !names_directory_is_empty(to->name))
		return -ENOTEMPTY;
	if (to->there && from->st.st_dev != to->st.st_dev)
		return -EXDEV;
	names_move(from, to);
	return 0;
}

static long link_to(struct lookup *from, struct lookup *to)
{
	if (!from->there)
		return -ENOENT;
	long error = check_new(to, false);
	if (error)
		return error;
	if (S_ISDIR(from->st.st_mode))
		return -EPERM;
	struct node *n = names_copy_in(from);
	names_set(to->name, n);
	n->st.st_nlink++;
	return 0;
}

static struct node *new_link(const char *target)
{
	struct node *n = node_new(S_IFLNK | 0777);

	n->target = model_copy_text(target);
	n->st.st_size = (off_t)strlen(target);
	return n;
}

static long link_symbolic(const struct request *a, struct lookup *f)
{
	const char *target = (const char *)a->arg[0];
	long error = check_new(f, false);

	if (!error)
		names_make(f->name, new_link(target));
	return error;
}

/*
 * Two paths may both be wrong.  Whether the second can exist at all is reported first; but that the first does not
 * exist is reported before the second is too long.
 */
static long find_two_names(const struct request *a, const struct path_arg *name, struct lookup **f)
{
	long first, second;
	bool links = a->nr == SYS_link || a->nr == SYS_linkat;

	f[0] = links ? names_find(a, &name[0], 0, &first) : names_find_target(a, &name[0], 0, &first);
	if (links && (first || !f[0]->there))
		return first ? first : -ENOENT;
	f[1] = names_find_target(a, &name[1], 1, &second);
	bool first_too_long = first && f[0]->too_long,
	     second_too_long = second && f[1]->too_long; /* errors of the last step of a path */
	if (!links && (f[0]->last != LAST_NAME || f[1]->last != LAST_NAME) && (!first || first_too_long) &&
	    (!second || second_too_long))
		return 0; /* the caller reports that */
	if (first && !first_too_long)
		return first;
	if (second && !second_too_long)
		return second;
	if (first_too_long)
		return first;
	return second_too_long && !f[0]->there ? -ENOENT : second;
}

static long find_names(const struct request *a, const struct path_arg *name, uint32_t n, struct lookup **f)
{
	long error = n ? 0 : -EFAULT;

	if (n == 2)
		return find_two_names(a, name, f);
	if (n)
		f[0] = names_find_target(a, name, 0, &error);
	return error;
}

long answer_name_change(const struct request *a)
{
	struct path_arg name[PATHS_MAX];
	struct lookup *f[PATHS_MAX] = {0};
	uint32_t n = paths_of_call(a->nr, a->arg, name);
	bool symbolic = a->nr == SYS_symlink || a->nr == SYS_symlinkat;

	if (symbolic && !*(const char *)a->arg[0])
		return -ENOENT;
	if (a->nr == SYS_linkat && !a->entry && a->arg[4])
		model_unknown("it links with flags");
	if (a->nr == SYS_renameat2 && a->arg[4] & ~(long)NO_REPLACE)
		model_unknown("it exchanges two names");
	long error = find_names(a, name, n, f);
	if (error)
		return error;
	switch (a->nr) {
	case SYS_unlink:
		return remove_name(f[0], false);
	case SYS_rmdir:
		return remove_name(f[0], true);
	case SYS_unlinkat:
		return remove_name(f[0], a->arg[2] & AT_REMOVEDIR);
	case SYS_mkdir:
	case SYS_mkdirat:
		return make_name(f[0], (uint32_t)a->arg[a->nr == SYS_mkdir ? 1 : 2]);
	case SYS_symlink:
	case SYS_symlinkat:
		return link_symbolic(a, f[0]);
	case SYS_link:
	case SYS_linkat:
		return link_to(f[0], f[1]);
	default:
		return rename_to(f[0], f[1], a->nr == SYS_renameat2 ? a->arg[4] : 0);
	}
}

/* ---- modes, owners, times ---- */

static void set_times(struct node *n, const struct timespec *t)
{
	struct timespec now;

	kernel_clock(CLOCK_REALTIME, &now);
	for (int i = 0; i < 2; i++) {
		struct timespec *to = i ? &n->st.st_mtim : &n->st.st_atim;
		if (!t || t[i].tv_nsec == UTIME_NOW)
			*to = now;
		else if (t[i].tv_nsec != UTIME_OMIT)
			*to = t[i];
	}
}

static void set_owner(struct node *n, long uid, long gid)
{
	if ((int)uid != -1)
		n->st.st_uid = (uid_t)uid;
	if ((int)gid != -1)
		n->st.st_gid = (gid_t)gid;
}

/* The node of an open file; one of the real file system is copied. */
static struct node *own_node(struct open *o)
{
	static char name[PATH_SIZE];

	if (o->node || o->kind != KIND_REAL_FILE)
		return o->node;
	if (o->name)
		return names_copy_in(names_look_up(o->name));
	if (!path_of_descriptor(o->real, name))
		model_unknown("it changes a file that has no name any more");
	names_copy_in(names_look_up(name));
	return o->node;
}

/* chmod, chown and utimensat. */
long answer_attributes(const struct request *a)
{
	const long *arg = a->arg;
	struct path_arg name;
	struct node *n = NULL;
	long error = 0;

	if (a->nr == SYS_fchmod || a->nr == SYS_fchown || !paths_of_call(a->nr, arg, &name)) {
		struct open *o = descriptor(arg[0]);
		if (!o)
			return -EBADF;
		n = own_node(o);
	} else {
		struct lookup *f = names_find(a, &name, 0, &error);
		if (error || !f->there)
			return error ? error : -ENOENT;
		n = names_copy_in(f);
	}
	if (!n) /* pipes and sockets */
		return 0;
	outputs_file_changes(n);
	switch (a->nr) {
	case SYS_utimensat:
		set_times(n, (const void *)arg[2]);
		break;
	case SYS_chown:
	case SYS_lchown:
	case SYS_fchown:
		set_owner(n, arg[1], arg[2]);
		break;
	case SYS_fchownat:
		set_owner(n, arg[2], arg[3]);
		break;
	default:
		n->st.st_mode = (n->st.st_mode & S_IFMT) | (uint32_t)(arg[a->nr == SYS_fchmodat ? 2 : 1] & 07777);
	}
	return 0;
}
