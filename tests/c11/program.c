#include <stdlib.h>
#include <string.h>

#include "program.h"

static const struct {
	const char *text, *c;
} orders[] = {
        [PLAIN] = {"", ""},
        [RELAXED] = {"rlx", "memory_order_relaxed"},
        [ACQUIRE] = {"acq", "memory_order_acquire"},
        [RELEASE] = {"rel", "memory_order_release"},
        [ACQ_REL] = {"ar", "memory_order_acq_rel"},
        [SEQ_CST] = {"sc", "memory_order_seq_cst"},
};

#define BIT(order) (1u << (order))

enum {
	TO_LOAD = BIT(RELAXED) | BIT(ACQUIRE) | BIT(SEQ_CST),
	TO_STORE = BIT(RELAXED) | BIT(RELEASE) | BIT(SEQ_CST),
	TO_UPDATE = TO_LOAD | TO_STORE | BIT(ACQ_REL),
	TO_FENCE = TO_UPDATE & ~BIT(RELAXED),
};

/* An operation's operands, in text as in C: Location, Expected value, Value, Order, order of a Failure. */
static const struct {
	const char *text, *c, *operands;
	unsigned orders;
} kinds[KINDS] = {
        [LOAD] = {"load", "atomic_load_explicit", "LO", TO_LOAD},
        [STORE] = {"store", "atomic_store_explicit", "LVO", TO_STORE},
        [EXCHANGE] = {"exchange", "atomic_exchange_explicit", "LVO", TO_UPDATE},
        [ADD] = {"add", "atomic_fetch_add_explicit", "LVO", TO_UPDATE},
        [CAS] = {"cas", "atomic_compare_exchange_strong_explicit", "LEVOF", TO_UPDATE},
        [FENCE] = {"fence", "atomic_thread_fence", "O", TO_FENCE},
        [READ] = {"read", NULL, "L", BIT(PLAIN)},
        [WRITE] = {"write", NULL, "LV", BIT(PLAIN)},
};

bool op_reads(const struct op *op) { return op->kind != STORE && op->kind < FENCE; }

/* C11 wants the order of a failure to be no stronger than the order of a success, and to be one that a load can have. */
static unsigned failure_orders(enum order success)
{
	switch (success) {
	case SEQ_CST:
		return TO_LOAD;
	case ACQUIRE:
	case ACQ_REL:
		return BIT(RELAXED) | BIT(ACQUIRE);
	default:
		return BIT(RELAXED);
	}
}

static void count_locations(struct program *p)
{
	p->atomics = p->plains = 0;
	for (int t = 0; t < p->threads; t++) {
		for (const struct op *op = p->op[t]; op < p->op[t] + p->ops[t]; op++) {
			if (op->location >= ATOMICS && op->location - ATOMICS >= p->plains)
				p->plains = op->location - ATOMICS + 1;
			if (op->location < ATOMICS && op->location >= p->atomics)
				p->atomics = op->location + 1;
		}
	}
}

/* Random programs. */

static uint64_t state;

static unsigned below(unsigned n)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ z >> 31) % n);
}

static bool chance(unsigned percent) { return below(100) < percent; }

/*
 * The profile of a program, in percent: how many operations are relaxed; how many of the others are seq_cst; how often
 * a fence stands between two; how many are read-modify-writes; how often one uses the location of the one before it.
 */
static const struct taste {
	unsigned relaxed, seq_cst, fences, updates, stays;
} tastes[] = {
        {90, 60, 60, 10, 10}, /* relaxed operations and fences */
        {50, 10, 10, 20, 45}, /* messages and release sequences */
        {15, 90, 5, 15, 10},  /* mostly sequentially consistent */
        {40, 80, 50, 10, 10}, /* that, and fences */
        {20, 30, 20, 40, 30}, /* everything */
};

static enum order choose_order(unsigned allowed, const struct taste *like)
{
	unsigned order;

	if ((allowed & BIT(RELAXED)) && chance(like->relaxed))
		return RELAXED;
	if ((allowed & BIT(SEQ_CST)) && chance(like->seq_cst))
		return SEQ_CST;
	do
		order = below(SEQ_CST + 1);
	while (!(allowed & BIT(order)));
	return order;
}

