#include "cmd/evidence.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/json.h"

#define MANIFEST       "manifest.json"
#define LOG            "log"
#define STAGE          ".new-"
#define MANIFEST_LIMIT (16u << 20)

/* Everything Omen ever writes into such a directory. The manifest is the mark of ownership: last to go, first to come.
 */
static const char *const own_names[] = {MANIFEST,     "schedule",    LOG,        "stdin", "output",
                                        "report.txt", "report.json", "failures", "races"};
#define OWN_NAMES (sizeof own_names / sizeof own_names[0])

/* A stage that a killed omen left behind does not count. */
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

/* Better to know before the executions than after them. */
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
	*v = (struct evidence){0};
	if (mkdir(directory, 0777) && errno != EEXIST)
		return error_set(e, "cannot make the directory %s: %s", directory, strerror(errno));
	v->directory = must_format("%s", directory);
	v->stage = must_format("%s/" STAGE "%d", directory, getpid());
	if (!mkdir(v->stage, 0777) || errno == EEXIST)
		return true;
	return error_set(e, "cannot make the directory %s: %s", v->stage, strerror(errno));
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

/* The log has been written already, in this very directory or elsewhere. */
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

/* A second name for a file of `same_as`. False: there is none, or the file system knows no such thing. */
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
	ok = ok && (share(v, k->same_as, directory, "schedule") ||
	            write_in(directory, "schedule", k->schedule->data, k->schedule->size, e));
	ok = ok &&
	     (!k->manifest->has_stdin || share(v, k->same_as, directory, "stdin") || input_save(k->input, input, e));
	ok = ok && (!k->input->log || share(v, k->same_as, directory, LOG) || place_log(k->input->log, directory, e));
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

bool evidence_commit(struct evidence *v, struct error *e)
{
	bool ok = true;

	for (size_t i = OWN_NAMES; i--;) {
		char *old = must_format("%s/%s", v->directory, own_names[i]);
		remove_tree(old);
		free(old);
	}
	for (size_t i = 0; i < OWN_NAMES && ok; i++) {
		char *from = must_format("%s/%s", v->stage, own_names[i]),
		     *to = must_format("%s/%s", v->directory, own_names[i]);
		if (rename(from, to) && errno != ENOENT)
			ok = error_set(e, "cannot move %s to %s: %s", from, to, strerror(errno));
		free(from);
		free(to);
	}
	if (ok)
		evidence_abort(v);
	return ok;
}

void evidence_abort(struct evidence *v)
{
	if (v->stage)
		remove_tree(v->stage);
	/* Goes only if this very call made it and nothing came of it. */
	if (v->directory)
		rmdir(v->directory);
	free(v->stage);
	free(v->directory);
	*v = (struct evidence){0};
}
