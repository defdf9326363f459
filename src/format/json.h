/*
 * A small JSON writer (json_writer.c) and a small, strict JSON reader (json_reader.c), for reports and manifests. Any
 * room of the tool may call this.
 *
 * Strings of a program (arguments, environment, output) are bytes, JSON's strings are Unicode. A byte that is not part
 * of valid UTF-8 is written as the lone surrogate \udc80 … \udcff and read back as the byte (Python's
 * "surrogateescape").
 */
#ifndef OMEN_JSON_H
#define OMEN_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "format/error.h"

/*
 * Start with all zero but `out`. The writer counts commas and indentation itself. `key` is NULL inside an array and for
 * the outermost value.
 */
struct json_writer {
	FILE *out;
	int depth;
	bool needs_comma;   /* a value precedes in the same object or array */
	int one_line_depth; /* 0, or the depth from which on a value stays on one line */
};

void json_open(struct json_writer *w, const char *key, char bracket);
void json_close(struct json_writer *w, char bracket);
void json_string(struct json_writer *w, const char *key, const char *value);
void json_bytes(struct json_writer *w, const char *key, const char *value, size_t size);
void json_number(struct json_writer *w, const char *key, uint64_t value);
void json_real(struct json_writer *w, const char *key, double value);
void json_bool(struct json_writer *w, const char *key, bool value);
/* An address, as the string "0x…": JSON readers may lose the low bits of a 64-bit number. */
void json_address(struct json_writer *w, const char *key, uint64_t value);

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_type type;
	char *key;          /* of a member of an object */
	char *text;         /* of a string; a number as written */
	struct json *first; /* members of an array or object, in order */
	struct json *next;
};

/* Reads one JSON text. NULL on failure, with line and column in `e`. There must be a NUL at text[size]. */
struct json *json_read(const char *text, size_t size, struct error *e);
void json_free(struct json *j);

/* A member of an object by name; NULL if there is none, or if `j` is not an object. */
const struct json *json_member(const struct json *j, const char *key);
/* The text of a string member; NULL if it is missing or not a string. */
const char *json_text(const struct json *j, const char *key);
/* A member that is a whole number ≥ 0; false if it is missing or is anything else. */
bool json_u64(const struct json *j, const char *key, uint64_t *value);

#endif