static enum kind choose_kind(const struct taste *like, bool fence, bool plain)
{
	if (plain && chance(30))
		return chance(50) ? READ : WRITE;
	if (fence && chance(like->fences))
		return FENCE;
	if (chance(like->updates))
		return EXCHANGE + below(3);
	return chance(50) ? LOAD : STORE;
}

static int choose_location(const struct taste *like, const struct op *op, int atomics, int previous)
{
	if (op->kind == FENCE)
		return NOWHERE;
	if (op->order == PLAIN)
		return ATOMICS + chance(30);
	if (atomics == 1 || (previous != NOWHERE && chance(like->stays)))
		return previous == NOWHERE ? 0 : previous;
	int location = (int)below((unsigned)atomics);
	return location == previous ? (location + 1) % atomics : location;
}

/* A value identifies its writer: a stored value is a number below 16, an added value is a bit above. */
struct program program_generate(unsigned number, bool plain)
{
	struct program p = {.number = number};
	int values[LOCATIONS] = {0}, adds[ATOMICS] = {0};

	state = number;
	const struct taste *like = &tastes[below(sizeof tastes / sizeof tastes[0])];
	int atomics = chance(60) ? 2 : 1 + (int)below(ATOMICS);
	p.threads = 2 + (int)below(2);
	for (int t = 0; t < p.threads; t++) {
		int left = 2 + (int)below(3), previous = NOWHERE; /* left: atomic operations still to create */
		bool fence = false;                               /* one between two others is useful */
		while (left > 0 && p.ops[t] < OPS) {
			struct op *op = &p.op[t][p.ops[t]++];
			op->kind = choose_kind(like, fence && left > 1, plain);
			op->order = choose_order(kinds[op->kind].orders, like);
			if (op->kind == CAS)
				op->failure = choose_order(failure_orders(op->order), like);
			op->location = choose_location(like, op, atomics, previous);
			if (op->kind == ADD)
				op->value = 16 << adds[op->location]++;
			else if (strchr(kinds[op->kind].operands, 'V'))
				op->value = ++values[op->location];
			if (op->order == PLAIN)
				continue;
			if (op->kind != FENCE)
				previous = op->location;
			fence = op->kind != FENCE;
			left--;
		}
	}
	/* the expected value can be one that another operation writes */
	for (int t = 0; t < p.threads; t++) {
		for (struct op *op = p.op[t]; op < p.op[t] + p.ops[t]; op++) {
			if (op->kind == CAS && chance(60))
				op->expected = (int)below((unsigned)values[op->location] + 1);
		}
	}
	count_locations(&p);
	return p;
}

/* Text. */

static bool parse_order(const char *word, unsigned allowed, enum order *order)
{
	for (*order = PLAIN; *order <= SEQ_CST; ++*order) {
		if (strcmp(word, orders[*order].text) == 0)
			return allowed & BIT(*order);
	}
	return false;
}

static bool parse_operand(struct op *op, char operand, const char *word)
{
	const char *name;
	char *end = NULL;

	switch (operand) {
	case 'L':
		name = strchr(LOCATION_NAMES, word[0]);
		op->location = name ? (int)(name - LOCATION_NAMES) : NOWHERE;
		return name && word[0] && !word[1] && (op->location >= ATOMICS) == (op->kind >= READ);
	case 'E':
		op->expected = (int)strtol(word, &end, 10);
		return *end == '\0';
	case 'V':
		op->value = (int)strtol(word, &end, 10);
		return *end == '\0';
	case 'O':
		return parse_order(word, kinds[op->kind].orders, &op->order);
	default:
		return parse_order(word, failure_orders(op->order), &op->failure);
	}
}

static bool parse_op(struct op *op, char *text)
{
	char *rest, *word = strtok_r(text, " ", &rest);

	*op = (struct op){.location = NOWHERE};
	while (op->kind < KINDS && (!word || strcmp(word, kinds[op->kind].text) != 0))
		op->kind++;
	if (op->kind == KINDS)
		return false;
	for (const char *operand = kinds[op->kind].operands; *operand; operand++) {
		word = strtok_r(NULL, " ", &rest);
		if (!word || !parse_operand(op, *operand, word))
			return false;
	}
	return !strtok_r(NULL, " ", &rest);
}

