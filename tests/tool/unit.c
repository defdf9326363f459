/* Formats and syntaxes: a reader gets back what was written, notices what is wrong, and never crashes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/source_expression.h"
#include "report/suppressions.h"
#include "format/json.h"
#include "format/manifest.h"
#include "format/enum_names.h"
#include "format/schedule.h"

static int failures;

static void check(bool ok, const char *name, const char *why)
{
	if (ok)
		printf("ok %s\n", name);
	else
		printf("FAIL %s: %s\n", name, why);
	failures += !ok;
}

/* xorshift: the same numbers on every run. */
static uint64_t number(void)
{
	static uint64_t s = 88172645463325252ull;

	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	return s;
}

static struct schedule_entry *make_schedule(uint64_t count)
{
	struct schedule_entry *s = must_alloc((count + 1) * sizeof *s);
	uint64_t point = 0;

	for (uint64_t i = 0; i < count; i++) {
		point += 1 + number() % 1000;
		s[i] = (struct schedule_entry){point,
		                               number() & 1,
		                               (uint32_t)number() % 9,
		                               (uint32_t)number() % 9,
		                               number() & 1,
		                               0x555555560000 + 16 * (number() % 500)};
		if (number() % 50 == 0)
			s[i] = (struct schedule_entry){number(), 1, UINT32_MAX, UINT32_MAX, 1, number()};
	}
	return s;
}

static void schedule_round_trip(void)
{
	static const uint64_t counts[] = {0, 1, 2, 4095, 4096, 4097, 20000};
	bool ok = true;
	struct error e = {""};

	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		struct schedule_entry *s = make_schedule(counts[i]);
		struct bytes file = schedule_encode(s, counts[i]);
		struct schedule back;
		ok = schedule_decode("s", &file, &back, &e) && ok && back.whole && back.count == counts[i];
		ok = ok && !memcmp(s, back.count ? back.entries : s, back.count * sizeof *s);
		free(s);
		schedule_free(&back);
		bytes_free(&file);
	}
	check(ok, "a schedule is read as it was written", e.text);
}

/* Decodes damaged bytes: the decoder must notice it, and what it returns must be a prefix of the original. */
static bool notices(const struct bytes *file, const struct schedule_entry *truth, uint64_t length)
{
	struct schedule back;
	struct error e = {""};
	/* A copy of the exact size lets the sanitizer see a read beyond the end. */
	struct bytes copy = {.data = must_alloc(file->size), .size = file->size};

	memcpy(copy.data, file->data, file->size);
	bool noticed = !schedule_decode("s", &copy, &back, &e) && e.text[0] && !strchr(e.text, '\n') && !back.whole;
	noticed = noticed && back.count <= length &&
	          !memcmp(truth, back.count ? back.entries : truth, back.count * sizeof *truth);
	schedule_free(&back);
	bytes_free(&copy);
	return noticed;
}

static void schedule_damage(void)
{
	uint64_t length = 4096 + 20;
	struct schedule_entry *s = make_schedule(length);
	struct bytes file = schedule_encode(s, length);
	bool flips = true, cuts = true;

	/* All of the headers and of the short last blocks, every seventh byte in between. */
	for (size_t i = 0; i < file.size; i += i < 64 || i > file.size - 300 ? 1 : 7) {
		uint8_t bit = (uint8_t)(1u << i % 8);
		file.data[i] ^= bit;
		flips = flips && notices(&file, s, length);
		file.data[i] ^= bit;
	}
	check(flips, "a flipped bit in a schedule is noticed", "one was not");
	struct bytes cut = file;
	/* Every cut near the borders of the blocks, some in between. */
	for (cut.size = 0; cut.size < file.size; cut.size += cut.size < 64 || cut.size > file.size - 200 ? 1 : 97)
		cuts = cuts && notices(&cut, s, length);
	check(cuts, "a schedule that is cut off is noticed", "one cut was not");
	bytes_add(&file, "x", 1);
	check(notices(&file, s, length), "bytes behind a schedule are noticed", "they were not");
	bytes_free(&file);
	free(s);
}

