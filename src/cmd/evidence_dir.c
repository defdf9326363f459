#include "cmd/evidence_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/json.h"
#include "format/schedule.h"

#define MANIFEST       "manifest.json"
#define SCHEDULE       "schedule"
#define LOG            "log"
#define STAGE          ".new-"
#define MANIFEST_LIMIT (16u << 20)

/*
 * All names that Omen writes into such a directory. The manifest marks it as Omen's: it is removed last and comes
 * first.
 */
static const char *const own_names[] = {MANIFEST,     SCHEDULE,      LOG,        "stdin", "output",
                                        "report.txt", "report.json", "failures", "races", "journal"};
#define OWN_NAMES (sizeof own_names / sizeof own_names[0])
/* The first ones: a replay needs them, so they are on the disk before the old ones are removed. */
#define NEEDED_NAMES 3

/* Stages that a killed omen left do not count. */
static bool is_empty(const char *directory)
{
	DIR *d = opendir(directory);
	struct dirent *entry;
	bool empty = d;

	while (empty && (entry = readdir(d)))
		empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		        !strncmp(entry->d_name, STAGE, strlen(STAGE));
	if (d)
		closedir(d);
	return empty;
}

static int lock(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, how)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Whether the maker of this stage is gone. */
static bool is_abandoned(const char *stage)
{
	int fd = lock(stage, LOCK_EX | LOCK_NB);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Calls `visit` with every stage in a directory. */
static void each_stage(const char *directory, void (*visit)(const char *stage, void *arg), void *arg)
{
	DIR *d = opendir(directory);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		if (strncmp(entry->d_name, STAGE, strlen(STAGE)))
			continue;
		char *stage = must_format("%s/%s", directory, entry->d_name);
		visit(stage, arg);
		free(stage);
	}
	if (d)
		closedir(d);
}

static bool is_ours(const char *directory)
{
	char *path = must_format("%s/" MANIFEST, directory);
	struct bytes file;
	struct error ignored;
	bool ours = false;

	if (file_read(path, MANIFEST_LIMIT, &file, &ignored)) {
		struct json *root = json_read((char *)file.data, file.size, &ignored);
		ours = json_text(root, "omen");
		json_free(root);
		bytes_free(&file);
	}
	free(path);
	return ours;
}

/* Checked before the executions, so that they are not in vain. */
static bool can_be_made(const char *directory)
{
	char *copy = must_format("%s", directory);
	bool ok = !access(dirname(copy), W_OK | X_OK);

	free(copy);
	return ok;
}

bool evidence_check(const char *directory, struct error *e)
{
	struct stat st;

	if (stat(directory, &st)) {
		if (errno == ENOENT && can_be_made(directory))
			return true;
		return error_set(e, "cannot write to %s: %s; give another one with --data", directory, strerror(errno));
	}
	if (!S_ISDIR(st.st_mode))
		return error_set(e, "cannot write to %s: not a directory; give another one with --data", directory);
	if (is_empty(directory) || is_ours(directory))
		return true;
	return error_set(e, "cannot write to %s: it holds files that are not Omen's; give another one with --data",
	                 directory);
}

bool evidence_begin(struct evidence *v, const char *directory, struct error *e)
{
	*v = (struct evidence){.lock = -1};
	if (mkdir(directory, 0777) && errno != EEXIST)
		return error_set(e, "cannot make the directory %s: %s", directory, strerror(errno));
	v->directory = must_format("%s", directory);
	v->stage = must_format("%s/" STAGE "XXXXXX", directory);
	/* Without this lock evidence_clear() of another process could take the new stage for an abandoned one. */
	int making = lock(directory, LOCK_EX);
	bool ok = mkdtemp(v->stage);
	int error = errno;
	v->lock = ok ? lock(v->stage, LOCK_EX | LOCK_NB) : -1;
	if (making >= 0)
		close(making);
	if (ok)
		return true;
	error_set(e, "cannot make the directory %s: %s", v->stage, strerror(error));
	free(v->stage);
	v->stage = NULL;
	return false;
}