bool program_parse(struct program *p, const char *text)
{
	char copy[1024], *thread_rest, *op_rest;

	*p = (struct program){0};
	if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
		return false;
	for (char *thread = strtok_r(copy, "|", &thread_rest); thread; thread = strtok_r(NULL, "|", &thread_rest)) {
		if (p->threads == THREADS)
			return false;
		int t = p->threads++;
		for (char *op = strtok_r(thread, ",", &op_rest); op; op = strtok_r(NULL, ",", &op_rest)) {
			if (p->ops[t] == OPS || !parse_op(&p->op[t][p->ops[t]++], op))
				return false;
		}
	}
	count_locations(p);
	return p->threads > 0;
}

void print_text(FILE *out, const struct program *p)
{
	for (int t = 0; t < p->threads; t++) {
		for (int i = 0; i < p->ops[t]; i++) {
			const struct op *op = &p->op[t][i];
			fprintf(out, "%s%s", i ? ", " : t ? " | " : "", kinds[op->kind].text);
			for (const char *operand = kinds[op->kind].operands; *operand; operand++) {
				if (*operand == 'L')
					fprintf(out, " %c", LOCATION_NAMES[op->location]);
				else if (*operand == 'E' || *operand == 'V')
					fprintf(out, " %d", *operand == 'E' ? op->expected : op->value);
				else
					fprintf(out, " %s", orders[*operand == 'O' ? op->order : op->failure].text);
			}
		}
	}
}

/* C. */

static void print_op(FILE *out, const struct op *op, int *reads)
{
	char location = op->location == NOWHERE ? ' ' : LOCATION_NAMES[op->location];
	const char *separator = "";

	if (op->kind == READ) {
		fprintf(out, "\tunseen = %c;\n", location);
		return;
	}
	if (op->kind == WRITE) {
		fprintf(out, "\t%c = %d;\n", location, op->value);
		return;
	}
	fputc('\t', out);
	if (op->kind == CAS)
		fprintf(out, "int r%d = %d;\n\t", *reads, op->expected);
	else if (op_reads(op))
		fprintf(out, "int r%d = ", *reads);
	fprintf(out, "%s(", kinds[op->kind].c);
	for (const char *operand = kinds[op->kind].operands; *operand; operand++, separator = ", ") {
		fputs(separator, out);
		if (*operand == 'L')
			fprintf(out, "&%c", location);
		else if (*operand == 'E')
			fprintf(out, "&r%d", *reads); /* the variable that takes the value it read */
		else if (*operand == 'V')
			fprintf(out, "%d", op->value);
		else
			fputs(orders[*operand == 'O' ? op->order : op->failure].c, out);
	}
	fputs(");\n", out);
	*reads += op_reads(op);
}

static int print_thread(FILE *out, const struct program *p, int t)
{
	int reads = 0;

	fprintf(out, "static void *run_%u_%d(void *argument)\n{\n", p->number, t);
	if (p->plains)
		fputs("\tvolatile int unseen __attribute__((unused));\n", out);
	for (int i = 0; i < p->ops[t]; i++)
		print_op(out, &p->op[t][i], &reads);
	for (int r = 0; r < reads; r++)
		fprintf(out, "\tseen[%d][%d] = r%d;\n", t, r, r);
	fputs("\treturn argument;\n}\n\n", out);
	return reads;
}

_Static_assert(THREADS == 4 && OPS == 6 && ATOMICS == 3 && PLAINS == 2, "as the text of the C program has it");

static const char head[] = "#include <pthread.h>\n"
                           "#include <stdatomic.h>\n"
                           "#include <stdio.h>\n"
                           "#include <stdlib.h>\n"
                           "#include <unistd.h>\n"
                           "#include <fcntl.h>\n"
                           "\n"
                           "#ifdef __OMEN__\n"
                           "int omen_raced(const volatile void *address, unsigned long size);\n"
                           "#else\n"
                           "#define omen_raced(address, size) ((void)(address), 0)\n"
                           "#endif\n"
                           "\n"
                           "static atomic_int x, y, z;\n"
                           "static int p, q;\n"
                           "static int seen[4][6];\n"
                           "\n";

