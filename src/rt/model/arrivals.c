/*
 * What comes from outside, gathered from the whole log before the replay begins: the bytes of each stream in the
 * pieces in which they came, connections, signals.  A piece comes when the program has sent as much on its stream as
 * it had sent in the recording, since it may be an answer to that.  If nobody can go on otherwise it comes earlier.
 *
 * What the outside sends on one connection may also be an answer to what it got on another.  The log does not say
 * when a piece was sent, only when it was read.  So a piece does not wait for other connections, but the board counts
 * those that are read before the program has sent as much on all connections as in the recording.
 */
#include <errno.h>
#include <string.h>

#include "abi/syscall_names.h"
#include "rt/core/arena.h"
#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"
#include "rt/kernel/signals.h"

#define NEVER_BY_ITSELF UINT64_MAX

struct new_descriptor {
	struct new_descriptor *next;
	struct stream *stream;
};

static struct {
	struct new_descriptor *descriptors, *last_descriptor, *next_descriptor;
	struct arrival *first, *last; /* of all streams, in the order of the log */
	struct arrival *pending;      /* all arrivals before this one are released or over */
	struct stream *made, *standard;
	struct stream signals;
	uint64_t closed; /* connections that were accepted and are closed */
	uint64_t sent;   /* bytes on all connections */
	struct gathered_fd {
		struct stream *stream;
		bool accepted, listening;
		uint32_t to_itself; /* connections of the program to itself that wait to be accepted */
		const void *local;
		uint32_t local_size;
	} at[DESCRIPTORS];
} state;

/* ---- gathering ---- */

static const struct {
	bool makes_fd, makes_pair;
} rows[SYSCALLS_MAX] = {
#define CALL(name, ...) [SYS_##name] = {__VA_ARGS__},
#define MAKES_FD        .makes_fd = true,
#define MAKES_PAIR      .makes_pair = true,
#include "rt/kernel/syscalls.h"
};

uint32_t arrivals_new_descriptors(const struct world_entry *e, int fd[2])
{
	bool changes_old = (e->nr == SYS_signalfd || e->nr == SYS_signalfd4) && e->fd >= 0;

	if (e->nr >= SYSCALLS_MAX || e->result < 0 || changes_old)
		return 0;
	if (rows[e->nr].makes_fd) {
		fd[0] = (int)e->result;
		return 1;
	}
	if (!rows[e->nr].makes_pair || e->bytes < 2 * sizeof(int))
		return 0;
	memcpy(fd, e + 1, 2 * sizeof(int));
	return 2;
}

static struct stream *add_descriptor(int fd)
{
	struct new_descriptor *b = arena_alloc(sizeof(*b));

	b->stream = arena_alloc(sizeof(*b->stream));
	if (state.last_descriptor)
		state.last_descriptor->next = b;
	else
		state.descriptors = b;
	state.last_descriptor = b;
	if (fd >= 0 && fd < DESCRIPTORS)
		state.at[fd] = (struct gathered_fd){.stream = b->stream};
	return b->stream;
}

static void arrive(struct stream *s, enum arrival_kind kind, uint64_t gate, const struct world_entry *e,
                   struct stream *connection)
{
	struct arrival *a = arena_alloc(sizeof(*a));

	*a = (struct arrival){.kind = kind, .gate = gate, .sent = state.sent, .entry = e, .stream = connection};
	if (state.last)
		state.last->next_of_all = a;
	else
		state.first = a;
	state.last = a;
	s = kind == ARRIVAL_SIGNAL ? &state.signals : s;
	if (s->last)
		s->last->next = a;
	else
		s->first = a;
	s->last = a;
}

/* The address that a call was given: its entry has it where others have names. */
static const void *address_in(const struct world_entry *e, uint32_t *size)
{
	*size = e->names ? e->names - 1 : 0;
	return world_names(e);
}

static struct gathered_fd *own_listener(const struct world_entry *e)
{
	uint32_t size;
	const void *address = address_in(e, &size);

	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (state.at[fd].listening &&
		    address_is_same(address, size, state.at[fd].local, state.at[fd].local_size))
			return &state.at[fd];
	return NULL;
}

static void gather_connect(struct stream *s, const struct world_entry *e)
{
	struct gathered_fd *own = own_listener(e);

	if (e->result < 0 && e->result != -EINPROGRESS)
		return;
	if (own) {
		own->to_itself++;
		return;
	}
	/*
	 * A datagram socket may connect again, as getaddrinfo does: it stays one stream, to where it connected last.
	 */
	if (!s->to) {
		s->next = state.made;
		state.made = s;
	}
	s->to = e;
	s->is_connection = true;
	s->undecided = e->result < 0;
}

