#include "report/suppress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/race_subject.h"

#define FILE_LIMIT (16u << 20)

/*
 * What a type is matched with. The last five concern reports that Omen does not make as races: lock order, leaked
 * threads, wrong use of a mutex, handlers that call what they must not. Their lines are accepted, so that a file for
 * ThreadSanitizer can be used as it is, and match nothing here.
 */
enum suppression_type { RACE, RACE_TOP, CALLED_FROM_LIB, DEADLOCK, THREAD, MUTEX, SIGNAL, NONE };

static const char *const types[] = {
        [RACE] = "race",         /* any frame of the two stacks and of the two threads' creation; the global's name */
        [RACE_TOP] = "race_top", /* the innermost frame of one of them */
        [CALLED_FROM_LIB] = "called_from_lib", /* an access by a function of the C library that this module called */
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

/* The first place of `piece` in `text`; only the very start if `fixed`. */
static const char *place_of(const char *text, const char *piece, size_t length, bool fixed)
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
		name = place_of(name, pattern, length, fixed);
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
	return error_set(e,
	                 "cannot read %s: line %u has an unknown type %s; there are race, race_top, called_from_lib, "
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

static bool any(const struct suppressions *s, enum suppression_type type, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].type == type && suppression_matches(s->list[i].pattern, name))
			return true;
	return false;
}

static bool frame_matches(const struct suppressions *s, enum suppression_type type, const struct frame *f)
{
	return any(s, type, f->function) || any(s, type, f->file) || any(s, type, f->module);
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
	/* The program's own accesses are not the library's: only what stands directly behind a function of another
	 * file. */
	for (size_t i = 1; i < count; i++)
		if (strcmp(frames[i].module, frames[0].module))
			return !frames[0].own && any(s, CALLED_FROM_LIB, frames[i].module);
	return false;
}

static bool access_matches(const struct suppressions *s, const struct race *r, int access)
{
	struct frame frames[STACK_FRAMES];
	size_t n = race_stack(r, access, frames, STACK_FRAMES);

	/* The site alone, where the stack is not known. */
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
	struct subject subject;

	if (!s->count)
		return false;
	if (access_matches(s, r, 0) || access_matches(s, r, 1))
		return true;
	race_subject(r, &subject);
	return any(s, RACE, subject.global);
}

void suppressions_free(struct suppressions *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].pattern);
	free(s->list);
	*s = (struct suppressions){0};
}
