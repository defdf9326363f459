/*
 * Where a number comes from is found by making the same execution once more with other clocks, CPU times and ids: what
 * is a different number then comes from these, and nothing else does. The schedule is taken to be the same if the
 * output has as many lines, each with the same words. If an execution goes another way because of the time, its lines
 * are compared in any order: a number that no such line has there comes from a clock, and so do the others in its
 * place.
 *
 * A time can have any form: 9 or 10 digits, a fraction, hexadecimal, a date with names, with blanks before or after it.
 * So lines are compared word by word, and each difference becomes one 0, together with the blanks around it.
 */
#include "classify/clock_output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "classify/output_hash.h"
#include "classify/output_features.h"
#include "format/utf8.h"

#define UNIT 3 /* letters: of ms, min, PM, Tue */

struct word {
	const uint8_t *text;
	size_t size;
};

struct line {
	struct word *list;
	size_t count;
};

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t'; }

static size_t run_of(const uint8_t *text, size_t size, int (*is)(int))
{
	size_t n = 0;

	while (n < size && is(text[n]))
		n++;
	return n;
}

/* The size of a number (17, -17, 1.5, 1.5e-7) that begins at `at`; 0: there is none. */
static size_t number_size(const uint8_t *text, size_t size, size_t at)
{
	bool negative = text[at] == '-' && (!at || !isalnum(text[at - 1]));
	size_t from = at + negative, n = run_of(text + from, size - from, isdigit);

	if (!n || (from + n < size && isalpha(text[from + n])))
		return 0;
	size_t end = from + n,
	       more = end < size && text[end] == '.' ? run_of(text + end + 1, size - end - 1, isalnum) : 0;
	if (!more || !isdigit(text[end + 1]))
		return end - at;
	end += 1 + more;
	if ((text[end - 1] | 32) == 'e' && end + 1 < size && strchr("+-", text[end]) && isdigit(text[end + 1]))
		end += 1 + run_of(text + end + 1, size - end - 1, isdigit);
	return end - at;
}

/* Splits a text into numbers, words and single characters; blanks do not count. */
static struct line words_of(const uint8_t *text, size_t size)
{
	struct line l = {.list = must_alloc((size + 1) * sizeof *l.list)};

	for (size_t at = 0, n; at < size; at += n) {
		n = number_size(text, size, at);
		n = n ? n : run_of(text + at, size - at, isalnum);
		n = n ? n : 1;
		if (!is_blank(text[at]))
			l.list[l.count++] = (struct word){text + at, n};
	}
	return l;
}

static bool same(const struct word *a, const struct word *b)
{
	return a->size == b->size && !memcmp(a->text, b->text, a->size);
}

static bool has_digit(const struct word *w)
{
	for (size_t i = 0; i < w->size; i++)
		if (isdigit(w->text[i]))
			return true;
	return false;
}

static bool is_hexadecimal(const struct word *w)
{
	size_t from = w->size > 2 && w->text[0] == '0' && (w->text[1] | 32) == 'x' ? 2 : 0;

	for (size_t i = from; i < w->size; i++)
		if (!isxdigit(w->text[i]))
			return false;
	return true;
}

/* A name that a date may have, or a unit. */
static bool is_of_time(const struct word *w)
{
	static const char *const names[] = {
	        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",  "Sunday",  "January",  "February",
	        "March",  "April",   "June",      "July",     "August", "September", "October", "November", "December",
	        "second", "seconds", "minute",    "minutes",  "hour",   "hours",     "days"};

	if (w->size <= UNIT || has_digit(w))
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == w->size && !strncasecmp(names[i], (const char *)w->text, w->size))
			return true;
	return false;
}

/* Which bytes of a text are hidden. */
struct marks {
	const uint8_t *text;
	bool *hidden;
};

static void hide(struct marks *m, const uint8_t *from, size_t size)
{
	memset(m->hidden + (from - m->text), true, size);
}

