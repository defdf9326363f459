/* The locks that the running fiber holds, for reports.  For the files of this room only. */
#ifndef OMEN_HELD_LOCKS_H
#define OMEN_HELD_LOCKS_H

#include "rt/core/rt.h"

static inline void held_add(const void *lock)
{
	struct fiber *f = omen.current;

	if (f && f->nheld < BOARD_LOCKS)
		f->held[f->nheld++] = lock;
}

static inline void held_remove(const void *lock)
{
	struct fiber *f = omen.current;
	uint32_t i = f ? f->nheld : 0;

	while (i > 0 && f->held[i - 1] != lock)
		i--;
	if (!i)
		return;
	f->nheld--;
	for (; i <= f->nheld; i++)
		f->held[i - 1] = f->held[i];
}

#endif