/* If the number is odd main's stores initialise the locations, else they are zero like all static memory. */
static const char tail[] =
        "};\n"
        "\n"
        "int main(int argc, char **argv)\n"
        "{\n"
        "\tstatic atomic_int *const atomic[] = {&x, &y, &z};\n"
        "\tstatic int *const plain[] = {&p, &q};\n"
        "\tlong count = sizeof programs / sizeof programs[0];\n"
        "\tlong number = argc > 1 ? atol(argv[1]) : FIRST + (long)(getpid() * 0x9e3779b97f4a7c15u >> 33) % count;\n"
        "\tpthread_t thread[4];\n"
        "\tchar line[1024];\n"
        "\tconst char *file = getenv(\"OUTCOMES\");\n"
        "\tint out = file ? open(file, O_WRONLY | O_APPEND | O_CREAT, 0666) : 1;\n"
        "\tint n = file ? sprintf(line, \"%ld: \", number) : 0;\n"
        "\n"
        "\tif (number < FIRST || number - FIRST >= count)\n"
        "\t\treturn 2;\n"
        "\tconst struct program *program = &programs[number - FIRST];\n"
        "\tfor (int i = 0; i < 3 && number % 2; i++)\n"
        "\t\tatomic_store_explicit(atomic[i], 0, memory_order_relaxed);\n"
        "\tfor (int t = 0; t < program->threads; t++)\n"
        "\t\tpthread_create(&thread[t], NULL, program->thread[t], NULL);\n"
        "\tfor (int t = 0; t < program->threads; t++)\n"
        "\t\tpthread_join(thread[t], NULL);\n"
        "\tfor (int t = 0; t < program->threads; t++) {\n"
        "\t\tn += sprintf(line + n, \"T%d:\", t);\n"
        "\t\tfor (int i = 0; i < program->reads[t]; i++)\n"
        "\t\t\tn += sprintf(line + n, \" %d\", seen[t][i]);\n"
        "\t\tn += sprintf(line + n, \" ; \");\n"
        "\t}\n"
        "\tfor (int i = 0; i < program->atomics; i++)\n"
        "\t\tn += sprintf(line + n, \"%s%c=%d\", i ? \" \" : \"\", \"xyz\"[i],\n"
        "\t\t             atomic_load_explicit(atomic[i], memory_order_relaxed));\n"
        "\tfor (int i = 0; i < program->plains; i++)\n"
        "\t\tn += omen_raced(plain[i], sizeof *plain[i]) ? sprintf(line + n, \" %c raced\", \"pq\"[i]) : 0;\n"
        "\tline[n++] = '\\n';\n"
        "\treturn write(out, line, n) != n;\n"
        "}\n";

void print_source(FILE *out, const struct program *programs, unsigned n)
{
	int(*reads)[THREADS] = calloc(n, sizeof *reads);

	fputs(head, out);
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "/* %u: ", programs[i].number);
		print_text(out, &programs[i]);
		fputs(" */\n", out);
		for (int t = 0; t < programs[i].threads; t++)
			reads[i][t] = print_thread(out, &programs[i], t);
	}
	fprintf(out, "enum { FIRST = %u };\n\n", programs[0].number);
	fputs("static const struct program {\n"
	      "\tint threads, atomics, plains, reads[4];\n"
	      "\tvoid *(*thread[4])(void *);\n"
	      "} programs[] = {\n",
	      out);
	for (unsigned i = 0; i < n; i++) {
		const struct program *p = &programs[i];
		fprintf(out, "\t{%d, %d, %d, {%d", p->threads, p->atomics, p->plains, reads[i][0]);
		for (int t = 1; t < p->threads; t++)
			fprintf(out, ", %d", reads[i][t]);
		for (int t = 0; t < p->threads; t++)
			fprintf(out, "%srun_%u_%d", t ? ", " : "}, {", p->number, t);
		fputs("}},\n", out);
	}
	fputs(tail, out);
	free(reads);
}