static size_t digits_at(const struct word *w, size_t at)
{
	size_t n = 0;

	while (at + n < w->size && isdigit(w->text[at + n]))
		n++;
	return n;
}

/* Hides the numbers that differ in two words with the same letters around them. False: the letters differ. */
static bool hide_numbers(struct marks *m, const struct word *a, const struct word *b, bool really)
{
	size_t i = 0, k = 0;

	while (i < a->size && k < b->size) {
		size_t n = digits_at(a, i), o = digits_at(b, k);
		if (!n != !o || (!n && a->text[i] != b->text[k]))
			return false; /* other letters */
		if (really && n && (n != o || memcmp(a->text + i, b->text + k, n) != 0))
			hide(m, a->text + i, n);
		i += n ? n : 1;
		k += o ? o : 1;
	}
	return i == a->size && k == b->size;
}

/* A whole number: not one of several in a word, and not in pieces. */
static bool is_number(const struct word *w)
{
	return is_hexadecimal(w) || (has_digit(w) && (*w->text == '-' || memchr(w->text, '.', w->size)));
}

static bool hide_word(struct marks *m, const struct word *a, const struct word *b)
{
	if (same(a, b))
		return true;
	if (has_digit(a) && has_digit(b) && !(is_number(a) && is_number(b)) && hide_numbers(m, a, b, false))
		return hide_numbers(m, a, b, true);
	hide(m, a->text, a->size);
	return (isalnum(*a->text) || a->size > 1) && (isalnum(*b->text) || b->size > 1) && is_of_time(a) &&
	       is_of_time(b);
}

/* Hides all between the common beginning and the common end of two lines. False: it is not a time. */
static bool hide_between(struct marks *m, const struct line *a, const struct line *b)
{
	size_t from = 0, end = 0, least = a->count < b->count ? a->count : b->count;
	bool number = false;

	while (from < least && same(&a->list[from], &b->list[from]))
		from++;
	while (end < least - from && same(&a->list[a->count - 1 - end], &b->list[b->count - 1 - end]))
		end++;
	for (int k = 0; k < 2; k++) {
		const struct line *l = k ? b : a;
		for (size_t i = from; i < l->count - end; i++) {
			if (!is_of_time(&l->list[i]))
				return false;
			number |= has_digit(&l->list[i]);
			if (!k)
				hide(m, l->list[i].text, l->list[i].size);
		}
	}
	return number;
}

/* False: the two lines do not say the same at two times. */
static bool hide_in_line(struct marks *m, const uint8_t *a, size_t n, const uint8_t *b, size_t o)
{
	struct line x = words_of(a, n), y = words_of(b, o);
	bool ok = x.count == y.count;

	for (size_t i = 0; i < x.count && ok; i++)
		ok = hide_word(m, &x.list[i], &y.list[i]);
	if (!ok)
		ok = hide_between(m, &x, &y);
	free(x.list);
	free(y.list);
	return ok;
}

static size_t line_size(const struct bytes *b, size_t at)
{
	const uint8_t *end = memchr(b->data + at, '\n', b->size - at);

	return end ? (size_t)(end - b->data) - at : b->size - at;
}

static bool hide_in_lines(struct marks *m, const struct bytes *a, const struct bytes *b)
{
	size_t i = 0, k = 0;

	while (i < a->size && k < b->size) {
		size_t n = line_size(a, i), o = line_size(b, k);
		if ((n != o || memcmp(a->data + i, b->data + k, n) != 0) &&
		    !hide_in_line(m, a->data + i, n, b->data + k, o))
			return false;
		i += n + 1;
		k += o + 1;
	}
	return i >= a->size && k >= b->size;
}

/* A number in a line; `place`: the family of the line and the position (first, second …) in it. */
struct number {
	uint64_t place, value;
	const uint8_t *text;
	size_t size;
};

struct numbers {
	struct number *list;
	size_t count;
};

