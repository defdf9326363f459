/*
 * fuzz OMEN COUNT SEED RECORDING...: gives OMEN this many damaged copies of recordings. Whatever is wrong with a copy,
 * omen says so in one line, in time, without a crash and without much memory. Some damage changes bytes of the files;
 * the rest changes their contents and keeps the checksums right, so that it reaches the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/blocks.h"
#include "format/schedule.h"
#include "abi/world_log.h"

#define LIMIT      (64ul << 20)
#define PATIENCE   30            /* seconds */
#define MEMORY_KIB (1500l << 10) /* includes what AddressSanitizer needs */

extern char **environ;

enum file { MANIFEST, SCHEDULE, LOG, STDIN, REPORT, FILES };
static const char *const names[FILES] = {"manifest.json", "schedule", "log", "stdin", "report.json"};

struct recording {
	struct bytes file[FILES];
	bool has[FILES];
};

static uint64_t state;

static uint64_t number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t below(uint64_t n) { return n ? number() % n : 0; }

/* Numbers at the limits, or random ones. */
static uint64_t bad_number(uint64_t was)
{
	static const uint64_t edges[] = {
	        0,         1,         2,          7,         255,        4095,       4096,
	        65535,     INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, 1ul << 32,  1ul << 36,
	        1ul << 47, 1ul << 63, 0 - 4095ul, 0 - 11ul,  1000,       BOARD_SIZE, BOARD_ADDRESS};

	switch (below(4)) {
	case 0:
		return was + 1 - below(3);
	case 1:
		return was ^ 1ul << below(64);
	case 2:
		return number();
	default:
		return edges[below(sizeof edges / sizeof edges[0])];
	}
}

/* Damage to bytes. */

static void exchange(struct bytes *b, size_t at, size_t removed, const void *added, size_t size)
{
	struct bytes out = {0};

	bytes_add(&out, b->data, at);
	bytes_add(&out, added, size);
	bytes_add(&out, b->data + at + removed, b->size - at - removed);
	bytes_free(b);
	*b = out;
}

static void damage_bytes(struct bytes *b)
{
	size_t at = below(b->size), n = 1 + below(b->size - at);
	uint8_t junk[64];

	if (!b->size)
		return;
	n = below(2) && n > 40 ? 1 + below(40) : n;
	for (size_t i = 0; i < sizeof junk; i++)
		junk[i] = (uint8_t)number();
	switch (below(7)) {
	case 0:
		b->data[at] ^= (uint8_t)(1u << below(8));
		break;
	case 1:
		b->data[at] = (uint8_t)number();
		break;
	case 2:
		b->size = at;
		break;
	case 3: {
		struct bytes copy = {0};
		bytes_add(&copy, b->data + at, n);
		exchange(b, below(b->size), 0, copy.data, n);
		bytes_free(&copy);
		break;
	}
	case 4:
		exchange(b, at, n, NULL, 0);
		break;
	case 5:
		exchange(b, at, 0, junk, 1 + below(sizeof junk));
		break;
	default: { /* a number of 4 or 8 bytes */
		uint64_t v = 0;
		size_t size = below(2) && b->size - at >= 8 ? 8 : 4;
		if (b->size - at < size)
			break;
		memcpy(&v, b->data + at, size);
		v = bad_number(v);
		memcpy(b->data + at, &v, size);
	}
	}
}

/* Damage to what the files mean. */

/* The values of the manifest stand one on a line, or in lists. */
static void damage_manifest(struct bytes *b)
{
	static const char *const values[] = {"0",
	                                     "-1",
	                                     "1e400",
	                                     "18446744073709551615",
	                                     "18446744073709551616",
	                                     "null",
	                                     "true",
	                                     "[]",
	                                     "{}",
	                                     "\"\"",
	                                     "\"none\"",
	                                     "\"cut\"",
	                                     "\"timeout\"",
	                                     "\"fair\"",
	                                     "\"pct:3\"",
	                                     "\"c11\"",
	                                     "\"exploration\"",
	                                     "\"\\u0000\"",
	                                     "\"\xff\"",
	                                     "\"0xffffffffffffffff\"",
	                                     "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
	                                     "4294967296"};
	size_t start = below(b->size), end;
	char number_text[32];

	while (start && b->data[start - 1] != '\n')
		start--;
	for (end = start; end < b->size && b->data[end] != '\n';)
		end++;
	if (below(6) == 0) {
		exchange(b, start, end - start + (end < b->size), NULL, 0);
		return;
	}
	const uint8_t *colon = memchr(b->data + start, ':', end - start);
	if (colon)
		start = (size_t)(colon + 1 - b->data);
	if (end > start && b->data[end - 1] == ',')
		end--;
	const char *value = values[below(sizeof values / sizeof values[0])];
	if (below(3) == 0) {
		snprintf(number_text, sizeof number_text, "%lu", (unsigned long)bad_number(5));
		value = number_text;
	}
	exchange(b, start, end - start, value, strlen(value));
}