bool evidence_take(const struct evidence *v, const char *from, struct error *e)
{
	static const char *const names[] = {SCHEDULE, LOG, "stdin"};
	bool ok = true;

	for (size_t i = 0; i < sizeof names / sizeof names[0] && ok; i++) {
		char *old = must_format("%s/%s", from, names[i]), *new = must_format("%s/%s", v->stage, names[i]);
		ok = access(old, F_OK) || !link(old, new) || file_copy(old, new, e);
		free(old);
		free(new);
	}
	return ok;
}

/* mkdir -p below the stage. */
static bool make_directories(const struct evidence *v, char *path, struct error *e)
{
	for (char *p = path + strlen(v->stage) + 1;; p++) {
		char c = *p;
		if (c && c != '/')
			continue;
		*p = 0;
		if (mkdir(path, 0777) && errno != EEXIST)
			return error_set(e, "cannot make the directory %s: %s", path, strerror(errno));
		*p = c;
		if (!c)
			return true;
	}
}

static bool write_in(const char *directory, const char *name, const void *data, size_t size, struct error *e)
{
	char *path = must_format("%s/%s", directory, name);
	bool ok = file_write(path, data, size, e);

	free(path);
	return ok;
}

/* Links or copies a log that was written elsewhere. */
static bool place_log(const char *from, const char *directory, struct error *e)
{
	char *to = must_format("%s/" LOG, directory);
	bool ok = !link(from, to) || file_copy(from, to, e);

	free(to);
	return ok;
}

static bool write_output(const char *directory, const struct bytes *output, struct error *e)
{
	char *path = must_format("%s/output", directory);
	bool ok = !mkdir(path, 0777) || errno == EEXIST;

	if (!ok)
		error_set(e, "cannot make the directory %s: %s", path, strerror(errno));
	ok = ok && write_in(path, "stdout", output[0].data, output[0].size, e) &&
	     write_in(path, "stderr", output[1].data, output[1].size, e);
	free(path);
	return ok;
}

/* Links a file of `same_as`. False: there is none, or the file system has no hard links. */
static bool share(const struct evidence *v, const char *same_as, const char *directory, const char *name)
{
	char *from = must_format("%s/%s/%s", v->stage, same_as ? same_as : "", name),
	     *to = must_format("%s/%s", directory, name);
	bool ok = same_as && !link(from, to);

	free(from);
	free(to);
	return ok;
}

bool evidence_execution(const struct evidence *v, const char *under, const struct kept *k, struct error *e)
{
	char *directory = must_format("%s%s%s", v->stage, *under ? "/" : "", under);
	char *manifest = must_format("%s/" MANIFEST, directory), *input = must_format("%s/stdin", directory);
	bool ok = !*under || make_directories(v, directory, e);

	ok = ok && manifest_write(manifest, k->manifest, e);
	ok = ok && (k->in_place || share(v, k->same_as, directory, SCHEDULE) ||
	            write_in(directory, SCHEDULE, k->schedule->data, k->schedule->size, e));
	const char *world = k->log_of ? k->log_of : k->same_as;
	ok = ok && (!k->manifest->has_stdin || k->in_place || share(v, world, directory, "stdin") ||
	            input_save(k->input, input, e));
	ok = ok && (!k->input->log || k->in_place || share(v, world, directory, LOG) ||
	            place_log(k->input->log, directory, e));
	ok = ok && (!k->output || write_output(directory, k->output, e));
	ok = ok && (!k->report || write_in(directory, "report.txt", k->report, k->report_size, e));
	free(input);
	free(manifest);
	free(directory);
	return ok;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st, (void)type, (void)where;
	return remove(path);
}