static void add_numbers(struct numbers *all, const uint8_t *line, size_t size)
{
	uint64_t family = feature_family(line, size), place = 0;

	for (size_t i = 0, n; i < size; i += n ? n : 1) {
		n = run_of(line + i, size - i, isdigit);
		if (!n)
			continue;
		if (!(all->count & (all->count - 1)))
			all->list = must_resize(all->list, (all->count ? 2 * all->count : 1) * sizeof *all->list);
		all->list[all->count++] = (struct number){hash_mix(family, ++place), hash_of(line + i, n), line + i, n};
	}
}

static int by_place(const void *a, const void *b)
{
	const struct number *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static struct numbers numbers_of(const struct bytes *b)
{
	struct numbers all = {0};

	for (size_t at = 0; at < b->size; at += line_size(b, at) + 1)
		add_numbers(&all, b->data + at, line_size(b, at));
	if (all.count)
		qsort(all.list, all.count, sizeof *all.list, by_place);
	return all;
}

/* If a place has a number that no line of its family has at another time, hides all numbers of that place. */
static void hide_places(struct marks *m, const struct bytes *a, const struct bytes *b)
{
	struct numbers x = numbers_of(a), y = numbers_of(b);

	for (size_t i = 0, end, k = 0; i < x.count; i = end) {
		bool known = false, changed = false;
		while (k < y.count && y.list[k].place < x.list[i].place)
			k++;
		known = k < y.count && y.list[k].place == x.list[i].place;
		for (end = i; end < x.count && x.list[end].place == x.list[i].place; end++)
			changed |= known && !bsearch(&x.list[end], y.list, y.count, sizeof *y.list, by_place);
		for (size_t n = i; n < end && changed; n++)
			hide(m, x.list[n].text, x.list[n].size);
	}
	free(x.list);
	free(y.list);
}

static bool hide_bytes(struct marks *m, const struct bytes *a, const struct bytes *b)
{
	for (size_t i = 0; i < a->size && a->size == b->size; i++)
		m->hidden[i] = a->data[i] != b->data[i];
	return a->size == b->size;
}

/* The text without what is hidden. Binary data keep their length; in a text each hidden piece becomes one 0. */
static struct bytes without(const struct bytes *text, const bool *hidden, bool binary)
{
	struct bytes out = {0};

	for (size_t i = 0; i < text->size; i++) {
		if (binary || !hidden[i]) {
			bytes_add(&out, hidden[i] ? (const uint8_t *)"" : text->data + i, 1);
			continue;
		}
		while (out.size && is_blank(out.data[out.size - 1]))
			out.size--;
		bytes_add(&out, "0", 1);
		while (i + 1 < text->size && (hidden[i + 1] || is_blank(text->data[i + 1])))
			i++;
	}
	return out;
}

/* Hides what differs in `again`: n times the same text, written at other times. */
static struct bytes text_hide(const struct bytes *text, const struct bytes *again[], size_t n)
{
	bool binary = !bytes_are_text(text->data, text->size);
	bool *all = must_alloc(text->size + 1), *one = must_alloc(text->size + 1);

	memset(all, 0, text->size + 1);
	for (size_t i = 0; i < n && text->size; i++) {
		struct marks m = {text->data, one};
		memset(one, 0, text->size + 1);
		if (binary && !hide_bytes(&m, text, again[i]))
			continue;
		if (!binary && !hide_in_lines(&m, text, again[i])) {
			memset(one, 0, text->size + 1);
			hide_places(&m, text, again[i]);
		}
		for (size_t k = 0; k < text->size; k++)
			all[k] |= one[k];
	}
	struct bytes out = without(text, all, binary);
	free(all);
	free(one);
	return out;
}

static bool hide_in_name(const struct board_output *g, const struct board_output *again, char *name)
{
	bool hidden[OUTPUT_NAME] = {false};
	struct marks m = {(const uint8_t *)g->name, hidden};
	struct bytes text = {.data = (uint8_t *)g->name, .size = strlen(g->name)};

	if (g->kind != again->kind || g->number != again->number ||
	    !hide_in_line(&m, text.data, text.size, (const uint8_t *)again->name, strlen(again->name)))
		return false;
	struct bytes out = without(&text, hidden, false);
	snprintf(name, OUTPUT_NAME, "%.*s", (int)out.size, out.size ? (const char *)out.data : "");
	bytes_free(&out);
	return true;
}

/*
 * Finds the same stream or file in another execution: first by its name, then by a name that differs in numbers only.
 */
static const struct board_output *find_row(const struct board_output *g, const struct trial *in, char *name)
{
	for (uint32_t i = 0; i < in->noutputs; i++)
		if (in->outputs[i].kind == g->kind && in->outputs[i].number == g->number &&
		    !strcmp(in->outputs[i].name, g->name))
			return &in->outputs[i];
	for (uint32_t i = 0; i < in->noutputs; i++)
		if (hide_in_name(g, &in->outputs[i], name))
			return &in->outputs[i];
	return NULL;
}

/* Fills in one stream or file of the plain form. */
static void hide_row(struct trial *plain, uint32_t at, const struct trial *t, const struct trial *again, size_t n)
{
	const struct board_output *g = &t->outputs[at];
	struct board_output *to = &plain->outputs[at];
	const struct bytes *others[OTHER_CLOCKS];
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		const struct board_output *o = find_row(g, &again[i], to->name);
		if (o && o->kept != OUTPUT_UNKEPT && again[i].kept)
			others[found++] = &again[i].kept[o - again[i].outputs];
	}
	if (!t->kept || g->kept == OUTPUT_UNKEPT)
		return;
	plain->kept[at] = text_hide(&t->kept[at], others, found);
	if (plain->kept[at].size == t->kept[at].size &&
	    !memcmp(plain->kept[at].data, t->kept[at].data, t->kept[at].size))
		return;
	to->size = plain->kept[at].size;
	to->hash = hash_mix(hash_of(plain->kept[at].data, plain->kept[at].size), g->rest);
	to->lines = hash_mix(hash_of_lines(plain->kept[at].data, plain->kept[at].size), g->rest);
}

