/*
 * The container of the log: a reader gets back what was written, and of a damaged file exactly what precedes the damage.
 * Run it with AddressSanitizer: its hooks report how much memory a reader asks for.
 */
#include <sanitizer/allocator_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "format/blocks.h"

#define KIB     (1ul << 10)
#define FOREVER SIZE_MAX

static int failures;
static char directory[] = "/tmp/omen-blocks-XXXXXX", path[64];

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

static size_t largest; /* memory asked for at once */

static void note_size(const volatile void *p, size_t size)
{
	(void)p;
	largest = size > largest ? size : largest;
}

static void note_nothing(const volatile void *p) { (void)p; }

static struct bytes make_data(size_t size, bool random)
{
	struct bytes b = {.data = must_alloc(size), .size = size};

	for (size_t i = 0; i < size; i++)
		b.data[i] = (uint8_t)(random ? number() : i / 100 + i % 7);
	return b;
}

static bool same(const struct bytes *a, const struct bytes *b)
{
	return a->size == b->size && (!a->size || !memcmp(a->data, b->data, a->size));
}

/* A new file each time: some file systems flush a file to the disk that is cut to nothing and written again. */
static bool put_file(const void *data, size_t size, struct error *e)
{
	unlink(path);
	return file_write(path, data, size, e);
}

static bool is_prefix(const struct bytes *a, const struct bytes *b)
{
	return a->size <= b->size && (!a->size || !memcmp(a->data, b->data, a->size));
}

/* Round trips. */

static bool append_in_pieces(struct blocks_writer *w, const struct bytes *data, struct error *e)
{
	bool ok = true;

	for (size_t at = 0; at < data->size && ok;) {
		size_t n = number() % (number() % 4 ? 5000 : 300 * KIB);
		n = n < data->size - at ? n : data->size - at;
		ok = blocks_append(w, data->data + at, n, e) && (number() % 8 || blocks_flush(w, e));
		at += n;
	}
	return ok;
}

static bool comes_back(const struct bytes *data, bool pieces, struct error *e)
{
	struct blocks_writer w;
	struct bytes back = {0};
	bool complete = false;
	bool ok = blocks_create(&w, path, e) &&
	          (pieces ? append_in_pieces(&w, data, e) : blocks_append(&w, data->data, data->size, e)) &&
	          blocks_finish(&w, e) && blocks_read(path, FOREVER, &back, &complete, e) && complete &&
	          same(&back, data);

	bytes_free(&back);
	return ok;
}

static void round_trips(void)
{
	static const size_t sizes[] = {0, 1, 255 * KIB, 256 * KIB, 1024 * KIB + 1};
	struct error e = {"not the same"};
	struct stat st[2];

	for (int random = 0; random < 2; random++) {
		bool ok = true;
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			struct bytes data = make_data(sizes[i], random);
			ok = ok && comes_back(&data, true, &e) && comes_back(&data, false, &e);
			bytes_free(&data);
		}
		check(ok, random ? "random bytes come back" : "compressible bytes come back", e.text);
		stat(path, &st[random]);
	}
	check((size_t)st[0].st_size < 20 * KIB, "what can be compressed is", "it is not");
	check((size_t)st[1].st_size == 12 + 6 * 20 + 16 + 1024 * KIB + 1, "what cannot costs 20 bytes a block", "more");
}

/* Damage. */

/* A small file of several blocks, its contents, and where its blocks end. */
static struct {
	struct bytes file, data;
	size_t blocks, end[16], raw[16];
} sample;

static bool make_sample(struct error *e)
{
	struct blocks_writer w;
	struct bytes parts[] = {make_data(700, false), make_data(60, true), make_data(1, true), make_data(2500, false),
	                        make_data(300, true)};
	size_t n = sizeof parts / sizeof parts[0];
	bool ok = blocks_create(&w, path, e);

	for (size_t i = 0; i < n && ok; i++) {
		ok = blocks_append(&w, parts[i].data, parts[i].size, e) && blocks_flush(&w, e) && blocks_flush(&w, e);
		bytes_add(&sample.data, parts[i].data, parts[i].size);
		sample.end[i] = w.offset;
		sample.raw[i] = w.written;
		bytes_free(&parts[i]);
	}
	sample.blocks = n;
	return ok && blocks_finish(&w, e) && file_read(path, FOREVER - 1, &sample.file, e);
}

