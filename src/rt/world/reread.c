#include "rt/world/reread.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/kernel/fd_set.h"
#include "rt/world/changed_names.h"
#include "rt/world/log.h"
#include "rt/world/world_state.h"

static struct fdset reread_fds;

bool reread_has(long fd) { return fdset_has(&reread_fds, fd); }
void reread_put(long fd, bool yes) { fdset_put(&reread_fds, fd, yes); }

/* Will it be there again, as it is now?  What the kernel makes up (/proc) has size 0. */
bool reread_is_possible(long fd, long flags, const char *name)
{
	struct stat st;

	if (omen.board->config.record_files || !*name || changed_names_has(name))
		return false;
	return (flags & O_ACCMODE) == O_RDONLY && raw2(SYS_fstat, fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size;
}

/* A file that is mapped is not read through: its size and time must do. */
uint64_t reread_file_version(long fd)
{
	struct stat st = {0};

	raw2(SYS_fstat, fd, &st);
	return world_hash_bytes(world_hash_bytes(1, &st.st_size, sizeof(st.st_size)), &st.st_mtim, sizeof(st.st_mtim));
}

/* Moves a descriptor to the number that it has in the recording. */
static void move_descriptor(long fd, long wanted)
{
	if (fd == wanted)
		return;
	raw3(SYS_dup3, fd, wanted, O_CLOEXEC);
	raw1(SYS_close, fd);
}

static void add_all_kept(void)
{
	static bool done;

	const struct world_entry *e;
	for (uint64_t at = 0; !done && (e = log_entry_at(at)); at += log_entry_size(e)) {
		const char *name = (const char *)(e + 1);
		if (e->kind == WORLD_BEFORE && strnlen(name, e->bytes) < e->bytes)
			changed_names_add(name);
	}
	done = true;
}

/* The log's copy of a file that the program changes later in the recording: as it was before. */
static const struct world_entry *kept_before(const char *path)
{
	size_t size = strlen(path) + 1;

	add_all_kept();
	if (!changed_names_has(path))
		return NULL;
	const struct world_entry *e;
	for (uint64_t at = 0; (e = log_entry_at(at)); at += log_entry_size(e))
		if (e->kind == WORLD_BEFORE && e->result == 0 && e->bytes >= size + sizeof(struct stat) &&
		    !memcmp(e + 1, path, size))
			return e;
	return NULL;
}

/* Opens a file with the contents that the log has.  -ENOENT: the log does not have them, or not all. */
static long open_kept_contents(const char *path)
{
	const struct world_entry *e = kept_before(path);
	size_t skip = strlen(path) + 1 + sizeof(struct stat);
	struct stat st;

	if (!e)
		return -ENOENT;
	memcpy(&st, (const uint8_t *)(e + 1) + skip - sizeof(st), sizeof(st));
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size != e->bytes - skip)
		return -ENOENT;
	long fd = raw2(SYS_memfd_create, "omen", 1 /* MFD_CLOEXEC */), n;
	for (uint64_t done = 0; fd >= 0 && done < (uint64_t)st.st_size; done += (uint64_t)n)
		if ((n = raw4(SYS_pwrite64, fd, (const uint8_t *)(e + 1) + skip + done, (uint64_t)st.st_size - done,
		              done)) <= 0)
			break;
	/* reread_file_version() compares the time of a file that is mapped */
	const struct timespec times[2] = {st.st_atim, st.st_mtim};
	raw4(SYS_utimensat, fd, NULL, times, 0);
	return fd;
}

void reread_open(const struct world_entry *e)
{
	const char *path = e->names ? world_names(e) : "";
	long fd = open_kept_contents(path);
	if (fd < 0) /* the recording found a plain file, but it may be something else now: do not wait for it */
		fd = raw3(SYS_open, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		ending_fail(ENDING_DIVERGED, "the file %s that was read is not there any more (error %ld)", path, -fd);
	move_descriptor(fd, e->result);
	reread_put(e->result, true);
}

/* Closes also what the replay has opened again in this range. */
void reread_close_range(const long arg[6], long result)
{
	for (long fd = arg[0]; !result && !(arg[2] & CLOSE_RANGE_CLOEXEC) && fd <= arg[1] && fd < FDSET_MOST; fd++) {
		if (world.mode == WORLD_REPLAY && reread_has(fd))
			raw1(SYS_close, fd);
		reread_put(fd, false);
	}
}

/* A file that is open for reading is about to change: what is read of it from now on is in the log. */
void reread_stop(const struct stat *changed)
{
	struct stat st;

	for (long fd = 0; fd < FDSET_MOST; fd++)
		if (reread_has(fd) && raw2(SYS_fstat, fd, &st) == 0 && st.st_ino == changed->st_ino &&
		    st.st_dev == changed->st_dev)
			reread_put(fd, false);
}