static void damage_entry(struct schedule_entry *s)
{
	switch (below(6)) {
	case 0:
		s->point = bad_number(s->point);
		break;
	case 1:
		s->kind = (uint32_t)below(3);
		break;
	case 2:
		s->chosen = (uint32_t)(below(2) ? below(6) : bad_number(s->chosen));
		break;
	case 3:
		s->from = (uint32_t)bad_number(s->from);
		break;
	case 4:
		s->blocked = !s->blocked;
		break;
	default:
		s->where = bad_number(s->where);
	}
}

/* Writes it again in the recorded format, with other marks, or without its end. */
static bool damage_schedule(struct bytes *b, const char *aside)
{
	struct schedule_writer w;
	struct schedule s;
	struct error e;

	schedule_decode("the schedule", b, &s, &e);
	for (uint64_t n = 1 + below(3); n && s.count; n--) {
		uint64_t i = below(s.count), k = below(s.count);
		struct schedule_entry other = s.entries[k];
		switch (below(5)) {
		case 0:
			s.entries[k] = s.entries[i];
			s.entries[i] = other;
			break;
		case 1:
			s.entries[i] = other;
			break;
		case 2:
			s.count = i;
			break;
		default:
			damage_entry(&s.entries[i]);
		}
	}
	for (uint64_t n = below(3); n && s.nmarks; n--) {
		struct schedule_mark *m = &s.marks[below(s.nmarks)];
		if (below(2))
			m->point = bad_number(m->point);
		else
			m->log = bad_number(m->log);
	}
	bool ok = schedule_create(&w, aside, &e);
	uint64_t at = 0;
	for (uint64_t i = 0; i < s.nmarks && ok; i++) {
		uint64_t n = i + 1 == s.nmarks ? s.count - at : below(s.count - at + 1);
		ok = schedule_append(&w, n ? s.entries + at : NULL, n, &s.marks[i], &e);
		at += n;
	}
	ok = ok && (below(2) || schedule_finish(&w, &e));
	schedule_close(&w);
	schedule_free(&s);
	bytes_free(b);
	return ok && file_read(aside, LIMIT, b, &e);
}

static size_t entry_size(const struct bytes *log, size_t at)
{
	struct world_entry e;

	memcpy(&e, log->data + at, sizeof e);
	return sizeof e + (((size_t)e.bytes + 7) & ~7ul);
}

/* Where whole entry `n` begins; *count is the number of entries. */
static size_t entry_at(const struct bytes *log, size_t n, size_t *count)
{
	size_t at = 0, found = 0;

	for (*count = 0; at + sizeof(struct world_entry) <= log->size; at += entry_size(log, at)) {
		if (entry_size(log, at) > log->size - at)
			break;
		if ((*count)++ == n)
			found = at;
	}
	return found;
}

static void damage_world_entry(struct bytes *log, size_t at)
{
	size_t size = entry_size(log, at);
	struct world_entry e;

	memcpy(&e, log->data + at, sizeof e);
	switch (below(8)) {
	case 0:
		e.kind = (uint8_t)below(4);
		break;
	case 1:
		e.flags ^= (uint8_t)(1 + below(3));
		break;
	case 2:
		e.nr = (uint16_t)bad_number(e.nr);
		break;
	case 3:
		e.bytes = (uint32_t)bad_number(e.bytes);
		break;
	case 4:
		e.result = (int64_t)bad_number((uint64_t)e.result);
		break;
	case 5:
		e.check = bad_number(e.check);
		break;
	case 6: { /* more or fewer bytes, and a result that agrees */
		size_t n = below(600);
		uint8_t *bytes = must_alloc((n + 7) & ~7ul);
		for (size_t i = 0; i < n; i++)
			bytes[i] = (uint8_t)number();
		e.bytes = (uint32_t)n;
		e.result = (int64_t)n;
		exchange(log, at + sizeof e, size - sizeof e, bytes, (n + 7) & ~7ul);
		free(bytes);
		break;
	}
	default:
		if (size > sizeof e)
			log->data[at + sizeof e + below(size - sizeof e)] ^= (uint8_t)number();
	}
	memcpy(log->data + at, &e, sizeof e);
}

