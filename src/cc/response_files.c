/* Lists of words, and response files: an argument @FILE stands for the words in FILE. */
#include "cc/driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void list_add(struct list *l, const char *s)
{
	if (l->n + 2 > l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->at = realloc(l->at, l->room * sizeof(*l->at));
		if (!l->at)
			fail("out of memory");
	}
	l->at[l->n++] = s;
	l->at[l->n] = NULL;
}

void list_add_all(struct list *l, const char *const *strings)
{
	while (*strings)
		list_add(l, *strings++);
}

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	if (!f)
		return NULL;
	if (getdelim(&text, &room, '\0', f) < 0 && text)
		*text = '\0';
	fclose(f);
	return text ? text : strdup("");
}

/* Cuts off the next word as a shell would: with quotes of both kinds and backslashes. Writes it over its own text. */
static char *next_word(char **text)
{
	char *from = *text, *word, *to, quote = 0;

	while (isspace((unsigned char)*from))
		from++;
	if (!*from)
		return NULL;
	for (word = to = from; *from && (quote || !isspace((unsigned char)*from)); from++) {
		if (*from == '\\' && from[1])
			*to++ = *++from;
		else if (*from == quote)
			quote = 0;
		else if (!quote && (*from == '"' || *from == '\''))
			quote = *from;
		else
			*to++ = *from;
	}
	*text = *from ? from + 1 : from;
	*to = '\0';
	return word;
}

/* Translates an option that gcc and clang spell differently, and that assembly may depend on. */
static const char *translate_option(const char *arg)
{
	static const char boundary[] = "-mpreferred-stack-boundary=";
	char *said;

	if (strncmp(arg, boundary, strlen(boundary)))
		return arg;
	int power = atoi(arg + strlen(boundary));
	if (power < 0 || power > 12)
		return arg;
	if (asprintf(&said, "-mstack-alignment=%d", 1 << power) < 0)
		fail("out of memory");
	return said;
}

static void expand(struct list *out, const char *arg, int depth)
{
	char *text = arg[0] == '@' && depth < 16 ? read_whole(arg + 1) : NULL, *word;

	if (!text) {
		list_add(out, translate_option(arg));
		return;
	}
	while ((word = next_word(&text)))
		expand(out, word, depth + 1);
}

struct list expand_response_files(int argc, char **argv)
{
	struct list out = {0};

	for (int i = 0; i < argc; i++)
		expand(&out, argv[i], 0);
	return out;
}