static void small_schedule_damage(void)
{
	struct schedule_entry *s = make_schedule(5);
	struct bytes file = schedule_encode(s, 5);
	bool ok = true;

	for (size_t i = 0; i < file.size; i++)
		for (int value = 1; value < 256; value++) {
			file.data[i] ^= (uint8_t)value;
			ok = ok && notices(&file, s, 5);
			file.data[i] ^= (uint8_t)value;
		}
	check(ok, "every other byte at every place of a small schedule is noticed", "one was not");
	bytes_free(&file);
	free(s);
}

static void schedule_says_which_block(void)
{
	struct schedule_entry *s = make_schedule(10000);
	struct bytes file = schedule_encode(s, 10000);
	struct schedule back;
	struct error e = {""};

	file.data[file.size - 100] ^= 1;
	bool ok = !schedule_decode("here", &file, &back, &e) && back.count == 8192 && strstr(e.text, "here: block 3") &&
	          strstr(e.text, "8192 entries");
	check(ok, "a damaged block is named, with the entries before it", e.text);
	schedule_free(&back);
	free(s);
	bytes_free(&file);
}

/* Whether the first bytes of a growing file have the entries and the mark that those bytes complete. */
static bool is_good_until(const struct bytes *file, size_t size, uint64_t entries, struct schedule_mark mark)
{
	struct bytes cut = {.data = must_alloc(size), .size = size};
	struct schedule back;
	struct error e = {""};

	memcpy(cut.data, file->data, size);
	bool whole = schedule_decode("s", &cut, &back, &e);
	struct schedule_mark last = schedule_mark_within(&back, UINT64_MAX);
	bool ok = whole == (size == file->size) && back.whole == whole && back.usable == (size >= 12) &&
	          back.count == entries && last.point == mark.point && last.log == mark.log;
	schedule_free(&back);
	bytes_free(&cut);
	return ok;
}

static void schedule_that_grows(void)
{
	static const uint64_t counts[] = {3, 0, 1, 40, 0};
	struct schedule_mark mark = {0}, before = {0};
	struct schedule_entry *s = make_schedule(44);
	struct schedule_writer w;
	struct bytes file = {0};
	struct error e = {""};
	size_t at[6] = {0};
	uint64_t entries = 0;
	bool ok = schedule_create(&w, "/tmp/omen-unit-schedule", &e);

	for (size_t i = 0; i < 5 && ok; i++) {
		mark = (struct schedule_mark){100 * (i + 1), 1000 * (i + 1)};
		at[i] = w.offset;
		ok = schedule_append(&w, s + entries, counts[i], &mark, &e);
		entries += counts[i];
	}
	at[5] = w.offset;
	ok = ok && schedule_finish(&w, &e) && file_read(w.path, 1 << 20, &file, &e);
	mark = before;
	entries = 0;
	for (size_t size = 0, i = 0; size <= file.size && ok; size++) {
		while (i < 5 && size >= at[i + 1]) {
			entries += counts[i];
			mark = (struct schedule_mark){100 * (i + 1), 1000 * (i + 1)};
			i++;
		}
		ok = is_good_until(&file, size, entries, mark);
	}
	check(ok, "a schedule that grows can be cut anywhere", e.text);
	struct schedule back;
	schedule_decode("s", &file, &back, &e);
	ok = back.nmarks == 5;
	for (uint64_t log = 0; log < 6000 && ok; log += 250)
		ok = schedule_mark_within(&back, log).point == 100 * (log / 1000 < 5 ? log / 1000 : 5);
	check(ok, "a mark counts only with its part of the log", "one counted without");
	schedule_free(&back);
	/* swap the second and the third block, which have the same form */
	struct bytes swapped = {0};
	bytes_add(&swapped, file.data, at[1]);
	bytes_add(&swapped, file.data + at[2], at[3] - at[2]);
	bytes_add(&swapped, file.data + at[1], at[2] - at[1]);
	bytes_add(&swapped, file.data + at[3], file.size - at[3]);
	check(!schedule_decode("s", &swapped, &back, &e) && back.count == 3 && strstr(e.text, "block 2"),
	      "swapped blocks of a schedule are noticed", e.text);
	schedule_free(&back);
	bytes_free(&swapped);
	bytes_free(&file);
	unlink(w.path);
	schedule_close(&w);
	free(s);
}