/*
 * A program that connects without waiting asks later whether it worked (SO_ERROR).  The answer to other questions,
 * such as a time limit, is longer than an int.
 */
static void decide(struct stream *s, const struct world_entry *e)
{
	struct {
		uint32_t size;
		int value;
	} answer;

	if (e->result || e->bytes != sizeof(answer))
		return;
	memcpy(&answer, e + 1, sizeof(answer));
	s->failed = answer.value > 0 && answer.value < 4096 ? answer.value : 0;
	s->undecided = false;
}

/* Does the error say something about the other side, and not about how the call was made? */
static bool is_from_outside(int64_t error)
{
	return error == -ECONNRESET || error == -ETIMEDOUT || error == -EPIPE || error == -EHOSTUNREACH ||
	       error == -ENETUNREACH || error == -ECONNREFUSED || error == -EIO;
}

void arrivals_sent(struct stream *s, uint64_t bytes)
{
	s->sent += bytes;
	if (s->is_connection)
		state.sent += bytes;
}

/* The descriptors that the call has made begin their streams; so does the connection that it has accepted. */
static void gather_new_descriptors(struct gathered_fd *of, const struct world_entry *e)
{
	bool accepted = e->nr == SYS_accept || e->nr == SYS_accept4;
	int fd[2];

	for (uint32_t i = 0, n = arrivals_new_descriptors(e, fd); i < n; i++) {
		struct stream *new = add_descriptor(fd[i]);
		if (accepted && of->to_itself)
			of->to_itself--;
		else if (accepted && of->stream) {
			arrive(of->stream, ARRIVAL_CONNECTION, state.closed, e, new);
			new->is_connection = true;
		}
		if (fd[i] >= 0 && fd[i] < DESCRIPTORS)
			state.at[fd[i]].accepted = accepted;
	}
}

/* getsockname: a length and an address. */
static void gather_own_address(struct gathered_fd *of, const struct world_entry *e)
{
	struct stream *s = of->stream;

	if (e->result || e->bytes <= 4)
		return;
	of->local = (const uint8_t *)(e + 1) + 4;
	of->local_size = e->bytes - 4;
	if (s && !s->local) {
		s->local = of->local;
		s->local_size = of->local_size;
	}
}

static void gather_call(const struct world_entry *e)
{
	static struct gathered_fd nowhere;
	struct gathered_fd *of = e->fd >= 0 && e->fd < DESCRIPTORS ? &state.at[e->fd] : &nowhere;
	struct stream *s = of->stream;

	if (e->flags & WORLD_COPY && e->result >= 0 && e->result < DESCRIPTORS)
		state.at[e->result] = *of;
	gather_new_descriptors(of, e);
	switch (e->nr) {
	case SYS_read:
	case SYS_readv:
	case SYS_recvfrom:
	case SYS_recvmsg:
		if (!s || e->flags & (WORLD_FILE | WORLD_PEEK) || (e->result < 0 && !is_from_outside(e->result)))
			break;
		arrive(s, e->result > 0 ? ARRIVAL_BYTES : ARRIVAL_END, s->sent, e, NULL);
		break;
	case SYS_write:
	case SYS_writev:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendfile:
		if (s && e->result > 0)
			arrivals_sent(s, (uint64_t)e->result);
		break;
	case SYS_connect:
		if (s)
			gather_connect(s, e);
		break;
	case SYS_bind:
		if (e->result == 0)
			of->local = address_in(e, &of->local_size);
		break;
	case SYS_getsockname:
		gather_own_address(of, e);
		break;
	case SYS_getsockopt:
		if (s && s->undecided)
			decide(s, e);
		break;
	case SYS_listen:
		of->listening = e->result == 0;
		break;
	case SYS_close:
		state.closed += of->accepted;
		*of = (struct gathered_fd){0};
		break;
	default:
		break;
	}
}

