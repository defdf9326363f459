#include "rt/threads/without_sync.h"

#include <link.h>

#include "rt/core/rt.h"
#include "rt/ending/ending.h"
#include "rt/fibers/sched.h"

#define LEFT_OUT 64
#define FRAMES   4 /* how many frames of the program are checked */
#define SEEN     64

/* Threads that poll take the same lock from the same frames again and again, so the answer for a call is kept. */
struct seen {
	struct ending_trail trail;
	uint32_t fiber;
	bool answer;
};

/* Locks that were not taken, so that their unlock must do nothing, too. */
static struct {
	struct {
		const struct fiber *fiber;
		const void *object;
	} at[LEFT_OUT];
	uint32_t n;
	uint64_t base; /* where the program is loaded */
	struct seen seen[SEEN];
} without;

static int find_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	without.base = info->dlpi_addr;
	return 1; /* the program comes first */
}

static bool is_there(uint64_t pc)
{
	const struct board_config *c = &omen.board->config;

	for (uint32_t i = 0; i < c->nwithout && i < BOARD_WITHOUT; i++)
		if (pc - without.base >= c->without[i].low && pc - without.base < c->without[i].high)
			return true;
	return false;
}

/* Is the call there, or the call of a function around it?  std::lock_guard and similar classes need not be inlined. */
static bool is_in(const struct board_stack *stack)
{
	for (uint32_t i = 0; i < stack->depth && i < FRAMES; i++)
		if (is_there(stack->pc[i] - (i > 0)))
			return true;
	return false;
}

static bool is_without(void)
{
	const void *frame = __builtin_frame_address(0);
	struct seen *s = &without.seen[(uint64_t)frame / 16 % SEEN];
	static struct board_stack stack;

	if (s->fiber == omen.current->id && ending_is_on_trail(&s->trail, frame))
		return s->answer;
	if (!without.base)
		dl_iterate_phdr(find_base, NULL);
	ending_stack_with_trail(&stack, &s->trail, frame);
	s->fiber = omen.current->id;
	s->answer = is_in(&stack);
	return s->answer;
}

COLD bool without_sync_takes(uint64_t where, const void *object)
{
	if ((omen.off & OFF_INSIDE) || !is_without())
		return false;
	sched_point(POINT_SYNC, where);
	if (without.n < LEFT_OUT) {
		without.at[without.n].fiber = omen.current;
		without.at[without.n++].object = object;
	}
	return true;
}

static uint32_t find_left_out(const void *object)
{
	uint32_t i = 0;

	while (i < without.n && (without.at[i].fiber != omen.current || without.at[i].object != object))
		i++;
	return i;
}

/* Would the running fiber hold the object now? */
bool without_sync_has(const void *object) { return find_left_out(object) < without.n; }

COLD bool without_sync_gives(const void *object)
{
	uint32_t i = find_left_out(object);

	if (i < without.n) {
		without.at[i] = without.at[--without.n];
		return true;
	}
	return !(omen.off & OFF_INSIDE) && is_without();
}