static bool reads(const char *text, size_t size)
{
	struct error e = {""};
	char *copy = must_alloc(size + 1);

	memcpy(copy, text, size);
	struct json *j = json_read(copy, size, &e);
	json_free(j);
	free(copy);
	return j;
}

static void json_table(void)
{
	static const char *const good[] = {
	        "null",
	        " true ",
	        "0",
	        "-1.5e+3",
	        "\"\"",
	        "[]",
	        "{}",
	        "[1,[2,{\"a\":\"\\u00e9\\ud83d\\ude00\"}]]",
	        "{\"a\": 1, \"b\": [false]}",
	        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
	        "\"\xc3\xa9\"",
	};
	static const char *const bad[] = {
	        "",
	        " ",
	        "nul",
	        "tru",
	        "01",
	        "1.",
	        "-",
	        "+1",
	        ".5",
	        "1e",
	        "\"",
	        "\"\\x\"",
	        "\"\\u12\"",
	        "\"\\ud800\"",
	        "\"\\udc00\"",
	        "\"\\u0000\"",
	        "\"\n\"",
	        "\"\xff\"",
	        "\"\xc3\"",
	        "[",
	        "[1",
	        "[1,]",
	        "[1 2]",
	        "{",
	        "{\"a\"}",
	        "{\"a\":}",
	        "{\"a\":1,}",
	        "{a:1}",
	        "{\"a\":1,\"a\":2}",
	        "1 2",
	        "[]]",
	        "'a'",
	        "NaN",
	        "// c",
	};

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (!reads(good[i], strlen(good[i])))
			check(false, "valid JSON is read", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (reads(bad[i], strlen(bad[i])))
			check(false, "invalid JSON is refused", bad[i]);
	check(true, "the JSON reader takes what is valid and nothing else", "");
	char deep[1000];
	memset(deep, '[', sizeof deep);
	check(!reads(deep, sizeof deep), "JSON nested without end is refused", "it was not");
}

static void json_round_trip(void)
{
	bool ok = true;

	for (int i = 0; i < 20000; i++) {
		char bytes[16], *text = NULL;
		size_t size = number() % sizeof bytes, length = 0;
		struct error e = {""};
		for (size_t k = 0; k < size; k++)
			while (!(bytes[k] = (char)(number() % 3 ? number() : 0xe0 + number() % 32)))
				;
		bytes[size] = 0;
		struct json_writer w = {.out = open_memstream(&text, &length)};
		json_open(&w, NULL, '[');
		json_string(&w, NULL, bytes);
		json_close(&w, ']');
		fclose(w.out);
		struct json *j = json_read(text, length, &e);
		ok = ok && j && !strcmp(j->first->text, bytes);
		json_free(j);
		free(text);
	}
	check(ok, "any bytes survive JSON", "some did not");
}

static char directory[] = "/tmp/omen-unit-XXXXXX";

static struct manifest sample(void)
{
	static char *argv[] = {"./prog", "a b", "\xff\"\n", NULL}, *env[] = {"A=1", "OMEN_BOARD=1000", NULL};

	return (struct manifest){
	        .program = "/x/prog",
	        .path = "./prog",
	        .build_id = "12ab",
	        .cwd = "/x",
	        .argv = argv,
	        .env = env,
	        .input = STREAM_TERMINAL,
	        .has_stdin = true,
	        .strategy = {STRATEGY_PCT, 5, 12345},
	        .seed = UINT64_MAX,
	        .access_points = true,
	        .memory = {.model = MEMORY_C11,
	                   .reads = READS_OLDEST,
	                   .cxx20 = 1,
	                   .ordered = 1,
	                   .volatiles = 1,
	                   .history = 9},
	        .event_budget = 7,
	        .timeout_ms = 8,
	        .ending = ENDING_DEADLOCK,
	        .status = 6,
	        .signature = 0xfedcba9876543210,
	        .points = 99,
	        .event_hash = 0xfedcba9876543217,
	        .message = "all wait",
	        .races = true,
	        .race = "9f3c",
	        .watch = {0xfedcba9876543218, 0xf0},
	        .race_site = {0x1000, 0xfedcba9876543210},
	        .race_flags = {ACCESS_WRITE, ACCESS_FREE},
	};
}

static void manifest_tests(void)
{
	struct manifest m = sample(), back;
	struct error e = {""};
	struct bytes file;
	char *path = must_format("%s/manifest.json", directory);
	bool ok = manifest_write(path, &m, &e) && manifest_read(path, &back, &e);

	ok = ok && back.seed == m.seed && back.signature == m.signature && back.ending == m.ending &&
	     back.event_hash == m.event_hash && back.status == m.status && back.strategy.id == STRATEGY_PCT &&
	     back.strategy.depth == 5 && back.strategy.length == 12345 && back.input == STREAM_TERMINAL &&
	     back.has_stdin && back.access_points && !strcmp(back.argv[2], m.argv[2]) && !back.argv[3] &&
	     !strcmp(back.env[1], m.env[1]) && !strcmp(back.message, m.message) && back.races &&
	     !strcmp(back.race, m.race) && !memcmp(&back.watch, &m.watch, sizeof m.watch) &&
	     !memcmp(back.race_site, m.race_site, sizeof m.race_site) &&
	     !memcmp(back.race_flags, m.race_flags, sizeof m.race_flags) &&
	     !memcmp(&back.memory, &m.memory, sizeof m.memory);
	check(ok, "a manifest is read as it was written", e.text);
	manifest_free(&back);

	ok = file_read(path, 1 << 20, &file, &e);
	for (int i = 0; i < 2000 && ok; i++) {
		struct bytes copy = {0};
		bytes_add(&copy, file.data, file.size);
		for (uint64_t k = 1 + number() % 4; k--;)
			copy.data[number() % copy.size] = (uint8_t)number();
		if (number() % 4 == 0)
			copy.size = number() % copy.size;
		ok = file_write(path, copy.data, copy.size, &e);
		if (manifest_read(path, &back, &e))
			manifest_free(&back);
		else
			ok = ok && e.text[0] && !strchr(e.text, '\n');
		bytes_free(&copy);
	}
	check(ok, "a damaged manifest gives a line or a manifest, never a crash", e.text);
	bytes_free(&file);
	remove(path);
	remove(directory);
	free(path);
}

static void strategy_table(void)
{
	static const struct {
		const char *text, *back;
	} rows[] = {{"fair", "fair"},   {"random", "random"}, {"mixed", "mixed"}, {"pct", "pct:3"}, {"pct:1", "pct:1"},
	            {"queue", "queue"}, {"pct:", NULL},       {"pct:0", NULL},  {"pct:x", NULL},
	            {"fair:2", NULL},   {"", NULL},           {"fai", NULL}};
	char back[32];
	bool ok = true;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct strategy_config s;
		bool known = strategy_parse(rows[i].text, &s);
		if (known)
			strategy_format(&s, back, sizeof back);
		ok = ok && known == !!rows[i].back && (!known || !strcmp(back, rows[i].back));
	}
	check(ok, "strategies have their names", "one has not");
}

