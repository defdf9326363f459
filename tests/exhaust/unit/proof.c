/* What all interleavings prove: the orders of accesses, and that a finding which no interleaving has is a fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/access_orders.h"
#include "classify/interleaving_proof.h"

static int failures;

static void check(bool ok, const char *name)
{
	printf(ok ? "ok %s\n" : "FAIL %s: not so\n", name);
	failures += !ok;
}

static const struct board_access writer = {.site = 0x1000, .flags = ACCESS_WRITE}, reader = {.site = 0x2000},
                                 stranger = {.site = 0x3000},
                                 freer = {.flags = ACCESS_WRITE | ACCESS_FREE, .stack = {.depth = 1, .pc = {0x4000}}};

static struct step_note access_of(uint32_t fiber, const struct board_access *a, uint64_t address, uint64_t size)
{
	return (struct step_note){.kind = a->flags & ACCESS_FREE    ? STEP_FREE
	                                  : a->flags & ACCESS_WRITE ? STEP_WRITE
	                                                            : STEP_READ,
	                          .fiber = fiber,
	                          .a = address,
	                          .b = size,
	                          .site = access_place(a)};
}

static void test_orders(void)
{
	struct orders all = {0};
	const struct step_note one[] = {access_of(1, &writer, 64, 4), access_of(2, &reader, 64, 4)},
	                       apart[] = {access_of(1, &reader, 64, 4), access_of(2, &writer, 128, 4)},
	                       same[] = {access_of(1, &reader, 64, 4), access_of(1, &writer, 64, 4)},
	                       freed[] = {access_of(1, &reader, 256, 4), access_of(2, &freer, 248, 64)},
	                       wide[] = {access_of(1, &reader, 64, 32), access_of(2, &writer, 80, 4)};

	orders_add(&all, one, 2, true);
	check(orders_have(&all, &writer, &reader), "an order that was executed is known");
	check(orders_are_single(&all, &reader, &writer), "the only one is known to be that");
	orders_add(&all, apart, 2, true);
	check(orders_are_single(&all, &writer, &reader), "other memory does not count");
	orders_add(&all, same, 2, true);
	check(orders_are_single(&all, &writer, &reader), "one thread does not count");
	check(!orders_are_single(&all, &writer, &stranger), "of a place that never was there nothing is known");
	check(!orders_are_single(&all, &writer, &writer), "of a place with itself nothing is known");
	orders_add(&all, freed, 2, true);
	check(orders_are_single(&all, &reader, &freer), "a free has the place that it is called at");
	orders_add(&all, wide, 2, true);
	check(!orders_are_single(&all, &writer, &reader), "a wide access has all its words");
	for (uint64_t i = 1; i < 1000; i++)
		orders_insert(&all, (struct order){i, i + 1});
	check(orders_have(&all, &writer, &reader) && orders_have(&all, &reader, &writer), "many orders are all kept");
	free(all.list);
}

/* A thread that reads before a write, and continues without it, does not wait for it. */
static void test_leaving(void)
{
	const struct step_note joined = {.kind = STEP_JOIN, .fiber = 0, .a = 1}, read = access_of(1, &reader, 64, 4),
	                       write = access_of(2, &writer, 64, 4), late = access_of(3, &reader, 64, 4);
	const struct step_note left[] = {read, write, joined}, again[] = {read, write, read, joined},
	                       other[] = {read, write, late, joined};
	struct orders all = {0};

	orders_add(&all, left, 2, true);
	check(!orders_first_goes_on(&all, &reader, &writer), "of a thread that was not joined it is not known");
	orders_add(&all, left, 3, false);
	check(!orders_first_goes_on(&all, &reader, &writer), "nor where the program did not come to its end");
	orders_add(&all, again, 4, true);
	check(!orders_first_goes_on(&all, &reader, &writer), "who reads again may have waited");
	orders_add(&all, other, 4, true);
	check(!orders_first_goes_on(&all, &reader, &writer), "and so may another one");
	orders_add(&all, left, 3, true);
	check(orders_first_goes_on(&all, &reader, &writer), "who goes on has not waited");
	check(!orders_first_goes_on(&all, &writer, &reader), "which says nothing of the other order");
	free(all.list);
}

/* All interleavings end as `ending` with this signature; `found` says which race is spec-violated. */
static bool is_fault(uint32_t ending, uint64_t signature, struct trial found)
{
	struct outcome outcome = {.ending = ending, .signature = signature, .count = 7};
	struct verdict verdict = {.kind = VERDICT_SPEC, .interleavings = 7};
	struct race race = {.verdict = &verdict};
	struct race_tally tally = {.race = &race, .spec = {.found = true, .trial = found}};
	struct race_tallies all = {.list = &tally, .count = 1};
	static struct manifest manifest;
	static struct classifier c;

	c = (struct classifier){.manifest = &manifest, .interleavings = {.complete = true, .count = 7, .outcomes = &outcome, .noutcomes = 1}};
	proof_check(&c, &all);
	if (c.interleavings.fault)
		check(!c.interleavings.complete && !verdict.interleavings && strstr(c.interleavings.why, "fault of Omen"),
		      "a fault takes back what was said of all");
	return c.interleavings.fault;
}

int main(void)
{
	const struct trial crash = {.ending = ENDING_CRASH, .signature = 5};

	test_orders();
	test_leaving();
	check(!is_fault(ENDING_CRASH, 5, crash), "a violation that an interleaving has is no fault");
	check(is_fault(ENDING_CRASH, 6, crash), "another crash is a fault");
	check(is_fault(ENDING_EXIT, 0, crash), "a crash is a fault where all end well");
	return failures != 0;
}