static void cuts(void)
{
	struct error e = {""};
	bool ok = true;

	for (size_t size = 0; size < sample.file.size && ok; size++) {
		struct bytes back = {0};
		bool complete = true;
		size_t good = 0;
		char said[64];

		for (size_t i = 0; i < sample.blocks && sample.end[i] <= size; i++)
			good = sample.raw[i];
		ok = put_file(sample.file.data, size, &e);
		bool usable = ok && blocks_read(path, FOREVER, &back, &complete, &e);
		ok = ok && usable == (size >= 12) && !complete && back.size == good && is_prefix(&back, &sample.data);
		snprintf(said, sizeof said, "the %zu bytes before", good);
		ok = ok && strstr(e.text, path) && strstr(e.text, usable ? said : "its header: cut off");
		bytes_free(&back);
	}
	check(ok, "every cut leaves the blocks before it", e.text);
}

static void mutate(struct bytes *b)
{
	struct bytes old = {0};
	size_t at = number() % b->size, n = 1 + number() % (b->size - at), to = number() % b->size;

	if (number() % 2)
		n = n < 40 ? n : 1 + number() % 40;
	bytes_add(&old, b->data, b->size);
	switch (number() % 6) {
	case 0:
		b->data[at] ^= (uint8_t)(1u << number() % 8);
		break;
	case 1:
		b->data[at] = (uint8_t)number();
		break;
	case 2:
		b->size = at;
		break;
	case 3: /* a range twice */
		b->size = at + n;
		bytes_add(b, old.data + at, old.size - at);
		break;
	case 4: /* a range copied over another */
		n = n < b->size - to ? n : b->size - to;
		memcpy(b->data + to, old.data + at, n);
		break;
	default: { /* neighbouring blocks, or ranges, swapped */
		size_t i = number() % (sample.blocks - 1), start = i ? sample.end[i - 1] : 12, middle = sample.end[i],
		       end = sample.end[i + 1];
		if (number() % 2 || end > old.size)
			start = at, middle = at + n / 2, end = at + n;
		b->size = start;
		bytes_add(b, old.data + middle, end - middle);
		bytes_add(b, old.data + start, middle - start);
		bytes_add(b, old.data + end, old.size - end);
	}
	}
	bytes_free(&old);
}

/* Whether the reader handles the file correctly; it differs from the sample. */
static bool is_noticed(struct error *e)
{
	struct bytes back;
	bool complete, usable;

	e->text[0] = 0;
	largest = 0;
	usable = blocks_read(path, FOREVER, &back, &complete, e);
	bool ok = !complete && (usable || !back.size) && is_prefix(&back, &sample.data) && e->text[0] &&
	          largest < 1024 * KIB;
	bytes_free(&back);
	return ok;
}

static void mutations(void)
{
	struct error e = {""};
	bool ok = true;
	int same_again = 0;

	for (int i = 0; i < 10000 && ok; i++) {
		struct bytes b = {0};
		bytes_add(&b, sample.file.data, sample.file.size);
		for (uint64_t n = 1 + number() % 3; n && b.size; n--)
			mutate(&b);
		if (same(&b, &sample.file))
			same_again++;
		else
			ok = put_file(b.data, b.size, &e) && is_noticed(&e);
		bytes_free(&b);
	}
	check(ok && same_again < 1000, "10000 mutations are noticed, what comes before is good", e.text);
}

/* Files made by hand: correct by docs/format.md, and with lies that the checksum covers. */

static uint64_t documented_hash(uint64_t h, const uint8_t *p, size_t size)
{
	for (; size >= 8; size -= 8, p += 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = (h ^ word) * 0x9fb21c651e98df25u;
		h ^= h >> 29;
	}
	for (; size; size--)
		h = (h ^ *p++) * 0x100000001b3u;
	return h;
}

struct lie {
	const char *name, *said; /* said NULL: it is correct */
	uint32_t kind, raw, stored;
	const char *payload;
	uint32_t payload_size;
	uint64_t total, blocks;
};

