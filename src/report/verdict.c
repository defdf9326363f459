#include "report/verdict.h"

#include <stdlib.h>

#include "format/enum_names.h"

const char *verdict_name(enum verdict_kind kind)
{
	static const char *const names[VERDICTS] = {"unknown", "single-ordering", "k-witness-harmless",
	                                            "output-differs", "spec-violated"};
	return names[kind];
}

const char *verdict_words(enum verdict_kind kind)
{
	static const char *const words[VERDICTS] = {"unknown", "single ordering", "harmless", "output differs",
	                                            "spec violated"};
	return words[kind];
}

static const struct {
	const char *name, *sentence;
} patterns[] = {{NULL, NULL},
#define X(id, name, sentence) {name, sentence},
                PATTERNS(X)
#undef X
};

const char *pattern_name(enum pattern p) { return patterns[p].name; }

const char *pattern_sentence(enum pattern p) { return patterns[p].sentence; }

const char *consequence_name(uint32_t ending) { return ending_name(ending); }

void verdict_free(struct verdict *v)
{
	if (!v)
		return;
	if (v->alternate)
		execution_free(v->alternate);
	bytes_free(&v->difference.output[0]);
	bytes_free(&v->difference.output[1]);
	free(v->difference.stream);
	free(v->moments);
	free(v->evidence);
	free(v);
}
