/* What the files of this room share: set by world.c when an execution begins and when it leaves its recording. */
#ifndef OMEN_WORLD_STATE_H
#define OMEN_WORLD_STATE_H

#include <stdbool.h>

#include "abi/world_log.h"

struct world_state {
	enum world_mode mode; /* log.c ends a recording that has become too long */
	bool model_follows;   /* replay: the model hears of every answer */
	bool tracks_writer;   /* of a certain byte: world_tracks_writer() */
	bool polls_always;    /* replay of an older recording: world_polls_sparingly() */
};

extern struct world_state world;

static inline bool call_is_error(long result) { return result < 0 && result > -4096; }

#endif