static bool damage_log(struct bytes *b, const char *aside)
{
	struct blocks_writer w;
	struct bytes log;
	struct error e;
	bool complete;

	if (!file_write(aside, b->data, b->size, &e) || !blocks_read(aside, LIMIT, &log, &complete, &e))
		return false;
	for (size_t i = 1 + below(3), n; i; i--) {
		struct bytes one = {0};
		entry_at(&log, 0, &n);
		if (!n)
			break;
		size_t at = entry_at(&log, below(n), &n), size = entry_size(&log, at);
		bytes_add(&one, log.data + at, size);
		switch (below(6)) {
		case 0:
			exchange(&log, at, size, NULL, 0);
			break;
		case 1:
			exchange(&log, entry_at(&log, below(n), &n), 0, one.data, size);
			break;
		case 2:
			log.size = below(2) ? at : at + below(size);
			break;
		default:
			damage_world_entry(&log, at);
		}
		bytes_free(&one);
	}
	bool ok = blocks_create(&w, aside, &e) && blocks_append(&w, log.data, log.size, &e) && blocks_flush(&w, &e);
	if (ok && below(8))
		ok = blocks_finish(&w, &e);
	else
		blocks_abandon(&w);
	bytes_free(&log);
	bytes_free(b);
	return ok && file_read(aside, LIMIT, b, &e);
}

/* One damaged recording. */

static bool read_recording(const char *directory, struct recording *r)
{
	struct error e;

	for (int i = 0; i < FILES; i++) {
		char *path = must_format("%s/%s", directory, names[i]);
		r->has[i] = !access(path, F_OK) && file_read(path, LIMIT, &r->file[i], &e);
		free(path);
	}
	return r->has[MANIFEST] && r->has[SCHEDULE];
}

static bool write_recording(const char *directory, const struct recording *r)
{
	struct error e;
	bool ok = true;

	mkdir(directory, 0777);
	for (int i = 0; i < FILES && ok; i++) {
		char *path = must_format("%s/%s", directory, names[i]);
		unlink(path);
		ok = !r->has[i] || file_write(path, r->file[i].data, r->file[i].size, &e);
		free(path);
	}
	return ok;
}

static struct recording copy_of(const struct recording *r)
{
	struct recording copy = *r;

	for (int i = 0; i < FILES; i++) {
		copy.file[i] = (struct bytes){0};
		bytes_add(&copy.file[i], r->file[i].data, r->file[i].size);
	}
	return copy;
}

/* `other`: another recording, whose files may be put where they do not belong. */
static bool damage(struct recording *r, const struct recording *other)
{
	enum file f = (enum file)below(FILES);
	bool ok = true;

	switch (below(8)) {
	case 0:
	case 1:
		damage_bytes(&r->file[f]);
		break;
	case 2:
		damage_manifest(&r->file[MANIFEST]);
		break;
	case 3:
	case 4:
		ok = damage_schedule(&r->file[SCHEDULE], "aside");
		break;
	case 5:
	case 6:
		ok = !r->has[LOG] || damage_log(&r->file[LOG], "aside");
		break;
	default:
		if (below(2)) {
			r->has[f] = false;
		} else {
			r->file[f].size = 0;
			bytes_add(&r->file[f], other->file[f].data, other->file[f].size);
		}
	}
	return ok;
}

struct outcome {
	int status;
	bool hangs;
	long memory_kib;
	struct bytes said;
};

/* The commands that read a recording; the first one most of the time. */
static char *const commands[][8] = {
        {"replay"},
        {"replay", "--trace"},
        {"replay", "--to", "5"},
        {"replay", "--from-snapshot", "3", "--strategy", "random", "--runs", "2"},
        {"report"},
        {"report", "--timeline"},
};

