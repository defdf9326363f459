#include "report/suppressions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/raced_memory.h"

#define FILE_LIMIT (16u << 20)

/*
 * The types of suppressions.  The last five are for what Omen does not report as a race: lock order, leaked threads,
 * misuse of a mutex, unsafe calls in signal handlers.  Their lines match nothing, but they are accepted, so that a file
 * for ThreadSanitizer can be used as it is.
 */
enum suppression_type { RACE, RACE_TOP, CALLED_FROM_LIB, DEADLOCK, THREAD, MUTEX, SIGNAL, NONE };

static const char *const types[] = {
        [RACE] = "race", /* matches any frame of the accesses and of their threads' creation; the variable's name */
        [RACE_TOP] = "race_top",               /* matches the innermost frame of one of these stacks */
        [CALLED_FROM_LIB] = "called_from_lib", /* matches the module that called the library function of the access */
        [DEADLOCK] = "deadlock",
        [THREAD] = "thread",
        [MUTEX] = "mutex",
        [SIGNAL] = "signal",
        [NONE] = "none",
};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

struct suppression {
	enum suppression_type type;
	char *pattern;
};

/* The first place of `piece` in `text`.  `fixed`: it must be at the start.  NULL: it is not there. */
static const char *find_piece(const char *text, const char *piece, size_t length, bool fixed)
{
	for (; *text || !length; text++) {
		if (!strncmp(text, piece, length))
			return text;
		if (fixed || !*text)
			return NULL;
	}
	return NULL;
}

bool suppression_matches(const char *pattern, const char *name)
{
	bool fixed = *pattern == '^';

	if (!*name)
		return false;
	pattern += fixed;
	for (;;) {
		size_t length = strcspn(pattern, "*$");
		if (pattern[length] == '$') {
			size_t rest = strlen(name);
			return rest >= length && (!fixed || rest == length) &&
			       !strncmp(name + rest - length, pattern, length);
		}
		name = find_piece(name, pattern, length, fixed);
		if (!name)
			return false;
		if (!pattern[length])
			return true;
		name += length;
		pattern += length + 1;
		fixed = false;
	}
}

static bool read_line(struct suppressions *s, const char *name, unsigned number, char *line, struct error *e)
{
	size_t length = strlen(line);

	while (length && strchr(" \t\r", line[length - 1]))
		line[--length] = 0;
	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return true;
	char *pattern = strchr(line, ':');
	if (!pattern)
		return error_set(e, "cannot read %s: line %u is not type:pattern: %s", name, number, line);
	*pattern++ = 0;
	for (size_t i = 0; i < COUNT(types); i++) {
		if (strcmp(line, types[i]))
			continue;
		if (!*pattern)
			return error_set(e, "cannot read %s: line %u has no pattern after %s:", name, number, line);
		s->list = must_resize(s->list, (s->count + 1) * sizeof *s->list);
		s->list[s->count++] = (struct suppression){(enum suppression_type)i, must_format("%s", pattern)};
		return true;
	}
	return error_set(
	        e,
	        "cannot read %s: line %u has an unknown type %s; the types are race, race_top, called_from_lib, "
	        "deadlock, thread, mutex and signal",
	        name, number, line);
}

bool suppressions_read(struct suppressions *s, const char *name, const char *text, struct error *e)
{
	char *copy = must_format("%s", text), *next = copy;
	bool ok = true;

	for (unsigned number = 1; ok && next; number++) {
		char *line = strsep(&next, "\n");
		ok = read_line(s, name, number, line, e);
	}
	free(copy);
	return ok;
}

bool suppressions_load(struct suppressions *s, const char *path, struct error *e)
{
	struct bytes file;

	if (!file_read(path, FILE_LIMIT, &file, e))
		return false;
	bool ok = suppressions_read(s, path, (const char *)file.data, e);
	bytes_free(&file);
	return ok;
}

static bool any_matches(const struct suppressions *s, enum suppression_type type, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].type == type && suppression_matches(s->list[i].pattern, name))
			return true;
	return false;
}

static bool frame_matches(const struct suppressions *s, enum suppression_type type, const struct frame *f)
{
	return any_matches(s, type, f->function) || any_matches(s, type, f->file) || any_matches(s, type, f->module);
}

static bool stack_matches(const struct suppressions *s, const struct frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (frame_matches(s, RACE, &frames[i]))
			return true;
	return count && frame_matches(s, RACE_TOP, &frames[0]);
}

static bool called_from_lib(const struct suppressions *s, const struct frame *frames, size_t count)
{
	/* The module that called the library is that of the first frame in another file.  An access of the program's
	 * own code has no such module. */
	for (size_t i = 1; i < count; i++)
		if (strcmp(frames[i].module, frames[0].module))
			return !frames[0].own && any_matches(s, CALLED_FROM_LIB, frames[i].module);
	return false;
}

static bool access_matches(const struct suppressions *s, const struct race *r, int access)
{
	struct frame frames[STACK_FRAMES];
	size_t n = race_stack(r, access, frames, STACK_FRAMES);

	/* Without a stack the site alone counts. */
	if (!n)
		n = race_place(r, access, frames);
	if (stack_matches(s, frames, n) || called_from_lib(s, frames, n))
		return true;
	const struct board_thread *t = race_thread(r, r->seen.access[access].stack.fiber);
	if (!t || !t->created.depth)
		return false;
	return stack_matches(s, frames, symbol_stack(r->execution->result, &t->created, frames, STACK_FRAMES));
}

bool race_is_suppressed(const struct suppressions *s, const struct race *r)
{
	struct raced_memory memory;

	if (!s->count)
		return false;
	if (access_matches(s, r, 0) || access_matches(s, r, 1))
		return true;
	raced_memory_of(r, &memory);
	return any_matches(s, RACE, memory.global);
}

void suppressions_free(struct suppressions *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].pattern);
	free(s->list);
	*s = (struct suppressions){0};
}