static void suppression_table(void)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} rows[] = {
	        {"foo", "foo", true},       {"foo", "a::foobar", true},
	        {"foo", "fo", false},       {"^foo", "foobar", true},
	        {"^foo", "afoo", false},    {"foo$", "a::foo", true},
	        {"foo$", "foobar", false},  {"^foo$", "foo", true},
	        {"^foo$", "foofoo", false}, {"a*b", "xaybz", true},
	        {"a*b", "ba", false},       {"^a*b$", "a12b", true},
	        {"^a*b$", "a12bc", false},  {"a*a", "a", false},
	        {"*", "x", true},           {"*", "", false},
	        {"a**b", "ab", true},       {"foo*$", "foobar", true},
	        {"a*b$", "abab", true},     {"lib*.so", "libx.so.1", true},
	        {"ab$", "b", false},        {"^a*aa$", "aa", false},
	        {"x*y*z", "xyxyz", true},   {"std::", "std::vector", true},
	};
	bool ok = true;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (suppression_matches(rows[i].pattern, rows[i].name) != rows[i].matches) {
			printf("pattern %s, name %s\n", rows[i].pattern, rows[i].name);
			ok = false;
		}
	check(ok, "suppressions match as ThreadSanitizer's", "one does not");
}

static void suppression_lines(void)
{
	static const struct {
		const char *text, *wrong; /* NULL: nothing */
		size_t count;
	} rows[] = {
	        {"", NULL, 0},
	        {"race:foo\nrace_top:bar\ncalled_from_lib:libz.so\n", NULL, 3},
	        {"# a comment\n\n  race:foo  \r\n\t# more\n", NULL, 1},
	        {"deadlock:a\nthread:b\nmutex:c\nsignal:d", NULL, 4},
	        {"race:a::b::c", NULL, 1},
	        {"race:foo\nrase:bar\n", "file: line 2 has an unknown type rase", 1},
	        {"foo\n", "file: line 1 is not type:pattern: foo", 0},
	        {"\n\nrace:", "file: line 3 has no pattern after race:", 0},
	};
	bool ok = true;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct suppressions s = {0};
		struct error e = {{0}};
		bool read = suppressions_read(&s, "file", rows[i].text, &e);
		if (read != !rows[i].wrong || s.count != rows[i].count || (!read && !strstr(e.text, rows[i].wrong))) {
			printf("line %zu: %zu read, %s\n", i, s.count, e.text);
			ok = false;
		}
		suppressions_free(&s);
	}
	check(ok, "suppression files are read, wrong ones named by line", "one is not");
}

