/*
 * text BYTES: text for the compressors, the same on every machine.  Words of a made-up vocabulary, frequent ones often
 * as in a language, now and then a phrase of before again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 20000, LETTERS = 12, PHRASE = 24, MEMORY = 1 << 16 };

static char vocabulary[WORDS][LETTERS];
static unsigned said[MEMORY];
static uint64_t state = 1;

static unsigned draw(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((state >> 32) * below >> 32);
}

static void invent(char *word)
{
	static const char *const syllables[] = {"a", "be", "con", "de", "er", "fo", "gra", "in", "ka", "le", "mo", "ne",
		"or", "pre", "qua", "ri", "st", "ti", "un", "ve", "wi", "xe", "you", "zo"};
	size_t n = 0;

	for (unsigned parts = 1 + draw(4); parts > 0; parts--)
		for (const char *c = syllables[draw(sizeof syllables / sizeof *syllables)]; *c && n < LETTERS - 1; c++)
			word[n++] = *c;
}

int main(int argc, char **argv)
{
	long bytes = argc == 2 ? atol(argv[1]) : 0;
	unsigned phrase = 0, from = 0;

	for (int i = 0; i < WORDS; i++)
		invent(vocabulary[i]);
	for (unsigned n = 0; bytes > 0; n++) {
		unsigned word;

		if (phrase == 0 && n > MEMORY && draw(40) == 0) {
			phrase = 2 + draw(PHRASE);
			from = n - 1 - draw(MEMORY - 2 * PHRASE);
		}
		if (phrase > 0) {
			word = said[from++ % MEMORY];
			phrase--;
		} else {
			word = draw(1 + draw(1 + draw(WORDS)));
		}
		said[n % MEMORY] = word;
		for (const char *c = vocabulary[word]; *c && bytes > 0; c++, bytes--)
			putchar(*c);
		if (bytes-- > 0)
			putchar(draw(12) ? ' ' : '\n');
	}
	return fflush(stdout) ? 1 : 0;
}
