#include "rt/observe/site_count.h"

void count_start(void)
{
	if (!omen.board || !omen.board->config.count_sites)
		return;
	mode_set(COUNT_SITES, true);
	mode_threads_changed();
}

static void count(const struct omen_site *site)
{
	uint32_t at = (uint32_t)((uint64_t)site * 0x9e3779b97f4a7c15u >> 32);

	for (uint32_t i = 0; i < BOARD_COUNTS; i++) {
		struct board_count *c = &omen.board->counts[(at + i) % BOARD_COUNTS];
		if (c->site && c->site != (uint64_t)site)
			continue;
		c->site = (uint64_t)site;
		c->count++;
		return;
	}
	omen.board->counts_lost++;
}

static uint64_t hear(const struct op *op)
{
	bool plain = op->kind == OP_KIND_ACCESS || op->kind == OP_KIND_IGNORED_ACCESS;
	bool atomic = op->kind == OP_KIND_ATOMIC_LOAD || op->kind == OP_KIND_ATOMIC_STORE ||
	              op->kind == OP_KIND_ATOMIC_UPDATE;

	/* an atomic operation also arrives as an access: it is counted once */
	if (op->site && (atomic || (plain && !(op->flags & ACCESS_ATOMIC))))
		count(op->site);
	return 0;
}

const struct observer count_observer = {
        .name = "count",
        .mode = MODE(COUNT_SITES),
        .op = hear,
        .hears = {HEARS(ACCESS), HEARS(IGNORED_ACCESS), HEARS(ATOMIC_LOAD), HEARS(ATOMIC_STORE), HEARS(ATOMIC_UPDATE)}};
