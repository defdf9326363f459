/* Removes Omen's own headers from makefile fragments, so that a build still works when Omen is gone. */
#include "cc/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path as clang writes it in a fragment. */
static char *escaped(const char *path)
{
	char *out = malloc(2 * strlen(path) + 1), *to = out;

	if (!out)
		fail("out of memory");
	for (; *path; path++) {
		if (*path == ' ' || *path == '#')
			*to++ = '\\';
		if (*path == '$')
			*to++ = '$';
		*to++ = *path;
	}
	*to = '\0';
	return out;
}

/* The end of a name: the space, newline or colon after it. One of -MP's rules goes with its line. */
static const char *end_of_name(const char *at, bool begins_line)
{
	while (*at && *at != '\n' && (*at != ' ' || at[-1] == '\\') && (*at != ':' || at[1] != '\n'))
		at++;
	return begins_line && *at == ':' ? at + 2 : at;
}

static bool remove_names(char *text, const char *folder)
{
	size_t n = strlen(folder);
	bool dropped = false;
	char *to = text;

	for (const char *at = text; *at;) {
		bool begins_line = at == text || at[-1] == '\n';
		if ((begins_line || at[-1] == ' ') && !strncmp(at, folder, n) && at[n] == '/') {
			at = end_of_name(at + n, begins_line);
			dropped = true;
		} else {
			*to++ = *at++;
		}
	}
	*to = '\0';
	return dropped;
}

void drop_dependencies(const char *fragment, const char *folder)
{
	struct stat st;
	char *text = NULL, *name = escaped(folder);
	size_t room = 0;

	if (stat(fragment, &st) || !S_ISREG(st.st_mode)) /* its reader may have it already */
		return;
	FILE *f = fopen(fragment, "r+");
	if (f && getdelim(&text, &room, '\0', f) > 0 && remove_names(text, name)) {
		rewind(f);
		if (fputs(text, f) < 0 || fflush(f) || ftruncate(fileno(f), ftell(f)))
			fail("cannot write %s", fragment);
	}
	if (f)
		fclose(f);
	free(text);
	free(name);
}