static void sum_up(struct trial *plain)
{
	memset(plain->outputs_hash, 0, sizeof plain->outputs_hash);
	for (uint32_t i = 0; i < plain->noutputs; i++) {
		const struct board_output *g = &plain->outputs[i];
		uint64_t name = feature_stream(g);
		plain->outputs_hash[SAME_BYTES] +=
		        hash_mix(hash_mix(name, g->number), hash_mix(hash_mix(g->size, g->there), g->hash));
		plain->outputs_hash[SAME_LINES] += hash_mix(name, hash_mix(g->there, g->lines));
	}
}

void clock_output_hide(struct trial *t, const struct trial *again, size_t n)
{
	struct trial *plain = must_alloc(sizeof *plain);

	trial_copy_output(plain, t);
	plain->kept = must_alloc((t->noutputs + 1) * sizeof *plain->kept);
	memset(plain->kept, 0, (t->noutputs + 1) * sizeof *plain->kept);
	for (int part = 0; part < 2; part++) {
		const struct bytes *others[OTHER_CLOCKS];
		for (size_t i = 0; i < n; i++)
			others[i] = &again[i].printed[part];
		bytes_free(&plain->printed[part]);
		plain->printed[part] = text_hide(&t->printed[part], others, n);
		plain->printed_size[part] = plain->printed[part].size;
		plain->printed_hash[part] = hash_of(plain->printed[part].data, plain->printed[part].size);
	}
	for (uint32_t i = 0; i < t->noutputs; i++)
		hide_row(plain, i, t, again, n);
	if (!t->outputs_lost)
		sum_up(plain);
	trial_free_plain(t);
	t->plain = plain;
}