static void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static void clear_stage(const char *stage, void *arg)
{
	const struct evidence *v = arg;

	if (strcmp(stage, v->stage) && is_abandoned(stage))
		remove_tree(stage);
}

void evidence_clear(const struct evidence *v)
{
	int clearing = lock(v->directory, LOCK_EX);

	each_stage(v->directory, clear_stage, (void *)v);
	if (clearing >= 0)
		close(clearing);
}

static void sync_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

/* Gives a file its new name before it loses the old one: at any time either place has all of it. */
static bool move(const char *from, const char *to) { return !link(from, to) || !rename(from, to) || errno == ENOENT; }

bool evidence_commit(struct evidence *v, struct error *e)
{
	bool ok = true;

	for (size_t i = 0; i < NEEDED_NAMES; i++) {
		char *path = must_format("%s/%s", v->stage, own_names[i]);
		sync_path(path);
		free(path);
	}
	for (size_t i = OWN_NAMES; i--;) {
		char *old = must_format("%s/%s", v->directory, own_names[i]);
		remove_tree(old);
		free(old);
	}
	for (size_t i = 0; i < OWN_NAMES && ok; i++) {
		char *from = must_format("%s/%s", v->stage, own_names[i]),
		     *to = must_format("%s/%s", v->directory, own_names[i]);
		if (!move(from, to))
			ok = error_set(e, "cannot move %s to %s: %s", from, to, strerror(errno));
		free(from);
		free(to);
	}
	sync_path(v->directory);
	if (ok) {
		evidence_clear(v);
		evidence_abort(v);
	}
	return ok;
}

void evidence_drop(const struct evidence *v, const char *name)
{
	char *path = must_format("%s/%s", v->stage, name);

	remove_tree(path);
	free(path);
}

void evidence_abort(struct evidence *v)
{
	if (v->stage) {
		evidence_drop(v, MANIFEST); /* from here on it is no recording */
		remove_tree(v->stage);
	}
	/* Succeeds only if the directory is empty: this process made it, and wrote nothing. */
	if (v->directory)
		rmdir(v->directory);
	evidence_leave(v);
}

void evidence_leave(struct evidence *v)
{
	if (v->lock >= 0)
		close(v->lock);
	free(v->stage);
	free(v->directory);
	*v = (struct evidence){.lock = -1};
}

/* ---- stages that were left ---- */

struct leftover {
	char *stage; /* NULL: there is none */
	struct timespec since;
	bool replayable;
};

static bool is_replayable(const char *stage)
{
	char *path = must_format("%s/" SCHEDULE, stage);
	struct schedule s;
	struct error ignored;

	schedule_read(path, &s, &ignored);
	struct schedule_mark mark = schedule_mark_within(&s, UINT64_MAX);
	schedule_free(&s);
	free(path);
	return mark.point || mark.log;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

static void look_at_stage(const char *stage, void *arg)
{
	struct leftover *best = arg;
	char *path = must_format("%s/" MANIFEST, stage);
	struct manifest m = {0};
	struct stat st;
	struct error ignored;

	if (!stat(path, &st) && is_abandoned(stage) && manifest_read(path, &m, &ignored) &&
	    m.kind == MANIFEST_EXECUTION) {
		struct leftover this = {NULL, st.st_mtim, is_replayable(stage)};
		if (!best->stage || this.replayable > best->replayable ||
		    (this.replayable == best->replayable && is_later(&this.since, &best->since))) {
			free(best->stage);
			*best = this;
			best->stage = must_format("%s", stage);
		}
	}
	manifest_free(&m);
	free(path);
}

char *evidence_find(const char *directory)
{
	char *manifest = must_format("%s/" MANIFEST, directory);
	bool finished = !access(manifest, F_OK);
	struct leftover left = {0};

	each_stage(directory, look_at_stage, &left);
	free(manifest);
	if (left.stage && (left.replayable || !finished))
		return left.stage;
	free(left.stage);
	return must_format("%s", directory);
}
