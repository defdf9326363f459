/*
 * What an execution has done to the process besides writing memory, so that it can be rewound (snapshot/rewind.h): new
 * mappings and descriptors, dropped pages.  In: notes of whoever does it.  Out: the list for the rewinder.  Every room
 * may note.  Notes cost nothing that counts where nothing is rewound.
 */
#ifndef OMEN_UNDO_H
#define OMEN_UNDO_H

#include <stdbool.h>
#include <stdint.h>

#define UNDO_SPANS 256
#define UNDO_FDS   1024

struct span {
	uint64_t low, high;
};

struct undo {
	const char *impossible; /* why the process cannot be rewound; NULL: it can */
	uint32_t nmapped, nunmapped, ndropped;
	struct span mapped[UNDO_SPANS]; /* new mappings */
	struct span
	        unmapped[UNDO_SPANS]; /* of these, what is unmapped already: the runtime still knows something of it */
	struct span dropped[UNDO_SPANS]; /* memory whose pages were given back to the kernel */
	uint64_t fds[UNDO_FDS / 64];     /* new descriptors, as bits */
	bool moved_break;
};

extern struct undo undo;

void undo_impossible(const char *why);
void undo_dropped(uint64_t low, uint64_t high);
/* Gives the pages back to the kernel, and notes it: they are then 0, or as in their file. */
void undo_drop(uint64_t low, uint64_t size);
void undo_mapped(uint64_t low, uint64_t high);
/* False: not all of it is new. */
bool undo_unmapped(uint64_t low, uint64_t high);
bool undo_is_mapped(uint64_t low, uint64_t high);
void undo_opened(long fd);
bool undo_has_opened(long fd);
/* A descriptor is closed: if it was open before, the process cannot be rewound. */
void undo_close(long fd);

#endif
