#include "classify/dpor_steps.h"

#include <string.h>

const struct step_note *footprint_find(const struct footprint *f, uint32_t kind)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->notes[i].kind == kind)
			return &f->notes[i];
	return NULL;
}

void step_causes(const struct executed_steps *all, size_t j, uint32_t fiber, const struct footprint *did,
                 uint32_t *clock)
{
	bool mine = false;

	memset(clock, 0, STEP_FIBERS * sizeof *clock);
	for (size_t i = j; i-- > 0 && !mine;) {
		const struct step *e = &all->list[i];
		mine = e->fiber == fiber;
		bool before = mine;
		for (size_t k = 0; k < e->did.count && !before; k++)
			before = e->did.notes[k].kind == STEP_ENABLES && e->did.notes[k].a == fiber;
		if (before)
			clock_join(clock, e->clock);
	}
	for (size_t k = 0; k < did->count; k++)
		for (size_t i = j; did->notes[k].kind == STEP_JOIN && i-- > 0;)
			if (all->list[i].fiber == did->notes[k].a) {
				clock_join(clock, all->list[i].clock);
				break;
			}
}