/* The column of ^ in the second string. */
static void expression_table(void)
{
	static const struct {
		const char *line, *column, *expression; /* NULL: no error */
		bool write;
	} rows[] = {
	        {"counter++;", "       ^", "counter", true},
	        {"counter++;", "       ^", "counter", false},
	        {"++counter;", "^", "counter", true},
	        {"++ *p;", "^", "*p", true},
	        {"if (it->refcount == 0)", "        ^", "it->refcount", false},
	        {"if (it->refcount == 0)", "    ^", "it", false},
	        {"a.b[i + 1].c = 3;", "             ^", "a.b[i + 1].c", true},
	        {"a.b[i + 1].c = 3;", "             ^", NULL, false},
	        {"*p = 3;", "   ^", "*p", true},
	        {"x = *p;", "    ^", "*p", false},
	        {"x = *p++;", "    ^", NULL, false},
	        {"*p++ = 1;", "     ^", NULL, true},
	        {"x = t[i];", "    ^", NULL, false},
	        {"f(x);", "^", NULL, false},
	        {"f(x);", "  ^", "x", false},
	        {"return total;", "       ^", "total", false},
	        {"return total;", "^", NULL, false},
	        {"f()->x = 1;", "       ^", NULL, true},
	        {"(*q).x = 1;", "       ^", NULL, true},
	        {"sum += n;", "    ^", "sum", true},
	        {"m[f(1)] = 2;", "        ^", NULL, true},
	        {"ns::count = 1;", "          ^", "ns::count", true},
	        {"x", "     ^", NULL, false},
	        {"", "^", NULL, false},
	};
	bool ok = true;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char out[64] = "";
		bool said = source_expression(rows[i].line, (unsigned)strlen(rows[i].column), rows[i].write, out,
		                              sizeof out);
		if (said != !!rows[i].expression || (said && strcmp(out, rows[i].expression))) {
			printf("%s: %s\n", rows[i].line, said ? out : "nothing");
			ok = false;
		}
	}
	check(ok, "what is accessed is read from the line, or nothing is said", "not so");
}

int main(void)
{
	if (!mkdtemp(directory))
		return 1;
	schedule_round_trip();
	schedule_damage();
	small_schedule_damage();
	schedule_says_which_block();
	schedule_that_grows();
	json_table();
	json_round_trip();
	manifest_tests();
	strategy_table();
	suppression_table();
	suppression_lines();
	expression_table();
	return failures ? 1 : 0;
}
