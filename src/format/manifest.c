#include "format/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/hooks.h"
#include "format/json.h"
#include "format/enum_names.h"

#define FILE_LIMIT (16u << 20)

static const char *const kinds[] = {[MANIFEST_EXECUTION] = "execution", [MANIFEST_EXPLORATION] = "exploration"};
static const char *const stream_kinds[] = {
        [STREAM_NULL] = "null", [STREAM_FILE] = "file", [STREAM_PIPE] = "pipe", [STREAM_TERMINAL] = "terminal"};

static const char *const checks[] = {[CHECK_OFF] = "off", [CHECK_FOLLOW] = "follow", [CHECK_FULL] = "full"};
static const char *const invariant_types[] = {
        [INVARIANT_UNSIGNED] = "unsigned", [INVARIANT_SIGNED] = "signed", [INVARIANT_REAL] = "real"};
static const char *const operators[] = {
#define X(id, text, operator) text,
        INVARIANT_OPERATORS(X)
#undef X
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static void write_list(struct json_writer *w, const char *key, char *const *list)
{
	json_open(w, key, '[');
	for (; *list; list++)
		json_string(w, NULL, *list);
	json_close(w, ']');
}

static void write_race(struct json_writer *w, const struct manifest *m)
{
	json_open(w, "race", '{');
	json_string(w, "id", m->race);
	json_address(w, "address", m->watch.address);
	json_number(w, "bytes", m->watch.bytes);
	json_open(w, "accesses", '[');
	for (int i = 0; i < 2; i++) {
		json_open(w, NULL, '{');
		json_address(w, "site", m->race_site[i]);
		json_number(w, "flags", m->race_flags[i]);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_close(w, '}');
}

static void write_execution(struct json_writer *w, const struct manifest *m)
{
	json_string(w, "stdin", stream_kinds[m->input]);
	json_bool(w, "has_stdin", m->has_stdin);
	json_string(w, "ending", ending_name(m->ending));
	json_string(w, "message", m->message ? m->message : "");
	json_number(w, "status", (uint32_t)m->status);
	json_address(w, "signature", m->signature);
	json_number(w, "points_used", m->points);
	json_address(w, "event_hash", m->event_hash);
	if (m->race)
		write_race(w, m);
	if (m->departs_at)
		json_number(w, "departs_at", m->departs_at);
	if (m->every_operation)
		json_bool(w, "every_operation", true);
	if (m->touch) {
		json_open(w, "directed", '{');
		json_address(w, "address", m->watch.address);
		json_number(w, "bytes", m->watch.bytes);
		json_number(w, "touch", m->touch);
		json_close(w, '}');
	}
}

static void write_memory(struct json_writer *w, const struct memory_config *m)
{
	json_string(w, "memory_model", memory_models[m->model]);
	json_string(w, "std", m->cxx20 ? "c++20" : "c11");
	json_string(w, "reads", reads_names[m->reads]);
	json_string(w, "modification_order", m->ordered ? "execution" : "any");
	json_string(w, "volatile", m->volatiles ? "acqrel" : "plain");
	json_number(w, "history", m->history);
}

static void write_without(struct json_writer *w, const struct manifest *m)
{
	json_open(w, "without", '[');
	for (uint32_t i = 0; i < m->nwithout; i++) {
		json_open(w, NULL, '{');
		json_address(w, "low", m->without[i].low);
		json_address(w, "high", m->without[i].high);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void write_passed(struct json_writer *w, const struct manifest *m)
{
	json_open(w, "passed", '[');
	for (uint32_t i = 0; i < m->ntolerated; i++) {
		json_open(w, NULL, '{');
		json_address(w, "place", m->tolerated[i]);
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void write_invariants(struct json_writer *w, const struct manifest *m)
{
	json_open(w, "invariants", '[');
	for (uint32_t i = 0; i < m->ninvariants; i++) {
		const struct board_invariant *v = &m->invariants[i];
		json_open(w, NULL, '{');
		json_string(w, "text", v->text);
		json_address(w, "address", v->address);
		json_number(w, "size", v->size);
		json_string(w, "type", invariant_types[v->type]);
		json_string(w, "operator", operators[v->operator_]);
		json_bool(w, "negative", v->negative);
		json_number(w, "number", v->number);
		json_close(w, '}');
	}
	json_close(w, ']');
}

bool manifest_write(const char *path, const struct manifest *m, struct error *e)
{
	char strategy[32], *text = NULL;
	size_t size = 0;
	struct json_writer w = {.out = open_memstream(&text, &size)};

	strategy_format(&m->strategy, strategy, sizeof strategy);
	json_open(&w, NULL, '{');
	json_string(&w, "omen", OMEN_VERSION);
	json_string(&w, "kind", kinds[m->kind]);
	json_string(&w, "program", m->program);
	json_string(&w, "path", m->path);
	json_string(&w, "build_id", m->build_id);
	json_string(&w, "cwd", m->cwd);
	write_list(&w, "argv", m->argv);
	write_list(&w, "env", m->env);
	write_memory(&w, &m->memory);
	json_string(&w, "strategy", strategy);
	json_number(&w, "pct_length", m->strategy.length);
	json_number(&w, "seed", m->seed);
	json_string(&w, "points", m->access_points ? "access" : "sync");
	json_bool(&w, "races", m->races);
	json_string(&w, "check", checks[m->check]);
	if (m->ntolerated)
		write_passed(&w, m);
	if (m->ninvariants)
		write_invariants(&w, m);
	if (m->blind)
		json_bool(&w, "blind", true);
	if (m->nwithout)
		write_without(&w, m);
	json_number(&w, "event_budget", m->event_budget);
	json_number(&w, "timeout_ms", m->timeout_ms);
	if (m->kind == MANIFEST_EXECUTION)
		write_execution(&w, m);
	json_close(&w, '}');
	fclose(w.out);
	bool ok = file_replace(path, text, size, e);
	free(text);
	return ok;
}

/*
 * The functions below read one member each and check it; `wrong` keeps the key of the first one that is missing or
 * wrong.
 */
struct manifest_reader {
	const struct json *root;
	const char *wrong;
};

static char *read_text(struct manifest_reader *c, const char *key)
{
	const char *text = json_text(c->root, key);

	if (!text && !c->wrong)
		c->wrong = key;
	return text ? must_format("%s", text) : NULL;
}

static uint64_t read_number(struct manifest_reader *c, const char *key)
{
	uint64_t value = 0;

	if (!json_u64(c->root, key, &value) && !c->wrong)
		c->wrong = key;
	return value;
}

static char **read_list(struct manifest_reader *c, const char *key)
{
	const struct json *list = json_member(c->root, key);
	size_t n = 0;

	for (const struct json *m = list ? list->first : NULL; m; m = m->next, n++)
		if (m->type != JSON_STRING)
			list = NULL;
	if (!list || list->type != JSON_ARRAY) {
		c->wrong = c->wrong ? c->wrong : key;
		return NULL;
	}
	char **out = must_alloc((n + 1) * sizeof *out);
	n = 0;
	for (const struct json *m = list->first; m; m = m->next)
		out[n++] = must_format("%s", m->text);
	return out;
}

/* The index of a member's text in a table of names. */
static unsigned read_name(struct manifest_reader *c, const char *key, const char *const *names, size_t count)
{
	const char *text = json_text(c->root, key);

	for (size_t i = 0; text && i < count; i++)
		if (!strcmp(text, names[i]))
			return (unsigned)i;
	if (!c->wrong)
		c->wrong = key;
	return 0;
}

static uint64_t read_address(struct manifest_reader *c, const char *key)
{
	const char *text = json_text(c->root, key);

	if (!text && !c->wrong)
		c->wrong = key;
	return text ? strtoull(text, NULL, 16) : 0;
}

static void read_race(struct manifest_reader *whole, struct manifest *m)
{
	struct manifest_reader c = {.root = json_member(whole->root, "race")};
	const struct json *accesses = json_member(c.root, "accesses");
	const struct json *access = accesses && accesses->type == JSON_ARRAY ? accesses->first : NULL;

	m->race = read_text(&c, "id");
	m->watch = (struct board_watch){read_address(&c, "address"), read_number(&c, "bytes")};
	for (int i = 0; i < 2; i++, access = access ? access->next : NULL) {
		c.root = access;
		m->race_site[i] = read_address(&c, "site");
		m->race_flags[i] = (uint32_t)read_number(&c, "flags");
	}
	if (c.wrong && !whole->wrong)
		whole->wrong = "race";
}

static void read_directed(struct manifest_reader *whole, struct manifest *m)
{
	struct manifest_reader c = {.root = json_member(whole->root, "directed")};

	m->watch = (struct board_watch){read_address(&c, "address"), read_number(&c, "bytes")};
	m->touch = read_number(&c, "touch");
	if (c.wrong && !whole->wrong)
		whole->wrong = "directed";
}

static void read_execution(struct manifest_reader *c, struct manifest *m)
{
	const struct json *has_stdin = json_member(c->root, "has_stdin");
	const char *ending = json_text(c->root, "ending"), *signature = json_text(c->root, "signature");

	m->input = read_name(c, "stdin", stream_kinds, COUNT(stream_kinds));
	m->has_stdin = has_stdin && has_stdin->type == JSON_TRUE;
	m->message = read_text(c, "message");
	m->status = (int32_t)read_number(c, "status");
	m->points = read_number(c, "points_used");
	m->event_hash = read_address(c, "event_hash");
	if (signature)
		m->signature = strtoull(signature, NULL, 16);
	if ((!ending || !ending_parse(ending, &m->ending)) && !c->wrong)
		c->wrong = "ending";
	if (json_member(c->root, "race"))
		read_race(c, m);
	if (json_member(c->root, "departs_at"))
		m->departs_at = read_number(c, "departs_at");
	m->every_operation = json_member(c->root, "every_operation");
	if (json_member(c->root, "directed"))
		read_directed(c, m);
}

static struct memory_config read_memory(struct manifest_reader *c)
{
	static const char *const standards[] = {"c11", "c++20"}, *const orders[] = {"any", "execution"};
	static const char *const volatiles[] = {"plain", "acqrel"};
	struct memory_config m = {.model = read_name(c, "memory_model", memory_models, MEMORY_MODELS),
	                          .reads = read_name(c, "reads", reads_names, READS_COUNT),
	                          .cxx20 = read_name(c, "std", standards, COUNT(standards)),
	                          .ordered = read_name(c, "modification_order", orders, COUNT(orders)),
	                          .volatiles = read_name(c, "volatile", volatiles, COUNT(volatiles)),
	                          .history = (uint32_t)read_number(c, "history")};

	if ((m.history < 2 || m.history > HISTORY_MOST) && !c->wrong)
		c->wrong = "history";
	return m;
}

/* The number after the operator, as the user wrote it. */
static double number_after_operator(const char *text)
{
	text += strcspn(text, "<>=!");
	return strtod(text + strspn(text, "<>=! "), NULL);
}

static void read_without(struct manifest_reader *whole, struct manifest *m)
{
	const struct json *list = json_member(whole->root, "without");

	m->blind = json_member(whole->root, "blind") != NULL;
	for (const struct json *at = list && list->type == JSON_ARRAY ? list->first : NULL; at; at = at->next) {
		struct manifest_reader c = {.root = at};
		if (m->nwithout == BOARD_WITHOUT)
			c.wrong = "without";
		else
			m->without[m->nwithout++] =
			        (struct board_code){read_address(&c, "low"), read_address(&c, "high")};
		if (c.wrong && !whole->wrong)
			whole->wrong = "without";
	}
}

static void read_passed(struct manifest_reader *whole, struct manifest *m)
{
	const struct json *list = json_member(whole->root, "passed");

	for (const struct json *at = list && list->type == JSON_ARRAY ? list->first : NULL; at; at = at->next) {
		struct manifest_reader c = {.root = at};
		if (m->ntolerated == BOARD_TOLERATED)
			c.wrong = "passed";
		else
			m->tolerated[m->ntolerated++] = read_address(&c, "place");
		if (c.wrong && !whole->wrong)
			whole->wrong = "passed";
	}
}

static void read_invariant(struct manifest_reader *c, struct board_invariant *v)
{
	char *text = read_text(c, "text");
	const struct json *negative = json_member(c->root, "negative");

	snprintf(v->text, sizeof v->text, "%s", text ? text : "");
	free(text);
	v->address = read_address(c, "address");
	v->size = (uint32_t)read_number(c, "size");
	v->type = read_name(c, "type", invariant_types, COUNT(invariant_types));
	v->operator_ = read_name(c, "operator", operators, COUNT(operators));
	v->negative = negative && negative->type == JSON_TRUE;
	v->number = read_number(c, "number");
	v->real = number_after_operator(v->text);
	if ((!v->size || v->size > 8 || (v->size & (v->size - 1)) || (v->type == INVARIANT_REAL && v->size < 4)) &&
	    !c->wrong)
		c->wrong = "size";
}

static void read_check(struct manifest_reader *whole, struct manifest *m)
{
	const struct json *list = json_member(whole->root, "invariants");

	m->check = read_name(whole, "check", checks, COUNT(checks));
	if (!list)
		return;
	for (const struct json *i = list->type == JSON_ARRAY ? list->first : NULL; i; i = i->next) {
		struct manifest_reader c = {.root = i};
		if (m->ninvariants == BOARD_INVARIANTS) {
			whole->wrong = whole->wrong ? whole->wrong : "invariants";
			return;
		}
		read_invariant(&c, &m->invariants[m->ninvariants++]);
		if (c.wrong && !whole->wrong)
			whole->wrong = "invariants";
	}
}

bool manifest_read(const char *path, struct manifest *m, struct error *e)
{
	static const char *const points[] = {"sync", "access"};
	struct bytes file;
	struct error detail;

	*m = (struct manifest){0};
	if (!file_read(path, FILE_LIMIT, &file, e))
		return false;
	struct json *root = json_read((char *)file.data, file.size, &detail);
	bytes_free(&file);
	if (!root)
		return error_set(e, "cannot read %s: %s", path, detail.text);
	struct manifest_reader c = {.root = root};
	const char *version = json_text(root, "omen"), *strategy = json_text(root, "strategy");
	if (!version || strcmp(version, OMEN_VERSION)) {
		error_set(e,
		          version ? "cannot read %s: written by omen %s, this is omen %s; record again"
		                  : "cannot read %s: not a manifest of Omen",
		          path, version, OMEN_VERSION);
		json_free(root);
		return false;
	}
	m->kind = read_name(&c, "kind", kinds, COUNT(kinds));
	m->program = read_text(&c, "program");
	m->path = read_text(&c, "path");
	m->build_id = read_text(&c, "build_id");
	m->cwd = read_text(&c, "cwd");
	m->argv = read_list(&c, "argv");
	m->env = read_list(&c, "env");
	m->memory = read_memory(&c);
	m->seed = read_number(&c, "seed");
	m->access_points = read_name(&c, "points", points, COUNT(points));
	const struct json *races = json_member(root, "races");
	m->races = races && races->type == JSON_TRUE;
	read_check(&c, m);
	m->event_budget = read_number(&c, "event_budget");
	m->timeout_ms = read_number(&c, "timeout_ms");
	if ((!strategy || !strategy_parse(strategy, &m->strategy)) && !c.wrong)
		c.wrong = "strategy";
	m->strategy.length = read_number(&c, "pct_length");
	if (m->argv && !m->argv[0] && !c.wrong)
		c.wrong = "argv";
	if (m->kind == MANIFEST_EXECUTION)
		read_execution(&c, m);
	read_without(&c, m);
	read_passed(&c, m);
	if (c.wrong) {
		error_set(e, "cannot read %s: \"%s\" is missing or wrong; record again", path, c.wrong);
		manifest_free(m);
	}
	json_free(root);
	return !c.wrong;
}

static void free_list(char **list)
{
	for (char **p = list; p && *p; p++)
		free(*p);
	free(list);
}

void manifest_free(struct manifest *m)
{
	free(m->program);
	free(m->path);
	free(m->build_id);
	free(m->cwd);
	free(m->message);
	free(m->race);
	free_list(m->argv);
	free_list(m->env);
	*m = (struct manifest){0};
}
