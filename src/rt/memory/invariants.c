/*
 * Invariants: OMEN_INVARIANT() where it stands, and comparisons of variables that the tool was given
 * (config.invariant), after every write to them.
 *
 * A hook comes before its write.  So it only notes the coming write, with its stack, and the next point checks the
 * value: that is the writer's own point, since no other fiber runs before.
 */
#include <link.h>
#include <string.h>

#include "rt/fibers/above.h"
#include "rt/ending/ending.h"
#include "rt/memory/memory_check.h"
#include "rt/core/text.h"

static struct {
	uint64_t base; /* added to addresses of the program's file; 0: not known yet, or nothing */
	bool has_base;
	struct board_stack writer;
} state;

static int find_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uint64_t *)arg = info->dlpi_addr;
	return 1; /* the program is the first module */
}

static uint64_t address_of(const struct board_invariant *v)
{
	if (!state.has_base) {
		omen.off |= OFF_INSIDE;
		dl_iterate_phdr(find_base, &state.base);
		omen.off &= ~(uint32_t)OFF_INSIDE;
		state.has_base = true;
	}
	return state.base + v->address;
}

#define INVARIANTS(v)                                                                                                  \
	const struct board_invariant *v = omen.board->config.invariant;                                                \
	v < omen.board->config.invariant + omen.board->config.ninvariants;                                             \
	v++

void invariants_write(uint64_t low, uint64_t high)
{
	for (INVARIANTS(v)) {
		uint64_t at = address_of(v);
		if (low >= at + v->size || high <= at)
			continue;
		mode_set(INVARIANT_OPEN, true);
		ending_stack(&state.writer);
		return;
	}
}

void invariants_take_cells(void)
{
	for (INVARIANTS(v))
		for (uint64_t at = address_of(v) & ~7ul; at < address_of(v) + v->size; at += 8)
			omen_cell(at)->write |= OMEN_CELL_BYTES;
}

/* ---- values ---- */

#define HOLDS(operator_, a, b)                                                                                         \
	({                                                                                                             \
		bool holds_ = true;                                                                                    \
		switch (operator_) {                                                                                   \
			INVARIANT_OPERATORS(X)                                                                         \
		}                                                                                                      \
		holds_;                                                                                                \
	})
#define X(id, text, compare)                                                                                           \
	case INVARIANT_##id:                                                                                           \
		holds_ = a compare b;                                                                                  \
		break;

static bool real_holds(const struct board_invariant *v, const void *at)
{
	float narrow;
	double a, b = v->real;

	if (v->size == sizeof(narrow)) {
		memcpy(&narrow, at, sizeof(narrow));
		a = narrow;
	} else {
		memcpy(&a, at, sizeof(a));
	}
	return HOLDS(v->operator_, a, b);
}

static __int128 integer_at(const struct board_invariant *v, const void *at)
{
	uint64_t bits = 0;

	memcpy(&bits, at, v->size);
	if (v->type == INVARIANT_UNSIGNED)
		return bits;
	return (int64_t)(bits << (64 - 8 * v->size)) >> (64 - 8 * v->size);
}

static bool integer_holds(const struct board_invariant *v, const void *at)
{
	__int128 a = integer_at(v, at), b = v->negative ? -(__int128)v->number : (__int128)v->number;

	return HOLDS(v->operator_, a, b);
}
#undef X

static const struct board_invariant *broken(void)
{
	for (INVARIANTS(v)) {
		const void *at = (const void *)address_of(v);
		if (!(v->type == INVARIANT_REAL ? real_holds(v, at) : integer_holds(v, at)))
			return v;
	}
	return NULL;
}

/* "stock.c:stock >= 0 does not hold: it is -1" */
static void tell(const struct board_invariant *v, char *out, size_t size)
{
	const void *at = (const void *)address_of(v);
	size_t n = text_format(out, size, "%s does not hold", v->text);

	if (v->type == INVARIANT_SIGNED)
		text_format(out + n, size - n, ": it is %ld", (int64_t)integer_at(v, at));
	else if (v->type == INVARIANT_UNSIGNED)
		text_format(out + n, size - n, ": it is %lu", (uint64_t)integer_at(v, at));
}

void invariants_settle(void)
{
	char message[240];

	if (omen.off)
		return;
	mode_set(INVARIANT_OPEN, false);
	const struct board_invariant *v = broken();
	if (!v)
		return;
	tell(v, message, sizeof(message));
	omen.board->result.fault_address = address_of(v);
	ending_fail_at(&state.writer, ENDING_INVARIANT, "%s", message);
}

void invariants_end(void)
{
	char message[240];

	if (!mode_is(CHECK) || omen.off || !omen.board->config.ninvariants)
		return;
	invariants_point();
	const struct board_invariant *v = broken();
	if (!v)
		return;
	tell(v, message, sizeof(message));
	omen.board->result.fault_address = address_of(v);
	ending_fail(ENDING_INVARIANT, "%s at the end", message);
}

/* For include/omen.h.  Without the tool there is nothing to report to. */
EXPORT void omen_invariant_failed(const char *expression, const char *file, unsigned line, const char *function);
void omen_invariant_failed(const char *expression, const char *file, unsigned line, const char *function)
{
	if (omen.board && !omen.off)
		ending_fail(ENDING_INVARIANT, "%s:%u: %s: invariant `%s' does not hold", file, line, function,
		            expression);
}
