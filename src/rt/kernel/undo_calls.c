#include "rt/kernel/undo_calls.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "abi/syscall_names.h"
#include "rt/core/undo.h"
#include "rt/kernel/above.h"
#include "rt/kernel/kernel.h"

enum how {
	IMPOSSIBLE,
	NOTHING,
	OPENS,
	OPENS_PAIR,
	OPENS_TWO,
	CLOSES,
	MAPS,
	UNMAPS,
	PROTECTS,
	ADVISES,
	BREAK,
	FCNTL,
	IOCTL,
	LIMITS,
	HANDLER
};

static const struct {
	uint8_t how;
} rows[SYSCALLS_MAX] = {
#define CALL(name, ...) [SYS_##name] = {__VA_ARGS__},
#define UNDO(what)      what,
#include "rt/kernel/syscalls.h"
};

static uint64_t up(uint64_t address) { return (address + 4095) & ~4095ul; }

static void opened_two(const int *fds)
{
	undo_opened(fds[0]);
	undo_opened(fds[1]);
}

static void mapped(const long *arg, uint64_t at)
{
	uint64_t end = at + up((uint64_t)arg[1]);
	bool fixed = (arg[3] & MAP_FIXED) && (arg[3] & MAP_FIXED_NOREPLACE) != MAP_FIXED_NOREPLACE;

	if (!fixed)
		undo_mapped(at, end);
	else if (!undo_is_mapped(at, end))
		undo_impossible("it has mapped memory at an address of its own");
}

static void advised(const struct call *c, uint64_t low, uint64_t high)
{
	long advice = c->arg[2];

	if (undo_is_mapped(low, high) || advice <= MADV_WILLNEED || kernel_keeps_pages(c))
		return;
	if (advice == MADV_DONTNEED || advice == MADV_FREE)
		undo_dropped(low, high);
	else
		undo_impossible("madvise");
}

static void controlled(const long arg[6], long result)
{
	if (arg[1] == F_DUPFD || arg[1] == F_DUPFD_CLOEXEC)
		undo_opened(result);
	else if (arg[1] != F_GETFD && arg[1] != F_GETFL && arg[1] != F_SETFL && !undo_has_opened(arg[0]))
		undo_impossible("fcntl");
}

static void asked_device(const long arg[6])
{
	if (arg[1] != TCGETS && arg[1] != TIOCGWINSZ && arg[1] != FIONREAD && arg[1] != FIONBIO &&
	    !undo_has_opened(arg[0]))
		undo_impossible("ioctl");
}

static void changed_memory(enum how how, const struct call *c, long result)
{
	const long *arg = c->arg;
	uint64_t low = (uint64_t)arg[0], high = up(low + (uint64_t)arg[1]);

	switch (how) {
	case MAPS:
		mapped(arg, (uint64_t)result);
		break;
	case UNMAPS:
		if (!undo_unmapped(low, high))
			undo_impossible("it has unmapped memory that was there before");
		break;
	case PROTECTS:
		if (!undo_is_mapped(low, high))
			undo_impossible("it has protected memory that was there before");
		break;
	case ADVISES:
		advised(c, low, high);
		break;
	default:
		undo.moved_break = true;
	}
}

static void changed_descriptors(enum how how, const struct call *c, long result)
{
	if (how == OPENS)
		undo_opened(result);
	else if (how == OPENS_PAIR)
		opened_two((const int *)c->arg[0]);
	else if (how == OPENS_TWO)
		opened_two((const int *)c->arg[3]);
	else if (how == FCNTL)
		controlled(c->arg, result);
	else if (how == IOCTL)
		asked_device(c->arg);
	else
		undo_close(c->arg[0]);
}

void undo_note_call(const struct call *c, long result)
{
	enum how how = c->nr >= 0 && c->nr < SYSCALLS_MAX ? rows[c->nr].how : IMPOSSIBLE;

	if (how == IMPOSSIBLE)
		undo_impossible("it has made a syscall that is not undone");
	if (how <= NOTHING || (result < 0 && result >= -4095))
		return;
	if (how == LIMITS && c->arg[2])
		undo_impossible("it has changed a limit");
	else if (how == HANDLER && c->arg[1])
		undo_impossible("it has installed a signal handler");
	else if (how >= MAPS && how <= BREAK)
		changed_memory(how, c, result);
	else if (how != LIMITS && how != HANDLER && !world_is_modelled()) /* the model's descriptors are memory */
		changed_descriptors(how, c, result);
}
