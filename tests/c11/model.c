/*
 * A reference for what C11 allows atomic operations to do. It uses the axioms and executes nothing.
 *
 *     model outcomes [OPTIONS] PROGRAM [N]  all outcomes, one a line, as the C program prints them
 *     model text [OPTIONS] PROGRAM          the program in a line
 *     model source [OPTIONS] PROGRAM        the program in C
 *     model batch [OPTIONS] FIRST N         N programs in one C file; its argv[1] chooses one by number
 *     model litmus [PREFIX]                 the programs that have names
 *     model selftest                        the model against what is known
 *
 * PROGRAM is a number (a random program, always the same for a number), the name of a litmus test, or a program's text.
 * With N, it is the first of N numbers, and each line begins with the number of its program.
 *
 * --std c11|c++20                     what continues a release sequence
 * --sc c11|strict|psc                 what seq_cst promises
 * --fragment full|sc-order|execution  which executions a tool can reach that executes one operation at a time
 * --plain                             random programs with plain accesses, and which of those race
 *
 * program.c has the programs, axioms.c the model (axioms.h explains the options), litmus.c the tests of the model.
 */
#include <stdlib.h>
#include <string.h>

#include "axioms.h"
#include "litmus.h"

enum choice { STD, SC, FRAGMENT, CHOICES };

static const struct {
	const char *option, *values[4];
} choices[CHOICES] = {
        [STD] = {"--std", {"c11", "c++20"}},
        [SC] = {"--sc", {"c11", "strict", "psc"}},
        [FRAGMENT] = {"--fragment", {"full", "sc-order", "execution"}},
};

static int complain(const char *what, const char *about)
{
	fprintf(stderr, "model: %s %s (the top of tests/c11/model.c tells more)\n", what, about);
	return 2;
}

static bool choose(unsigned chosen[CHOICES], const char *option, const char *value)
{
	for (int i = 0; i < CHOICES; i++) {
		if (strcmp(option, choices[i].option) != 0)
			continue;
		for (chosen[i] = 0; choices[i].values[chosen[i]]; chosen[i]++) {
			if (strcmp(value, choices[i].values[chosen[i]]) == 0)
				return true;
		}
	}
	return false;
}

static bool is_number(const char *text, unsigned *number)
{
	char *end;

	*number = (unsigned)strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end;
}

static bool find_program(struct program *p, const char *name, bool plain)
{
	unsigned number;

	if (is_number(name, &number)) {
		*p = program_generate(number, plain);
		return true;
	}
	for (const struct litmus *l = litmus; l->name; l++) {
		if (strcmp(l->name, name) == 0)
			return program_parse(p, l->program);
	}
	return program_parse(p, name);
}

static void print_outcomes(const struct program *p, const struct model *m, bool numbered)
{
	struct outcomes o = find_outcomes(p, m);
	char line[LINE_SIZE];

	for (size_t i = 0; i < o.n; i++) {
		outcome_line(p, &o.at[i], line);
		if (numbered)
			printf("%u: ", p->number);
		puts(line);
	}
	outcomes_free(&o);
}

static int print_batch(unsigned first, unsigned n, bool plain)
{
	struct program *programs = calloc(n, sizeof *programs);

	if (!programs || !n)
		return complain("cannot print", "so many programs");
	for (unsigned i = 0; i < n; i++)
		programs[i] = program_generate(first + i, plain);
	print_source(stdout, programs, n);
	free(programs);
	return 0;
}

static int print_litmus(const char *prefix)
{
	for (const struct litmus *l = litmus; l->name; l++) {
		if (strncmp(l->name, prefix, strlen(prefix)) == 0)
			printf("%-16s %s\n", l->name, l->program);
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned chosen[CHOICES] = {0}, first = 0, n = 1;
	bool plain = false;
	const char *command = argc > 1 ? argv[1] : "";
	int i = 2;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--plain") == 0)
			plain = true;
		else if (i + 1 == argc || !choose(chosen, argv[i], argv[i + 1]))
			return complain("does not understand", argv[i]);
		else
			i++;
	}
	if (strcmp(command, "selftest") == 0)
		return !self_test();
	if (strcmp(command, "litmus") == 0)
		return print_litmus(i < argc ? argv[i] : "");

	struct model m = {.std = chosen[STD], .sc = chosen[SC], .fragment = chosen[FRAGMENT]};
	struct program p;
	if (i == argc)
		return complain("wants", "a program");
	bool several = i + 1 < argc;
	if (!find_program(&p, argv[i], plain))
		return complain("knows no program", argv[i]);
	if (several && (!is_number(argv[i], &first) || !is_number(argv[i + 1], &n)))
		return complain("wants numbers, not", argv[i + 1]);
	if (strcmp(command, "batch") == 0)
		return print_batch(first, n, plain);
	if (strcmp(command, "source") == 0) {
		print_source(stdout, &p, 1);
	} else if (strcmp(command, "text") == 0) {
		print_text(stdout, &p);
		putchar('\n');
	} else if (strcmp(command, "outcomes") == 0) {
		print_outcomes(&p, &m, several);
		for (unsigned k = 1; k < n; k++) {
			p = program_generate(first + k, plain);
			print_outcomes(&p, &m, several);
		}
	} else {
		return complain("has no command", command);
	}
	return 0;
}
