#include "rt/world/record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "abi/syscall_names.h"
#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/rt.h"
#include "rt/world/keep_before.h"
#include "rt/world/log.h"
#include "rt/world/reread.h"
#include "rt/world/world.h"
#include "rt/world/world_state.h"

void record_note_unknown(long nr)
{
	struct board *b = omen.board;

	if (nr >= 0 && nr < SYSCALLS_MAX)
		b->unknown_calls[nr / 64] |= 1ul << nr % 64;
}

static uint64_t semaphores_of(long id)
{
	struct semid_ds set = {0};

	raw4(SYS_semctl, id, 0, IPC_STAT, &set);
	return set.sem_nsems;
}

static uint64_t shared_size(long id)
{
	struct shmid_ds segment = {0};

	raw3(SYS_shmctl, id, IPC_STAT, &segment);
	return segment.shm_segsz;
}

/* The call consumes no input: MSG_PEEK, or length 0. */
static bool takes_nothing(long nr, const long arg[6])
{
	uint64_t size = 0;

	if (nr == SYS_recvfrom || nr == SYS_recvmsg)
		return (nr == SYS_recvfrom ? arg[3] : arg[2]) & MSG_PEEK;
	if (nr == SYS_readv)
		for (long i = 0; i < arg[2] && i < IOV_MAX; i++)
			size += ((const struct iovec *)arg[1])[i].iov_len;
	return (nr == SYS_read && !arg[2]) || (nr == SYS_readv && !size);
}

static long open_flags(long nr, const long arg[6])
{
	if (nr == SYS_openat2)
		return (long)((const struct open_how *)arg[2])->flags;
	return arg[nr == SYS_open ? 1 : 2];
}

struct recorded_call {
	long nr;
	const long *arg;
	struct world_entry entry;
	struct call_memory *memory; /* what goes into the entry */
	struct named_files *named;  /* and after it */
	bool of_reread_file;        /* its first argument is the descriptor of a file that a replay reads again */
};

static void record_open(struct recorded_call *c)
{
	long fd = c->entry.result;

	if (fd < 0)
		return;
	if (!c->named->count) {
		c->named->size[0] = (uint32_t)path_of_descriptor(fd, c->named->name[0]) + 1;
		c->named->count = 1;
	}
	if (reread_is_possible(fd, open_flags(c->nr, c->arg), c->named->name[0]))
		c->entry.flags = WORLD_FILE;
	reread_put(fd, c->entry.flags);
}

static void record_read(struct recorded_call *c)
{
	if (!c->of_reread_file)
		return;
	c->entry.flags = WORLD_FILE;
	if (c->nr == SYS_lseek)
		return;
	c->entry.check = call_memory_hash(c->memory);
	c->memory->n = 0;
}

static void record_dup(struct recorded_call *c)
{
	bool copies = c->nr != SYS_fcntl || c->arg[1] == F_DUPFD || c->arg[1] == F_DUPFD_CLOEXEC;

	if (c->entry.result < 0 || !copies)
		return;
	reread_put(c->entry.result, c->of_reread_file);
	c->entry.flags = (c->of_reread_file ? WORLD_FILE : 0) | WORLD_COPY;
}

static void record_map(struct recorded_call *c)
{
	const long *arg = c->arg;
	struct stat st = {0};

	if (arg[4] < 0 || (arg[3] & MAP_ANONYMOUS) || call_is_error(c->entry.result))
		return;
	if (reread_has(arg[4])) {
		c->entry.check = reread_file_version(arg[4]);
		return;
	}
	c->entry.flags = WORLD_MAPPED;
	raw2(SYS_fstat, arg[4], &st);
	uint64_t there = st.st_size > arg[5] ? (uint64_t)(st.st_size - arg[5]) : 0;
	call_memory_add(c->memory, (void *)c->entry.result, min_u64(there, (uint64_t)arg[1]));
}

/* What the entry has besides the result and the memory that was filled. */
static void record_by_rule(struct recorded_call *c, const struct call_rule *r)
{
	switch (r->replay) {
	case REPLAY_OPEN:
		record_open(c);
		break;
	case REPLAY_READ:
		record_read(c);
		break;
	case REPLAY_CLOSE:
		reread_put(c->arg[0], false);
		c->entry.flags = c->of_reread_file ? WORLD_FILE : 0;
		break;
	case REPLAY_CLOSE_RANGE:
		reread_close_range(c->arg, c->entry.result);
		break;
	case REPLAY_SHMAT:
		if (!call_is_error(c->entry.result))
			call_memory_add(c->memory, (void *)c->entry.result, shared_size(c->arg[0]));
		break;
	case REPLAY_DUP:
		record_dup(c);
		break;
	case REPLAY_MAP:
		record_map(c);
		break;
	default:
		c->entry.check = world_sent_hash(c->nr, c->arg, c->entry.result);
		break;
	}
}

/* Appends the entry, with the names behind the memory. */
static void finish_entry(struct recorded_call *c)
{
	struct world_entry *e = &c->entry;

	if (takes_nothing(c->nr, c->arg))
		e->flags |= WORLD_PEEK;
	for (uint32_t i = 0; i < c->named->count && (e->result >= 0 || e->result == -EINPROGRESS); i++) {
		call_memory_add(c->memory, c->named->name[i], c->named->size[i]);
		e->names += c->named->size[i];
	}
	uint64_t size = call_memory_size(c->memory);
	if (c->memory->cut || size > UINT32_MAX) { /* more than an entry holds */
		record_note_unknown(c->nr);
		c->memory->n = size > UINT32_MAX ? 0 : c->memory->n;
	}
	e->bytes = c->memory->n ? (uint32_t)size : 0;
	log_append(e, c->memory);
}

long record_call(long nr, const struct call_rule *r, const long arg[6])
{
	static struct call_memory memory;
	static struct named_files named;
	struct recorded_call c = {.nr = nr, .arg = arg, .memory = &memory, .named = &named};

	c.entry = (struct world_entry){.kind = WORLD_CALL, .nr = (uint16_t)nr, .fd = (int32_t)arg[0]};
	call_memory_before(&memory, r, arg);
	keep_named(&named, nr, arg);
	if (nr == SYS_semctl && arg[2] == GETALL)
		memory.counters = sizeof(short) * semaphores_of(arg[0]);
	c.entry.result = raw_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	if (named.incomplete && c.entry.result == 0)
		keep_incomplete(named.name[0], named.size[0]);
	call_memory_after(&memory, nr, r, arg, c.entry.result);
	c.of_reread_file = reread_has(arg[0]);
	record_by_rule(&c, r);
	finish_entry(&c);
	return c.entry.result;
}