void arrivals_gather(void)
{
	const uint8_t *log = (const uint8_t *)BOARD_LOG_ADDRESS;
	uint64_t end = omen.board->log_bytes;

	state.standard = arena_alloc(sizeof(*state.standard));
	state.at[0].stream = state.standard;
	for (uint64_t at = 0; at < end;) {
		const struct world_entry *e = world_entry_in(log + at, end - at);
		if (!e)
			break; /* the log was cut */
		if (e->kind == WORLD_PLACE && e->bytes && e->bytes <= PATH_SIZE)
			names_change_directory((const char *)(e + 1));
		else if (e->kind == WORLD_BEFORE)
			names_add_before(e);
		else if (e->kind == WORLD_SIGNAL)
			arrive(NULL, ARRIVAL_SIGNAL, (uint64_t)e->result, e, NULL);
		else if (e->kind == WORLD_CALL)
			gather_call(e);
		at += sizeof(*e) + ((e->bytes + 7ul) & ~7ul);
	}
	/* bytes sent are counted again while the replay follows the recording */
	state.standard->sent = 0;
	for (struct new_descriptor *b = state.descriptors; b; b = b->next)
		b->stream->sent = 0;
	state.closed = state.sent = 0;
	state.next_descriptor = state.descriptors;
	state.pending = state.first;
}

/* ---- while the recording is followed, and after ---- */

struct stream *arrivals_standard(void) { return state.standard; }

struct stream *arrivals_next_stream(void)
{
	struct new_descriptor *b = state.next_descriptor;

	if (!b)
		return arena_alloc(sizeof(struct stream));
	state.next_descriptor = b->next;
	return b->stream;
}

/* Of several connections to the same address: the first of the recording, which is the last in `made`. */
struct stream *arrivals_claim(const void *address, uint32_t size)
{
	struct stream *best = NULL;
	uint32_t n;

	for (struct stream *s = state.made; s; s = s->next) {
		const void *to = address_in(s->to, &n);
		if (!s->claimed && n == size && !memcmp(to, address, n))
			best = s;
	}
	if (best)
		best->claimed = true;
	return best;
}

static bool is_here(const struct stream *s, const struct arrival *a)
{
	if (a->released)
		return true;
	if (a->gate == NEVER_BY_ITSELF)
		return false;
	return a->kind == ARRIVAL_CONNECTION ? state.closed >= a->gate : s->sent >= a->gate;
}

struct arrival *arrivals_ready(struct stream *s) { return s && s->first && is_here(s, s->first) ? s->first : NULL; }

uint64_t arrivals_count(struct stream *s)
{
	uint64_t n = 0;

	if (!s)
		return 0;
	for (const struct arrival *a = s->first; a && is_here(s, a); a = a->next)
		n++;
	return s->over + n;
}

const uint8_t *arrival_bytes(const struct arrival *a, uint32_t *size)
{
	const struct world_entry *e = a->entry;
	const uint8_t *bytes = (const uint8_t *)(e + 1);
	uint64_t result = e->result > 0 ? (uint64_t)e->result : 0, all = e->bytes - e->names;

	if (result > all)
		result = all;     /* a damaged log */
	if (e->nr == SYS_recvmsg) /* the data comes last */
		bytes += all - result;
	*size = (uint32_t)result - a->taken;
	return bytes + a->taken;
}

void arrivals_take(struct stream *s, uint32_t bytes)
{
	struct arrival *a = s->first;

	if (!a)
		return;
	if (s->is_connection && state.sent < a->sent)
		omen.board->early_reads++;
	a->taken += bytes;
	if (a->kind == ARRIVAL_BYTES && (int64_t)a->taken < a->entry->result)
		return;
	a->over = true;
	s->over++;
	if (a->kind != ARRIVAL_END || a->next) /* an end stays */
		s->first = a->next;
}

void arrivals_closed(void) { state.closed++; }

bool arrival_is_end(const struct arrival *a)
{
	return a->kind == ARRIVAL_SIGNAL && a->entry->bytes == sizeof(siginfo_t) &&
	       signals_is_end((const siginfo_t *)(a->entry + 1), &(int64_t){0});
}

bool arrivals_release(void)
{
	for (struct arrival *a = state.pending; a; a = a->next_of_all) {
		bool sent = a->kind == ARRIVAL_SIGNAL &&
		            a->entry->flags == ADMIT_SENT; /* a call of the program has caused it */
		if (arrival_is_end(a))
			return false;
		if (a->over || a->released || sent) {
			if (a == state.pending)
				state.pending = a->next_of_all;
			continue;
		}
		a->released = true;
		return true;
	}
	return false;
}

bool arrivals_release_end(void)
{
	if (!state.last || !arrival_is_end(state.last))
		return false;
	state.last->released = true;
	return true;
}

bool arrivals_are_over(void)
{
	while (state.pending && state.pending->over)
		state.pending = state.pending->next_of_all;
	return !state.pending || arrival_is_end(state.pending);
}

struct arrival *arrivals_signal(void) { return state.signals.first; }

void arrivals_signalled(void)
{
	state.signals.first->over = true;
	state.signals.first = state.signals.first->next;
}
