#include "rt/world/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/rt.h"
#include "rt/ending/ending.h"
#include "rt/model/model.h"
#include "rt/world/log.h"
#include "rt/world/reread.h"
#include "rt/world/world.h"
#include "rt/world/world_state.h"

#define ATTACHED_MAX 64

static struct memory_piece attached[ATTACHED_MAX]; /* copies of shared memory of System V */

/* A replay has a copy of the memory, as it was when it was attached. */
static void attach_again(const struct world_entry *e)
{
	long size = (long)((e->bytes + 4095ul) & ~4095ul);

	if (call_is_error(e->result))
		return;
	long at = raw6(SYS_mmap, e->result, size, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at != e->result)
		log_differs("address of shared memory", at, e->result);
	memcpy((void *)at, e + 1, e->bytes);
	for (size_t i = 0; i < ATTACHED_MAX; i++)
		if (!attached[i].size) {
			attached[i] = (struct memory_piece){(void *)at, (uint64_t)size};
			return;
		}
}

static void detach_again(long at)
{
	for (size_t i = 0; i < ATTACHED_MAX; i++)
		if (attached[i].size && (long)attached[i].at == at) {
			raw2(SYS_munmap, at, attached[i].size);
			attached[i].size = 0;
		}
}

static void fill_memory(const struct world_entry *e, const struct call_memory *p)
{
	const uint8_t *from = (const uint8_t *)(e + 1);
	uint64_t all = call_memory_size(p);

	if (all != e->bytes - e->names)
		log_differs("bytes of an answer", (long)all, e->bytes - e->names);
	for (uint32_t i = 0; i < p->n; from += p->at[i++].size)
		memcpy(p->at[i].at, from, p->at[i].size);
}

static long call_again(long nr, const long arg[6], const struct world_entry *e)
{
	long r = raw_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);

	if (r != e->result)
		log_differs("result of a call made again", r, e->result);
	return r;
}

/* What was copied from a file that is read again was not read in the replay: moves its position. */
static void skip_copied(long nr, const long arg[6], long result)
{
	long fd = nr == SYS_sendfile ? arg[1] : arg[0], at = nr == SYS_sendfile ? arg[2] : arg[1];

	if ((nr == SYS_sendfile || nr == SYS_splice || nr == SYS_copy_file_range) && !at && result > 0 &&
	    reread_has(fd))
		raw3(SYS_lseek, fd, result, SEEK_CUR);
}

static long map_again(const long arg[6], const struct world_entry *e)
{
	long flags = arg[3], fd = arg[4];
	bool ours = fd < 0 || (flags & MAP_ANONYMOUS);

	if (call_is_error(e->result))
		return e->result;
	if (e->bytes > (uint64_t)arg[1])
		log_differs("bytes of a mapping", arg[1], e->bytes);
	if (!ours && e->flags & WORLD_MAPPED) {
		flags = (flags & ~(long)(MAP_SHARED | MAP_SHARED_VALIDATE)) | MAP_PRIVATE | MAP_ANONYMOUS;
		fd = -1;
	}
	if (e->check && e->check != reread_file_version(fd))
		ending_fail(ENDING_DIVERGED, "a file that was mapped has changed since (descriptor %ld)", fd);
	if (!(flags & MAP_FIXED))
		flags |= MAP_FIXED_NOREPLACE;
	if (world.model_follows && fd < 0) /* a snapshot shares no memory */
		flags = (flags & ~(long)(MAP_SHARED | MAP_SHARED_VALIDATE)) | MAP_PRIVATE;
	long r =
	        raw6(SYS_mmap, e->result, arg[1], arg[2] | (e->bytes ? PROT_WRITE : 0), flags, fd, fd < 0 ? 0 : arg[5]);
	if (r != e->result)
		log_differs("address of a mapping", r, e->result);
	if (e->bytes) {
		memcpy((void *)r, e + 1, e->bytes);
		raw3(SYS_mprotect, r, arg[1], arg[2]);
	}
	return r;
}

/* Writes all of it, also to a descriptor that does not block. */
static void show_bytes(long fd, const uint8_t *bytes, uint64_t size)
{
	struct pollfd room = {.fd = (int)fd, .events = POLLOUT};

	while (size) {
		long n = raw3(SYS_write, fd, bytes, size);
		if (n == -EAGAIN)
			raw3(SYS_poll, &room, 1, -1);
		else if (n <= 0 && n != -EINTR)
			return;
		if (n > 0) {
			bytes += n;
			size -= (uint64_t)n;
		}
	}
}

/*
 * Shows what went to standard output and error: as many bytes as the recording wrote, which may be fewer than the
 * program asked for, or none.  Errors do not matter.
 */
