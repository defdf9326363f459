/* omen report: prints the report of an evidence again; or, from a replay, what the threads did in time. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/evidence_dir.h"
#include "cmd/options.h"
#include "cmd/load_recording.h"
#include "cmd/omen_replay.h"
#include "cmd/session.h"
#include "report/timeline.h"
#include "format/json.h"
#include "format/enum_names.h"

#define TIMELINE_EVENTS_MOST (4ul << 20) /* more than Perfetto handles well */
#define REPORT_LIMIT         (1ul << 30)

/* ---- the timeline ---- */

/* The races to show: for the evidence of a race that race; for a recording all that are kept under it. */
struct shown {
	struct manifest *races;
	size_t count;
};

static void find_races(struct shown *s, const char *directory)
{
	char *under = must_format("%s/races", directory);
	DIR *d = opendir(under);

	for (const struct dirent *entry; d && (entry = readdir(d));) {
		char *path = must_format("%s/%s/manifest.json", under, entry->d_name);
		struct manifest m = {0};
		struct error e;
		if (entry->d_name[0] != '.' && manifest_read(path, &m, &e) && m.race) {
			s->races = must_resize(s->races, (s->count + 1) * sizeof *s->races);
			s->races[s->count++] = m;
		} else {
			manifest_free(&m);
		}
		free(path);
	}
	if (d)
		closedir(d);
	free(under);
}

/* The bytes that they are about, each address once. */
static struct board_watch *watches_of(const struct shown *s, uint32_t *count)
{
	struct board_watch *w = must_alloc((s->count + 1) * sizeof *w);

	*count = 0;
	for (size_t i = 0; i < s->count; i++) {
		uint32_t k = 0;
		while (k < *count && w[k].address != s->races[i].watch.address)
			k++;
		if (k == *count)
			w[(*count)++].address = s->races[i].watch.address;
		w[k].bytes |= s->races[i].watch.bytes;
	}
	return w;
}

/* Moves the races of the board that the evidence is for to the front, with their ids. Returns how many. */
static size_t keep_shown(struct races *all, const struct shown *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < s->count; k++) {
			struct race *r = all->list[i];
			if (!race_is(&r->seen, s->races[k].race_site, s->races[k].race_flags))
				continue;
			snprintf(r->id, sizeof r->id, "%s", s->races[k].race);
			all->list[i] = all->list[kept];
			all->list[kept++] = r;
			break;
		}
	return kept;
}

static bool write_timeline(const struct options *o, struct timeline *t, const struct process *p, struct error *e)
{
	void *events = mmap(NULL, EVENTS_SIZE, PROT_READ, MAP_SHARED, p->board_fd, BOARD_EVENTS);

	if (events == MAP_FAILED)
		return error_set(e, "cannot map the events: %s", strerror(errno));
	t->events = events;
	t->stacks = (const struct event_stack *)((char *)events + EVENTS_SIZE) - EVENT_STACKS;
	FILE *out = session_open(o, stdout, e);
	if (out)
		report_timeline(out, t);
	bool ok = out && session_close(o, out, e);
	munmap(events, EVENTS_SIZE);
	return ok;
}

/* Writes the timeline of the execution on the board of `p`. */
static bool make_timeline(const struct options *o, const char *directory, const struct process *p,
                          const struct manifest *m, const struct shown *races, struct error *e)
{
	struct board_result *result = must_alloc(sizeof *result);
	struct shown own = {.races = (struct manifest *)m, .count = 1};
	struct races all = {0};

	result_copy(result, p->board);
	races_take(&all, p->board, 0);
	if (all.count)
		races_explain(&all, all.list[0]->execution, p->board, true);
	struct timeline t = {.program = m->program,
	                     .evidence = directory,
	                     .result = result,
	                     .count = p->board->nevents < TIMELINE_EVENTS_MOST ? p->board->nevents
	                                                                       : TIMELINE_EVENTS_MOST,
	                     .lost = p->board->events_lost,
	                     .races = all.list,
	                     .race_count = keep_shown(&all, m->race ? &own : races)};
	bool ok = write_timeline(o, &t, p, e);
	if (t.lost)
		fprintf(stderr, "omen: warning: the timeline ends after %lu events; %lu are not in it\n", t.count,
		        t.lost);
	races_free(&all);
	free(result);
	return ok;
}

static int timeline(const struct options *o, const char *directory)
{
	struct process p = process_nothing;
	struct manifest m = {0};
	struct shown races = {0};
	struct error e;
	int status;

	find_races(&races, directory);
	struct event_request request = {.most = TIMELINE_EVENTS_MOST};
	struct board_watch *watches = watches_of(&races, &request.nwatches);
	request.watches = watches;
	bool ok = replay_events(directory, &request, &p, &m, &status, &e);
	if (ok && !make_timeline(o, directory, &p, &m, &races, &e)) {
		status = EXIT_OMEN;
		ok = false;
	}
	process_end(&p);
	for (size_t i = 0; i < races.count; i++)
		manifest_free(&races.races[i]);
	free(races.races);
	free(watches);
	manifest_free(&m);
	return ok ? EXIT_NOTHING : complain(status, &e);
}