/* Runs it in a process group of its own, which is killed afterwards. */
static void run(const char *omen, char *const *command, struct outcome *o)
{
	char *argv[12] = {(char *)omen};
	size_t n = 1;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	struct rusage usage;
	struct error e;
	pid_t pid;

	for (; command[n - 1]; n++)
		argv[n] = command[n - 1];
	argv[n] = "damaged";
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_addopen(&actions, 2, "err", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	if (posix_spawn(&pid, omen, &actions, &attributes, argv, environ)) {
		perror(omen);
		exit(1);
	}
	struct pollfd gone = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
	o->hangs = poll(&gone, 1, PATIENCE * 1000) <= 0;
	close(gone.fd);
	if (o->hangs)
		kill(-pid, SIGKILL);
	wait4(pid, &o->status, 0, &usage);
	o->memory_kib = usage.ru_maxrss;
	file_read("err", LIMIT, &o->said, &e);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
}

/* Lines that begin with this. The program's own output, and what its replay shows of that, does not count. */
static int lines(const char *text, const char *beginning)
{
	int n = 0;

	for (const char *p = text; p && *p; p = strchr(p, '\n'), p += p != NULL)
		n += !strncmp(p, beginning, strlen(beginning));
	return n;
}

/* NULL, or what is wrong with the result. */
static const char *judge(const struct outcome *o, bool replays)
{
	const char *said = (const char *)o->said.data;
	int errors = lines(said, "omen: ") - lines(said, "omen: warning: "), replayed = lines(said, "replayed: ");

	if (o->hangs)
		return "it hangs";
	if (!WIFEXITED(o->status))
		return "it is killed by a signal";
	if (strstr(said, "Sanitizer") || strstr(said, "runtime error: "))
		return "a sanitizer has something to say";
	if (strstr(said, "in Omen's runtime"))
		return "the runtime crashes";
	if (o->memory_kib > MEMORY_KIB)
		return "it takes too much memory";
	switch (WEXITSTATUS(o->status)) {
	case 0:
	case 66:
		return (replayed || !replays) && !errors ? NULL : "not one line of success";
	case 1:
	case 2:
		return errors == 1 ? NULL : "not one line of error";
	default:
		return "another exit status";
	}
}

int main(int argc, char **argv)
{
	const char *omen = argv[1];
	long count = argc > 4 ? atol(argv[2]) : 0, wrong = 0, statuses[256] = {0}, crashes = 0;
	int samples = argc - 4;
	struct recording *all = must_alloc((size_t)(samples > 0 ? samples : 1) * sizeof *all);

	for (int i = 0; i < samples; i++)
		if (!read_recording(argv[4 + i], &all[i])) {
			fprintf(stderr, "cannot read %s\n", argv[4 + i]);
			return 1;
		}
	uint64_t seed = argc > 4 ? strtoull(argv[3], NULL, 10) : 0;
	for (long i = 0; i < count; i++) {
		state = (seed + (uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
		for (int k = 0; k < 4; k++)
			number();
		struct recording r = copy_of(&all[below((uint64_t)samples)]);
		const struct recording *other = &all[below((uint64_t)samples)];
		struct outcome o = {0};
		bool ok = true;
		for (uint64_t n = 1 + below(2) * below(3); n && ok; n--)
			ok = damage(&r, other);
		if (ok && write_recording("damaged", &r)) {
			size_t which = below(3) ? 0 : below(sizeof commands / sizeof commands[0]);
			run(omen, commands[which], &o);
			const char *why = judge(&o, which == 0);
			statuses[WEXITSTATUS(o.status)]++;
			crashes += o.said.data && strstr((char *)o.said.data, "replayed crash") != NULL;
			if (why || getenv("FUZZ_VERBOSE"))
				printf("%s seed %lu, %s %s: %s, status %d, %ld KiB: %.300s\n", why ? "FAIL" : "said",
				       (unsigned long)seed + (unsigned long)i, commands[which][0],
				       commands[which][1] ? commands[which][1] : "", why ? why : "good", o.status,
				       o.memory_kib, o.said.data ? (char *)o.said.data : "");
			wrong += why != NULL;
		}
		bytes_free(&o.said);
		for (int k = 0; k < FILES; k++)
			bytes_free(&r.file[k]);
	}
	printf("%s fuzz: %ld damaged recordings from seed %lu: %ld replayed, %ld with a failure, %ld differ, %ld "
	       "refused, "
	       "%ld crashes of the program\n",
	       wrong || !count ? "FAIL" : "ok", count, (unsigned long)seed, statuses[0], statuses[66], statuses[1],
	       statuses[2], crashes);
	return wrong || !count;
}
