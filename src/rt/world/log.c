#include "rt/world/log.h"

#include <string.h>

#include "rt/core/text.h"
#include "rt/ending/ending.h"
#include "rt/fibers/sched.h"
#include "rt/world/world_state.h"

static struct {
	uint64_t next; /* replay: where the next entry is */
	struct {
		long nr;
		const long *arg;
	} call; /* replay: the call that is being answered, for messages */
} state;

uint8_t *log_at(uint64_t at) { return (uint8_t *)BOARD_LOG_ADDRESS + at; }

static uint64_t log_padded(uint64_t n) { return (n + 7) & ~7ul; }

void log_append(const struct world_entry *e, const struct call_memory *m)
{
	struct board *b = omen.board;
	uint64_t at = b->log_bytes, end = at + sizeof(*e) + log_padded(e->bytes);

	if (end > WORLD_LOG_SIZE) {
		world.mode = WORLD_REAL;
		b->log_full = 1;
		return;
	}
	memcpy(log_at(at), e, sizeof(*e));
	at += sizeof(*e);
	for (uint32_t i = 0; i < m->n; at += m->at[i++].size)
		memcpy(log_at(at), m->at[i].at, m->at[i].size);
	sched_settle();
	__atomic_store_n(&b->log_bytes, end, __ATOMIC_RELEASE);
}

uint64_t log_entry_size(const struct world_entry *e) { return sizeof(*e) + log_padded(e->bytes); }

const struct world_entry *log_entry_at(uint64_t at)
{
	return at < omen.board->log_bytes ? world_entry_in(log_at(at), omen.board->log_bytes - at) : NULL;
}

/* Skips what was there before the program changed it: only executions that leave the recording use that. */
const struct world_entry *log_next(void)
{
	while (state.next < omen.board->log_bytes) {
		const struct world_entry *e = (const struct world_entry *)log_at(state.next);
		if (e->kind == WORLD_CALL || e->kind == WORLD_SIGNAL || e->kind == WORLD_LOOK)
			return e;
		state.next += log_entry_size(e);
	}
	return NULL;
}

/*
 * When the next signal is due is known as soon as it is the next entry.  A log that was cut may have lost signals:
 * after its last entry the end is due.
 */
void log_look_ahead(void)
{
	const struct world_entry *e = log_next();

	omen.signal_point = UINT64_MAX;
	if (!e && omen.board->cut)
		omen.signal_point = omen.board->cut_point;
	else if (e && e->kind == WORLD_SIGNAL)
		omen.signal_point = (uint64_t)e->result;
}

void log_advance(const struct world_entry *e)
{
	state.next += log_entry_size(e);
	log_look_ahead();
}

/* "write(1, 0x7fffffffe000, 0xc)": the call that the replay makes, with its first arguments. */
const char *log_describe_call(void)
{
	static char text[160];
	const long *arg = state.call.arg;

	if (arg)
		text_format(text, sizeof(text),
		            arg[0] == (int)arg[0] ? "%s(%ld, 0x%lx, 0x%lx)" : "%s(0x%lx, 0x%lx, 0x%lx)",
		            call_name(state.call.nr), arg[0], arg[1], arg[2]);
	else
		text_format(text, sizeof(text), "%s", call_name(state.call.nr));
	return text;
}

/* "read(5, …) = 12": the recorded call. */
const char *log_describe_entry(const struct world_entry *e)
{
	static char text[160];

	if (!e)
		return "nothing more";
	if (e->kind == WORLD_SIGNAL)
		text_format(text, sizeof(text), "signal %d at point %ld", *(const int *)(e + 1), (long)e->result);
	else if (e->kind == WORLD_LOOK)
		return "a look at the state";
	else
		text_format(text, sizeof(text), "%s(%d, …) = %ld", call_name(e->nr), e->fd, (long)e->result);
	return text;
}

void log_differs(const char *what, long is, long was)
{
	ending_fail(ENDING_DIVERGED, "replay desynchronised at point %lu, in T%u, %s: %s %ld, recorded was %ld",
	            omen.points, omen.current->id, log_describe_call(), what, is, was);
}

/* Ends the execution if the log has no answer to this call. */
const struct world_entry *log_expect(long nr, const long *arg)
{
	const struct world_entry *e = log_next();

	state.call.nr = nr;
	state.call.arg = arg;
	if (!e && omen.board->cut)
		ending_cut();
	if (!e || e->kind != WORLD_CALL || e->nr != nr)
		ending_fail(ENDING_DIVERGED, "replay desynchronised at point %lu: T%u calls %s, the recording has %s",
		            omen.points, omen.current->id, log_describe_call(), log_describe_entry(e));
	return e;
}

void log_rewind(void) { state.next = 0; }