static void write_by_hand(const struct lie *l)
{
	uint8_t end[16];
	uint32_t version = 2, headers[2][3] = {{l->kind, l->raw, l->stored}, {2, 16, 16}};
	uint64_t sum = 0xcbf29ce484222325u;
	struct bytes b = {0};
	struct error e;

	memcpy(end, &l->total, 8);
	memcpy(end + 8, &l->blocks, 8);
	bytes_add(&b, "OMENLOG\n", 8);
	bytes_add(&b, &version, 4);
	for (int i = 0; i < 2; i++) {
		const void *payload = i ? (const void *)end : l->payload;
		size_t size = i ? sizeof end : l->payload_size;
		sum = documented_hash(documented_hash(sum, (void *)headers[i], 12), payload, size);
		bytes_add(&b, headers[i], 12);
		bytes_add(&b, &sum, 8);
		bytes_add(&b, payload, size);
	}
	put_file(b.data, b.size, &e);
	bytes_free(&b);
}

static void lies(void)
{
	char text[1000] = "", small[100];
	uint32_t n = (uint32_t)ZSTD_compress(small, sizeof small, text, sizeof text, 3);
	const struct lie all[] = {
	        {"stored as it is", NULL, 1, 5, 5, "hello", 5, 5, 1},
	        {"compressed", NULL, 1, 1000, n, small, n, 1000, 1},
	        {"an unknown kind", "header", 3, 5, 5, "hello", 5, 5, 1},
	        {"4 GiB of raw bytes", "header", 1, UINT32_MAX, n, small, n, 1000, 1},
	        {"one byte too many in a block", "header", 1, BLOCKS_RAW_MAX + 1, n, small, n, 1000, 1},
	        {"more stored than raw bytes", "header", 1, 4, 5, "hello", 5, 4, 1},
	        {"an empty block", "header", 1, 0, 0, "", 0, 0, 1},
	        {"fewer raw bytes than there are", "not zstd", 1, 999, n, small, n, 999, 1},
	        {"more raw bytes than there are", "not zstd", 1, 1001, n, small, n, 1001, 1},
	        {"bytes that are not zstd's", "not zstd", 1, 6, 5, "hello", 5, 6, 1},
	        {"another total", "wrong totals", 1, 5, 5, "hello", 5, 6, 1},
	        {"another number of blocks", "wrong totals", 1, 5, 5, "hello", 5, 5, 2},
	        {"an end with another size", "wrong totals", 2, 5, 5, "hello", 5, 0, 0},
	        {"a second end", "bytes behind the end", 2, 16, 16, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 0, 0},
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct bytes back;
		struct error e = {"no error"};
		bool complete = false;
		write_by_hand(&all[i]);
		largest = 0;
		bool usable = blocks_read(path, FOREVER, &back, &complete, &e);
		check(usable && complete == !all[i].said && (complete || strstr(e.text, all[i].said)) &&
		              (!complete || back.size == all[i].raw) && largest < 1024 * KIB,
		      all[i].name, e.text);
		bytes_free(&back);
	}
}

static void refusals(void)
{
	static const struct {
		const char *name, *said, *bytes;
		size_t size;
	} all[] = {
	        {"an empty file is refused", "its header: cut off", "", 0},
	        {"another file is refused", "not a log of Omen", "OMENSCH\n\1\0\0\0", 12},
	        {"another version is refused", "log format 1, this omen reads 2", "OMENLOG\n\1\0\0\0", 12},
	};
	struct bytes back;
	struct error e = {""};
	bool complete;

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		check(put_file(all[i].bytes, all[i].size, &e) && !blocks_read(path, FOREVER, &back, &complete, &e) &&
		              !complete && strstr(e.text, all[i].said) && strstr(e.text, path),
		      all[i].name, e.text);
	check(!blocks_read("/nowhere/log", FOREVER, &back, &complete, &e) && strstr(e.text, "No such file"),
	      "a missing file is refused", e.text);
	check(!blocks_read(directory, FOREVER, &back, &complete, &e) && strstr(e.text, "Is a directory"),
	      "a directory is refused", e.text);
}

/* Limits. */

