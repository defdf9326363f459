/*
 * The user's -fsanitize options, word by word.
 *
 * `thread` is what Omen does already. Sanitizers that check values where they are used (-fsanitize=undefined) work with
 * Omen and stay. Those that have a runtime of their own with threads, a heap or a shadow, or that need link-time
 * optimisation, are dropped.
 */
#include "cc/driver.h"

#include <stdlib.h>
#include <string.h>

/* Prefixes of the names of sanitizers that are dropped. */
static const char *const dropped_prefixes[] = {
        "address", "bounds-strict", "cfi",    "dataflow",  "fuzzer",   "hwaddress",       "kcfi",  "kernel-",
        "leak",    "local-bounds",  "mem",    "numerical", "realtime", "pointer-compare", "scudo", "pointer-subtract",
        "safe-",   "shadow-",       "thread", "type",
};

/* Options that take a list of names. */
static const char *const list_options[] = {
        "-fsanitize=",      "-fno-sanitize=",      "-fsanitize-recover=", "-fno-sanitize-recover=",
        "-fsanitize-trap=", "-fno-sanitize-trap=",
};

/* Options for the sanitizers that stay. */
static const char *const kept_options[] = {
        "-fsanitize-recover",
        "-fno-sanitize-recover",
        "-fsanitize-trap",
        "-fno-sanitize-trap",
        "-fsanitize-undefined-trap-on-error",
        "-fno-sanitize-undefined-trap-on-error",
        "-fsanitize-minimal-runtime",
        "-fno-sanitize-minimal-runtime",
};

static const char *const ignorelist[] = {"-fsanitize-ignorelist=", "-fsanitize-blacklist="};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool starts(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

static const char *matching_prefix(const char *text, const char *const *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (starts(text, prefixes[i]))
			return prefixes[i];
	return NULL;
}

static char *copy(const char *a, size_t n, const char *b)
{
	char *s = malloc(n + strlen(b) + 1);

	if (!s)
		fail("out of memory");
	memcpy(s, a, n);
	strcpy(s + n, b);
	return s;
}

static void keep(struct command *c, const char *text, const char *value, unsigned role)
{
	add_argument(c, (struct argument){.role = role | SANITIZE, .text = text, .value = value});
}

/* Keeps the option with the names that stay, if any. */
static void take_list(struct command *c, const char *text, const char *option)
{
	bool adds = !strcmp(option, "-fsanitize="), removes = !strcmp(option, "-fno-sanitize=");
	char *names = copy("", 0, text + strlen(option)), *rest = names, *name;
	char *left = copy(option, strlen(option), "");

	while ((name = strsep(&rest, ","))) {
		if (!strcmp(name, "thread") || !strcmp(name, "all"))
			c->no_thread = removes || (c->no_thread && !adds);
		if (!*name || matching_prefix(name, dropped_prefixes, COUNT(dropped_prefixes)))
			continue;
		if (left[strlen(left) - 1] != '=')
			left = copy(left, strlen(left), ",");
		left = copy(left, strlen(left), name);
	}
	if (left[strlen(left) - 1] != '=')
		keep(c, left, NULL, FRONT | LINK);
	free(names);
}

/*
 * clang's driver checks the file, but passes it on only if it knows of a sanitizer; so it goes to the front end as
 * well.
 */
static void take_ignorelist(struct command *c, const char *path)
{
	const char *text = copy(ignorelist[0], strlen(ignorelist[0]), path);

	keep(c, text, NULL, FRONT);
	keep(c, "-Xclang", text, FRONT);
}

static void drop_ignorelists(struct command *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->at[i].role & SANITIZE && (starts(c->at[i].text, ignorelist[0]) || c->at[i].value))
			c->at[i].role = 0;
}

bool take_sanitize(struct command *c, const char *text)
{
	const char *option = matching_prefix(text, list_options, COUNT(list_options));
	const char *file = matching_prefix(text, ignorelist, COUNT(ignorelist));

	if (option)
		take_list(c, text, option);
	else if (file)
		take_ignorelist(c, text + strlen(file));
	else if (!strcmp(text, "-fno-sanitize-ignorelist") || !strcmp(text, "-fno-sanitize-blacklist"))
		drop_ignorelists(c);
	else if (!starts(text, "-fsanitize") && !starts(text, "-fno-sanitize"))
		return false;
	for (size_t i = 0; i < COUNT(kept_options); i++)
		if (!strcmp(text, kept_options[i]))
			keep(c, text, NULL, FRONT | LINK);
	return true;
}
