#include "rt/world/world.h"

#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/kernel/paths.h"
#include "rt/memory/memory_check.h"
#include "rt/model/model.h"
#include "rt/world/log.h"
#include "rt/world/record.h"
#include "rt/world/replay.h"
#include "rt/world/world_state.h"

struct world_state world;

long world_call(long nr, const long arg[6])
{
	/* after vfork it is the child that calls */
	if (likely(world.mode == WORLD_REAL) || unlikely(omen.off & OFF_VFORK))
		return raw_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	if (world.mode == WORLD_MODEL)
		return model_call(nr, arg);
	const struct call_rule *r = call_rule(nr);
	if (!r->known)
		record_note_unknown(nr);
	long result = world.mode == WORLD_RECORD ? record_call(nr, r, arg) : replay_call(nr, r, arg);
	omen_event((uint64_t)nr, (uint64_t)result);
	return result;
}

void world_record_signal(uint32_t place, const siginfo_t *info)
{
	static struct call_memory p;

	if (world.mode != WORLD_RECORD)
		return;
	omen_event(place, (uint64_t)info->si_signo);
	p.n = 0;
	call_memory_add(&p, info, sizeof(*info));
	log_append(&(struct world_entry){.kind = WORLD_SIGNAL,
	                                 .flags = (uint8_t)place,
	                                 .bytes = sizeof(*info),
	                                 .result = (int64_t)omen.points},
	           &p);
}

bool world_replay_signal(uint32_t place, siginfo_t *info)
{
	if (world.mode == WORLD_MODEL)
		return model_signal(place, info);
	const struct world_entry *e = world.mode == WORLD_REPLAY ? log_next() : NULL;

	if (!e && world.mode == WORLD_REPLAY && omen.board->cut && omen.points >= omen.board->cut_point)
		ending_cut();
	if (!e || e->kind != WORLD_SIGNAL || e->flags != place || (uint64_t)e->result != omen.points ||
	    e->bytes != sizeof(*info))
		return false;
	memcpy(info, e + 1, sizeof(*info));
	omen_event(place, (uint64_t)info->si_signo);
	log_advance(e);
	if (world.model_follows)
		model_follow(0, NULL, e);
	return true;
}

bool world_memory_readable(bool readable)
{
	static const struct call_memory nothing;
	const struct world_entry *e = world.mode == WORLD_REPLAY ? log_next() : NULL;

	if (world.mode == WORLD_RECORD && !readable)
		log_append(&(struct world_entry){.kind = WORLD_LOOK}, &nothing);
	if (!e || e->kind != WORLD_LOOK)
		return readable;
	log_advance(e);
	return false;
}

bool world_replay_process(long *pid)
{
	if (world.mode == WORLD_MODEL) {
		*pid = model_call(SYS_clone, world_args(0, 0, 0, 0, 0, 0));
		return true;
	}
	if (world.mode != WORLD_REPLAY)
		return false;
	const struct world_entry *e = log_expect(SYS_clone, NULL);
	*pid = e->result;
	log_advance(e);
	if (world.model_follows)
		model_follow(SYS_clone, NULL, e);
	return true;
}

void world_record_process(long pid)
{
	static const struct call_memory nothing;

	if (world.mode == WORLD_RECORD)
		log_append(&(struct world_entry){.kind = WORLD_CALL, .nr = SYS_clone, .result = pid}, &nothing);
}

/* A mapped file that the program also writes changes in memory: only the model can repeat that. */
static bool maps_files(void)
{
	const struct world_entry *e;

	for (uint64_t at = 0; (e = log_entry_at(at)); at += log_entry_size(e))
		if (e->kind == WORLD_CALL && e->nr == SYS_mmap && e->flags & WORLD_MAPPED)
			return true;
	return false;
}

/* Keeps the directory where relative paths begin. */
static void keep_place(void)
{
	static struct call_memory p;
	static char here[PATH_SIZE];
	long n = raw2(SYS_getcwd, here, sizeof(here));

	p.n = 0;
	call_memory_add(&p, here, n > 0 ? (uint64_t)n : 0);
	log_append(&(struct world_entry){.kind = WORLD_PLACE,
	                                 .flags = WORLD_SPARES | WORLD_PID,
	                                 .bytes = n > 0 ? (uint32_t)n : 0},
	           &p);
}

void world_start(void)
{
	world.mode = omen.board ? omen.board->config.world : WORLD_REAL;
	log_rewind();
	if (world.mode == WORLD_RECORD)
		keep_place();
	if (world.mode == WORLD_REPLAY) {
		const struct world_entry *first = log_entry_at(0);
		world.polls_always = !first || first->kind != WORLD_PLACE || !(first->flags & WORLD_SPARES);
		log_look_ahead();
	}
	world.model_follows = world.mode == WORLD_REPLAY && (omen.board->config.stop_at || omen.board->nstops ||
	                                                     omen.board->config.note_outputs || maps_files());
	if (world.model_follows)
		model_start();
	world.tracks_writer = world.model_follows && model_tracks_writer();
}

bool world_pid(uint32_t *pid)
{
	const struct world_entry *first = world.mode == WORLD_REPLAY ? log_entry_at(0) : NULL;
	bool recorded = first && first->kind == WORLD_PLACE && first->flags & WORLD_PID;

	if (world.mode != WORLD_RECORD && !recorded)
		return false;
	*pid = (uint32_t)world_call(SYS_getpid, (const long[6]){0});
	return true;
}

void world_own_files(void)
{
	if (world.model_follows)
		model_own_files();
}

void world_depart(void)
{
	if (world.mode != WORLD_REPLAY)
		return;
	world.mode = WORLD_MODEL;
	model_depart();
	memory_depart();
}

void world_keep_outputs(void)
{
	if (world.mode == WORLD_MODEL)
		model_keep_outputs();
}

void world_report_outputs(void)
{
	if (world.mode == WORLD_MODEL || (world.mode == WORLD_REPLAY && world.model_follows))
		model_report_outputs();
}

bool world_tracks_writer(void) { return world.tracks_writer; }
uint64_t world_write_position(int fd) { return model_write_position(fd); }
void world_note_buffered(int fd, uint64_t from, uint64_t to) { model_note_buffered(fd, from, to); }

void world_end_in_child(void) { world.mode = WORLD_REAL; }

bool world_polls_sparingly(void) { return !world.polls_always; }

bool world_is_recorded(void) { return world.mode == WORLD_RECORD; }
bool world_is_modelled(void) { return world.mode == WORLD_MODEL; }
bool world_is_replayed(void) { return world.mode == WORLD_REPLAY || world.mode == WORLD_MODEL; }