static void show_again(long nr, const long arg[6], int64_t written)
{
	const struct iovec *v = (const void *)arg[1];
	long fd = arg[0];

	if (world.model_follows)
		fd = model_output((int)fd);
	if ((fd != 1 && fd != 2) || written <= 0)
		return;
	if (nr == SYS_write) {
		show_bytes(fd, (const void *)arg[1], min_u64((uint64_t)written, (uint64_t)arg[2]));
		return;
	}
	for (long i = 0; i < arg[2] && written > 0; i++) {
		uint64_t n = min_u64((uint64_t)written, v[i].iov_len);
		show_bytes(fd, v[i].iov_base, n);
		written -= (int64_t)n;
	}
}

/* Sets what the sizes of an answer depend on besides its result: the log has it. */
static void set_counts(struct call_memory *p, const struct call_rule *r, const long arg[6], const struct world_entry *e)
{
	const uint32_t *length = (const void *)(e + 1);
	struct mmsghdr *m = (void *)arg[1];

	p->counters = e->bytes - e->names;
	for (uint32_t i = 0; r->output[0].fill == FILL_MMSGHDR && i < e->result && i < e->bytes / 4; i++)
		m[i].msg_len = length[i];
}

static void replay_dup(long nr, const long arg[6], const struct world_entry *e)
{
	bool copies = nr != SYS_fcntl || arg[1] == F_DUPFD || arg[1] == F_DUPFD_CLOEXEC;

	if (e->result < 0 || !copies)
		return;
	if (e->flags & WORLD_FILE)
		raw3(SYS_dup3, arg[0], e->result, O_CLOEXEC);
	reread_put(e->result, e->flags & WORLD_FILE);
}

static long read_again(long nr, const struct call_rule *r, const long arg[6], const struct world_entry *e,
                       struct call_memory *p)
{
	call_again(nr, arg, e);
	if (nr == SYS_lseek)
		return e->result;
	call_memory_after(p, nr, r, arg, e->result);
	if (call_memory_hash(p) != e->check)
		ending_fail(ENDING_DIVERGED, "a file that was read has changed since (descriptor %ld)", arg[0]);
	return e->result;
}

/* The log has the result and the memory that is filled; what the call sends must be as it was recorded. */
static long replay_answer(long nr, const struct call_rule *r, const long arg[6], const struct world_entry *e,
                          struct call_memory *p)
{
	if (r->send == SEND_BUFFER && e->result > 0 && (uint64_t)e->result > (uint64_t)arg[2])
		log_differs("bytes to write", arg[2], e->result);
	if (e->check && e->check != world_sent_hash(nr, arg, e->result))
		ending_fail(ENDING_DIVERGED,
		            "replay desynchronised at point %lu: T%u calls %s and writes something else than the "
		            "recorded %s",
		            omen.points, omen.current->id, log_describe_call(), log_describe_entry(e));
	call_memory_after(p, nr, r, arg, e->result);
	fill_memory(e, p);
	skip_copied(nr, arg, e->result);
	return e->result;
}

static long replay_entry(long nr, const struct call_rule *r, const long arg[6], const struct world_entry *e)
{
	static struct call_memory p;

	call_memory_before(&p, r, arg);
	set_counts(&p, r, arg, e);
	log_advance(e);
	switch (r->replay) {
	case REPLAY_AGAIN:
		return call_again(nr, arg, e);
	case REPLAY_MAP:
		return map_again(arg, e);
	case REPLAY_OPEN:
		if (e->flags & WORLD_FILE)
			reread_open(e);
		return e->result;
	case REPLAY_CLOSE:
		if (e->flags & WORLD_FILE)
			raw1(SYS_close, arg[0]);
		reread_put(arg[0], false);
		return e->result;
	case REPLAY_CLOSE_RANGE:
		reread_close_range(arg, e->result);
		return e->result;
	case REPLAY_SHMAT:
		attach_again(e);
		return e->result;
	case REPLAY_SHMDT:
		if (!e->result)
			detach_again(arg[0]);
		return e->result;
	case REPLAY_DUP:
		replay_dup(nr, arg, e);
		break;
	case REPLAY_WRITE:
		show_again(nr, arg, e->result);
		break;
	case REPLAY_READ:
		if (e->flags & WORLD_FILE)
			return read_again(nr, r, arg, e, &p);
		break;
	default:
		break;
	}
	return replay_answer(nr, r, arg, e, &p);
}

long replay_call(long nr, const struct call_rule *r, const long arg[6])
{
	const struct world_entry *e = log_expect(nr, arg);
	bool unmaps = nr == SYS_munmap || nr == SYS_mremap; /* the model still needs what stands there */

	if (world.model_follows && unmaps)
		model_follow(nr, arg, e);
	long result = replay_entry(nr, r, arg, e);
	if (world.model_follows && !unmaps)
		model_follow(nr, arg, e);
	return result;
}
