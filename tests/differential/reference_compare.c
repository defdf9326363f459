/* The result: compares the reference's races with the detector's, and prints how a difference came about. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference.h"

int omen_raced(const volatile void *address, unsigned long size);
int omen_may_have_raced(const volatile void *address, unsigned long size);

static const char *const kind_names[] = {
#define X(id, name) name,
        OP_KINDS(X)
#undef X
};
static const char *const order_names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const lock_names[LOCKS] = {"mutex0", "mutex1", "recursive", "mtx", "rwlock", "spin"};

static const char *area_name(int area)
{
	static char name[2][24];
	static int turn;
	char *out = name[turn ^= 1];

	if (area == AREA_BUFFER || area == AREA_ATOMICS)
		return area == AREA_BUFFER ? "buffer" : "atomics";
	if (area < AREA_LOCAL)
		snprintf(out, sizeof(name[0]), "heap%d", area - AREA_HEAP);
	else
		snprintf(out, sizeof(name[0]), "local%d", area - AREA_LOCAL);
	return out;
}

static void say_op(const struct op *op)
{
	fprintf(stderr, "%s", kind_names[op->kind]);
	switch (op->kind) {
	case OP_READ:
	case OP_WRITE:
	case OP_SET:
		fprintf(stderr, " %s+%u size %u", area_name(op->area), op->offset, op->size);
		break;
	case OP_COPY:
	case OP_MOVE:
		fprintf(stderr, " %s+%u from %s+%u size %u", op->form == 1 ? "own" : area_name(op->area), op->offset,
		        op->form == 2 ? "own" : area_name(op->from_area), op->from, op->size);
		break;
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
		fprintf(stderr, " %s+%u size %u %s", area_name(op->area), op->offset, op->size, order_names[op->order]);
		if (op->kind == OP_CAS)
			fprintf(stderr, "/%s", order_names[op->failure]);
		break;
	case OP_FENCE:
		fprintf(stderr, " %s", order_names[op->order]);
		break;
	case OP_LOCK:
	case OP_TRYLOCK:
	case OP_TIMEDLOCK:
	case OP_UNLOCK:
	case OP_WAIT:
		fprintf(stderr, " %s", lock_names[op->object]);
		break;
	default:
		fprintf(stderr, " %u", op->object);
		break;
	}
}

static void say_event(int at)
{
	const struct event *e = &event[at];

	fprintf(stderr, "%4d  thread %u", at, e->thread);
	if (e->op == NOBODY) {
		fprintf(stderr, " %s\n", e->what);
		return;
	}
	const struct op *op = &program.op[e->thread][e->op];
	fprintf(stderr, " #%u.%u ", e->thread, e->op);
	say_op(op);
	if (e->what)
		fprintf(stderr, ": %s", e->what);
	if (e->what && !strcmp(e->what, "unlocks"))
		fprintf(stderr, " %s", lock_names[e->seen]);
	else if (op->kind >= OP_LOAD && op->kind <= OP_CAS && op->kind != OP_STORE)
		fprintf(stderr, " saw %llu", (unsigned long long)e->seen);
	fputc('\n', stderr);
}

static void say_execution(const char *byte)
{
	fprintf(stderr, "the execution of program =0x%llx:\n", (unsigned long long)program.seed);
	for (int i = 0; i < events; i++) {
		bool here = false;
		for (int k = 0; k < accesses; k++)
			here |= access_[k].event == i && byte && uses(&access_[k], byte);
		fputc(here ? '*' : ' ', stderr);
		say_event(i);
	}
}

/* Has the byte at the address raced, in any of its allocations? */
static const struct race *raced(const struct model *m, const char *byte)
{
	for (int r = 0; r < regions; r++) {
		if (byte < region[r].base || byte >= region[r].base + region[r].size)
			continue;
		const struct race *race = &m->race[r][byte - region[r].base];
		if (race->first != race->second)
			return race;
	}
	return NULL;
}

static void differs(int r, char *byte, const struct race *race)
{
	fprintf(stderr, "the detector differs from the reference: %s+%ld (region %d) %s\n", area_name(region[r].area),
	        (long)(byte - region[r].base), r, race ? "races, and it sees none" : "does not race, and it sees one");
	if (race) {
		say_event(access_[race->first].event);
		say_event(access_[race->second].event);
	}
	say_execution(byte);
	abort();
}

static void append(const char *line)
{
	int fd = open(statistics, O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (fd < 0 || write(fd, line, strlen(line)) < 0)
		perror(statistics);
	close(fd);
}

/*
 * As a recording sees it (-m): where a race is only possible, a replay must decide.  So missed races, wrong races and
 * possible races are only counted.
 */
static void compare_merging(void)
{
	int racy = 0, open_ = 0, missed = 0, wrong = 0, possible = 0;
	char line[64];

	for (int r = 0; r < regions; r++)
		for (char *byte = region[r].base; byte < region[r].base + region[r].size; byte++) {
			bool strict = raced(&models[0], byte), lenient = raced(&models[1], byte);
			bool may = omen_may_have_raced(byte, 1), did = omen_raced(byte, 1);
			open_ += strict != lenient;
			racy += strict;
			missed += strict && lenient && !may;
			wrong += !strict && !lenient && did;
			possible += may && !did;
		}
	snprintf(line, sizeof(line), "%6d %6d %6d %6d %6d =0x%llx\n", racy, open_, missed, wrong, possible,
	         (unsigned long long)program.seed);
	if (statistics)
		append(line);
}

void reference_compare(void)
{
	if (merging) {
		compare_merging();
		return;
	}
	int could = 0, racy = 0, open_ = 0;
	char line[64];

	if (talks)
		say_execution(NULL);
	for (int r = 0; r < regions; r++)
		for (char *byte = region[r].base; byte < region[r].base + region[r].size; byte++) {
			const struct race *strict = raced(&models[0], byte), *lenient = raced(&models[1], byte);
			bool may = conflict[r][byte - region[r].base];
			could += may;
			racy += may && strict;
			if (!strict != !lenient)
				open_++;
			else if (!omen_raced(byte, 1) != !strict)
				differs(r, byte, strict);
		}
	if (statistics) {
		snprintf(line, sizeof(line), "%d %d %d %d\n", could, racy, open_, events);
		append(line);
	}
}