/* ---- the stored report ---- */

/* Prints a file of the evidence. False: there is no such file. */
static bool print_file(FILE *out, const char *directory, const char *under, const char *name)
{
	char *path = must_format("%s/%s/%s", directory, under, name);
	struct bytes text = {0};
	struct error e;
	bool there = !access(path, F_OK) && file_read(path, REPORT_LIMIT, &text, &e);

	if (there)
		fwrite(text.data, 1, text.size, out);
	bytes_free(&text);
	free(path);
	return there;
}

/* Prints the texts of all races and failures that report.json lists. */
static void print_all(FILE *out, const char *directory, const struct json *report)
{
	const struct json *races = json_member(report, "races"), *failures = json_member(report, "failures");
	size_t nraces = 0, nfailures = 0, unkept = 0;
	char under[96];

	for (const struct json *r = races ? races->first : NULL; r; r = r->next, nraces++) {
		const char *id = json_text(r, "id");
		snprintf(under, sizeof under, "races/%.64s", id && !strchr(id, '/') ? id : "");
		if (print_file(out, directory, under, "report.txt"))
			fputc('\n', out);
		else
			unkept++;
	}
	for (const struct json *f = failures ? failures->first : NULL; f; f = f->next, nfailures++) {
		snprintf(under, sizeof under, "failures/%zu", nfailures + 1);
		if (print_file(out, directory, under, "report.txt") || print_file(out, directory, "", "report.txt"))
			fputc('\n', out);
	}
	if (unkept)
		fprintf(out, "%zu of the races are in %s/report.json only: there was no time to write more of them\n",
		        unkept, directory);
	fprintf(out, "%zu race%s, %zu failure%s\n", nraces, nraces == 1 ? "" : "s", nfailures,
	        nfailures == 1 ? "" : "s");
}

/* Says what can be done with the directory of an omen that was killed before it wrote a report. */
static int print_unfinished(const char *directory)
{
	struct recorded r;
	struct error e, why;

	if (!recorded_read(&r, directory, &why))
		error_set(&e, "cannot report %s: it was ended before its report was written, and %s", directory,
		          why.text);
	else if (r.cut || !r.has_log)
		error_set(&e,
		          "cannot report %s: it was ended before the program was; replay what there is (omen replay "
		          "%s) or "
		          "run it again",
		          directory, directory);
	else
		error_set(&e,
		          "cannot report %s: it was ended before its report was written; go on with: omen triage "
		          "--resume "
		          "--data %s",
		          directory, directory);
	recorded_free(&r);
	return complain(EXIT_OMEN, &e);
}

static int print_report(const struct options *o, const char *directory)
{
	char *manifest = must_format("%s/manifest.json", directory), *path = must_format("%s/report.json", directory);
	struct manifest m = {0};
	struct bytes text = {0};
	struct json *report = NULL;
	struct error e;
	int status = EXIT_USE;
	/* races/ID and failures/N have a text of their own, the top has report.json. */
	bool whole = !access(path, F_OK);
	bool ok = manifest_read(manifest, &m, &e) && (!whole || file_read(path, REPORT_LIMIT, &text, &e));

	if (ok && !whole && o->json)
		ok = error_set(&e, "%s has no report.json; give the directory that contains it", directory);
	if (ok && whole) {
		report = json_read((const char *)text.data, text.size, &e);
		ok = report || error_set(&e, "cannot read %s: it is damaged; record again", path);
	}
	FILE *out = ok ? session_open(o, stdout, &e) : NULL;
	if (out) {
		status = EXIT_OMEN;
		if (o->json)
			fwrite(text.data, 1, text.size, out);
		else if (whole)
			print_all(out, directory, report);
		else if (!print_file(out, directory, "", "report.txt"))
			fputs("nothing was found in this execution\n", out);
		ok = session_close(o, out, &e);
	} else {
		ok = false;
	}
	json_free(report);
	bytes_free(&text);
	manifest_free(&m);
	free(manifest);
	free(path);
	return ok ? EXIT_NOTHING : complain(status, &e);
}

/* Whether the file was written to its end. */
static bool is_whole(const char *path)
{
	struct bytes text = {0};
	struct error e;
	struct json *report =
	        file_read(path, REPORT_LIMIT, &text, &e) ? json_read((const char *)text.data, text.size, &e) : NULL;
	bool whole = report != NULL;

	json_free(report);
	bytes_free(&text);
	return whole;
}

int cmd_report(const struct options *o, int argc, char **argv)
{
	struct error e;

	if (argc > 1) {
		error_set(&e, "cannot report %s: one evidence at a time", argv[1]);
		return complain(EXIT_USE, &e);
	}
	if (o->timeline)
		return timeline(o, argv[0]);
	char *found = evidence_find(argv[0]), *report = must_format("%s/report.json", found);
	bool unfinished = strcmp(found, argv[0]) && !is_whole(report);
	int status = unfinished ? print_unfinished(argv[0]) : print_report(o, found);
	free(report);
	free(found);
	return status;
}
