#include "cmd/compare_optimised.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "report/raced_memory.h"
#include "format/json.h"

#define REPORT_LIMIT (1ul << 30)
#define SAID_LIMIT   (1ul << 20)

extern char **environ;

static off_t input_begin = -1;

void optimised_note_input(void) { input_begin = lseek(0, 0, SEEK_CUR); }

/* ---- the other program ---- */

static bool is_own_option(const char *word) { return !strncmp(word, "--as-optimised", strlen("--as-optimised")); }

/* The words of this command, with the other program instead of this one, and a report of its own. */
static char **command_words_for(const struct recording *x, char **argv, char *data, char *report)
{
	char *fixed[] = {"--format", "json", "-o", report, "--data", data, "--", (char *)x->options->as_optimised};
	size_t n = 0, arguments = 0;

	while (argv[arguments])
		arguments++;
	char **words = must_alloc((x->options->ncommand_words + arguments + 16) * sizeof *words);
	words[n++] = "omen";
	words[n++] = "triage";
	for (size_t i = 0; i < x->options->ncommand_words; i++) {
		if (!is_own_option(x->options->command_words[i]))
			words[n++] = x->options->command_words[i];
		else if (!strchr(x->options->command_words[i], '='))
			i++;
	}
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		words[n++] = fixed[i];
	for (size_t i = 1; i < arguments; i++)
		words[n++] = argv[i];
	words[n] = NULL;
	return words;
}

/* Sets the error to the last line that the other triage printed. */
static bool set_trouble(const char *said, struct error *e)
{
	struct bytes text = {0};
	struct error ignored;
	const char *line = "it did not end by itself";

	if (file_read(said, SAID_LIMIT, &text, &ignored) && text.size) {
		char *last = (char *)text.data;
		last[text.size - 1] = 0;
		line = strrchr(last, '\n') ? strrchr(last, '\n') + 1 : last;
	}
	error_set(e, "cannot triage the program as optimised: %s", line);
	bytes_free(&text);
	return false;
}

/* Runs the other triage. What it prints goes to a file, as it is not this program's output. */
static bool run(char **words, const char *said, struct error *e)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t heard;
	pid_t pid;
	int status;

	if (input_begin >= 0)
		lseek(0, input_begin, SEEK_SET);
	sigemptyset(&heard);
	sigaddset(&heard, SIGPIPE);
	sigaddset(&heard, SIGXFSZ);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &heard);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int error = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (error)
		return error_set(e, "cannot start omen triage for the other program: %s", strerror(error));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(e, "cannot wait for omen triage: %s", strerror(errno));
	if (WIFEXITED(status) && (!WEXITSTATUS(status) || WEXITSTATUS(status) == EXIT_FOUND))
		return true;
	return set_trouble(said, e);
}

/* ---- the same race ---- */

struct place {
	const char *file, *kind;
	uint64_t line;
};

static bool same_place(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->line && !strcmp(a->kind, b->kind) && !strcmp(a->file, b->file);
}

static bool same_places(const struct place a[2], const struct place b[2])
{
	return (same_place(&a[0], &b[0]) && same_place(&a[1], &b[1])) ||
	       (same_place(&a[0], &b[1]) && same_place(&a[1], &b[0]));
}

static bool places_of(const struct json *race, struct place out[2])
{
	const struct json *a = json_member(race, "accesses");
	size_t n = 0;

	for (a = a ? a->first : NULL; a && n < 2; a = a->next, n++) {
		out[n] = (struct place){json_text(a, "file"), json_text(a, "kind"), 0};
		if (!out[n].file || !out[n].kind || !json_u64(a, "line", &out[n].line))
			return false;
	}
	return n == 2;
}

static bool same_variable(const struct race *r, const struct json *reported)
{
	const char *name = json_text(reported, "variable");
	struct raced_memory s;

	raced_memory_of(r, &s);
	return !name || !s.name[0] || !strcmp(name, s.name);
}

static bool is_race(const struct race *r, const struct json *reported)
{
	const char *id = json_text(reported, "id");
	struct frame frames[2];
	struct place here[2], there[2];

	if (!same_variable(r, reported))
		return false;
	if (id && !strcmp(id, r->id))
		return true;
	for (int i = 0; i < 2; i++) {
		if (!race_place(r, i, &frames[i]))
			return false;
		here[i] = (struct place){frames[i].file, access_kind(r->seen.access[i].flags), frames[i].line};
	}
	return places_of(reported, there) && same_places(here, there);
}

static enum verdict_kind kind_of(const struct json *reported)
{
	const char *name = json_text(reported, "verdict");

	for (enum verdict_kind k = VERDICT_UNKNOWN; name && k < VERDICTS; k++)
		if (!strcmp(name, verdict_name(k)))
			return k;
	return VERDICT_UNKNOWN;
}

/* The verdict of a race in the other program. If several are at the same lines, the worst one counts. */
static struct optimised *look_up(const struct race *r, const struct json *races)
{
	struct optimised *o = must_alloc(sizeof *o);

	*o = (struct optimised){0};
	for (const struct json *j = races ? races->first : NULL; j; j = j->next) {
		const char *evidence = json_text(j, "alternate");
		if (!is_race(r, j) || (o->found && kind_of(j) <= o->kind))
			continue;
		free(o->evidence);
		o->found = true;
		o->kind = kind_of(j);
		o->evidence = evidence ? must_format("%s", evidence) : NULL;
	}
	return o;
}

static bool is_in_report(const struct report *r, const struct json *reported)
{
	for (size_t i = 0; i < r->race_count; i++)
		if (is_race(r->races[i], reported))
			return true;
	return false;
}

static bool compare(struct report *r, const char *path, struct optimised_program *p, struct error *e)
{
	struct bytes text = {0};

	if (!file_read(path, REPORT_LIMIT, &text, e))
		return false;
	bytes_add(&text, "", 1);
	struct json *report = json_read((const char *)text.data, text.size - 1, e);
	if (report) {
		const struct json *races = json_member(report, "races");
		for (size_t i = 0; i < r->race_count; i++)
			r->races[i]->optimised = look_up(r->races[i], races);
		for (const struct json *j = races ? races->first : NULL; j; j = j->next) {
			p->races++;
			p->extra += !is_in_report(r, j);
		}
	}
	json_free(report);
	bytes_free(&text);
	return report != NULL;
}

bool optimised_compare(struct recording *x, char **argv, struct optimised_program *p, struct error *e)
{
	char *data = must_format("%s/as-optimised", x->options->data);
	char *report = must_format("%s/as-optimised.json", x->evidence.stage);
	char *said = must_format("%s/as-optimised.txt", x->evidence.stage);
	char **words = command_words_for(x, argv, data, report);

	*p = (struct optimised_program){.program = x->options->as_optimised, .data = data};
	bool ok = run(words, said, e) && compare(&x->report, report, p, e);
	unlink(report);
	unlink(said);
	x->report.optimised = ok ? p : NULL;
	free(words);
	free(report);
	free(said);
	return ok;
}
