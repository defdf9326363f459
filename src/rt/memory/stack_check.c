/*
 * The stack of a thread that has ended belongs to nobody until another thread gets it.  Only the part near its upper
 * end is marked: there a thread's first functions have their variables, and those are the ones that other threads get
 * pointers to.
 */
#include "rt/fibers/fiber.h"
#include "rt/memory/memory_check.h"

#define STACKS 256
#define MARKED (64ul << 10) /* bytes */

struct stack {
	uint64_t low, high; /* 0, 0: a free slot */
	uint32_t fiber;     /* the thread that has ended on it */
};

static struct {
	struct stack mapped[STACKS]; /* by the C library; the program's own stacks go back to the program */
	struct stack ended[STACKS];
} state;

static struct stack *find(struct stack *list, uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < STACKS; i++)
		if (list[i].high && low < list[i].high && list[i].low < high)
			return &list[i];
	return NULL;
}

static void add(struct stack *list, struct stack new)
{
	struct stack *free = find(list, new.low, new.high);

	for (uint32_t i = 0; i < STACKS && !free; i++)
		free = list[i].high ? NULL : &list[i];
	if (free)
		*free = new;
}

void stack_check_mapped(uint64_t low, uint64_t high)
{
	if (mode_is(CHECK))
		add(state.mapped, (struct stack){low, high, 0});
}

void stack_check_unmapped(uint64_t low, uint64_t high)
{
	struct stack *s;

	while (mode_is(CHECK) && low < high &&
	       ((s = find(state.mapped, low, high)) || (s = find(state.ended, low, high))))
		*s = (struct stack){0};
}

void stack_check_ends(const struct fiber *f)
{
	uint64_t high = f->stack_high & ~7ul, low = f->stack_low;

	if (!mode_is(CHECK) || !f->stack_low || !find(state.mapped, low, high))
		return;
	low = (high - low > MARKED ? high - MARKED : low + 7) & ~7ul;
	add(state.ended, (struct stack){low, high, f->id});
	if (find(state.ended, low, high))
		memory_mark_stack(low, high, true);
}

void stack_check_begins(uint64_t low, uint64_t high)
{
	struct stack *s = mode_is(CHECK) ? find(state.ended, low, high) : NULL;

	if (!s)
		return;
	memory_mark_stack(s->low, s->high, false);
	*s = (struct stack){0};
}

uint32_t stack_check_owner(uint64_t address)
{
	const struct stack *s = find(state.ended, address, address + 1);

	return s ? s->fiber : 0;
}

void stack_check_take_cells(void)
{
	for (uint32_t i = 0; i < STACKS; i++)
		if (state.ended[i].high)
			memory_mark_stack(state.ended[i].low, state.ended[i].high, true);
}