static void limits(void)
{
	struct error e = {"not so"};
	bool ok = put_file(sample.file.data, sample.file.size, &e);

	for (size_t limit = 0; limit < sample.data.size + 3 && ok; limit++) {
		struct bytes back = {0};
		bool complete;
		ok = blocks_read(path, limit, &back, &complete, &e) && complete == (limit >= sample.data.size) &&
		     back.size == (complete ? sample.data.size : limit) && is_prefix(&back, &sample.data) &&
		     (complete || strstr(e.text, "beyond the limit"));
		bytes_free(&back);
	}
	check(ok, "no more is read than was asked for", e.text);
}

/* Writes until the file cannot grow any more. */
static bool survives(size_t size, const struct bytes *data, struct error *e)
{
	struct rlimit old, small;
	struct blocks_writer w;
	struct error again = {""}, ignored;
	struct bytes back = {0};
	struct stat st;
	bool complete = true, ok = true;

	getrlimit(RLIMIT_FSIZE, &old);
	small = (struct rlimit){size, old.rlim_max};
	setrlimit(RLIMIT_FSIZE, &small);
	if (!blocks_create(&w, path, e)) {
		setrlimit(RLIMIT_FSIZE, &old);
		return size < 12 && w.fd < 0 && !stat(path, &st);
	}
	while (ok)
		ok = blocks_append(&w, data->data, data->size, e);
	uint64_t offset = w.offset, written = w.written;
	setrlimit(RLIMIT_FSIZE, &old);
	/* There is room again, but a writer that failed stays failed. */
	ok = !blocks_append(&w, "x", 1, &again) && !strcmp(again.text, e->text) && !blocks_flush(&w, &again) &&
	     !blocks_finish(&w, &again) && !strcmp(again.text, e->text) && w.fd < 0;
	ok = ok && !stat(path, &st) && (uint64_t)st.st_size == offset && offset <= size && strstr(e->text, path) &&
	     strstr(e->text, "File too large");
	ok = ok && blocks_read(path, FOREVER, &back, &complete, &ignored) && !complete && back.size == written;
	for (size_t at = 0; at < back.size && ok; at += data->size)
		ok = !memcmp(back.data + at, data->data, data->size < back.size - at ? data->size : back.size - at);
	bytes_free(&back);
	return ok;
}

static void full_disk(void)
{
	static const size_t sizes[] = {0, 5, 12, 13, 32, 1000, 300 * KIB, 524 * KIB + 100, 2000 * KIB};
	struct bytes data = make_data(100 * KIB, true);
	struct blocks_writer w;
	struct error e = {""};
	bool ok = true;

	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && ok; i++)
		ok = survives(sizes[i], &data, &e);
	check(ok, "a full disk is told in one line and leaves whole blocks", e.text);
	check(!blocks_create(&w, "/dev/full", &e) && strstr(e.text, "No space left") && w.fd < 0,
	      "no room for the header is told", e.text);
	check(!blocks_create(&w, "/nowhere/log", &e) && strstr(e.text, "No such file") && w.fd < 0,
	      "a directory that is not there is told", e.text);
	bytes_free(&data);
}

static void abandoned(void)
{
	struct blocks_writer w;
	struct bytes back = {0};
	struct error e = {"not so"};
	bool complete = true;
	bool ok = blocks_create(&w, path, &e) && blocks_append(&w, "kept", 4, &e) && blocks_flush(&w, &e) &&
	          blocks_append(&w, "lost", 4, &e);

	blocks_abandon(&w);
	check(ok && blocks_read(path, FOREVER, &back, &complete, &e) && !complete && back.size == 4 &&
	              !memcmp(back.data, "kept", 4),
	      "what was flushed is kept without an end", e.text);
	bytes_free(&back);
}

int main(void)
{
	struct error e = {""};

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!mkdtemp(directory))
		return 1;
	snprintf(path, sizeof path, "%s/log", directory);
	__sanitizer_install_malloc_and_free_hooks(note_size, note_nothing);
	round_trips();
	check(make_sample(&e), "a sample is written", e.text);
	cuts();
	mutations();
	lies();
	refusals();
	limits();
	full_disk();
	abandoned();
	bytes_free(&sample.file);
	bytes_free(&sample.data);
	unlink(path);
	rmdir(directory);
	return failures ? 1 : 0;
}
