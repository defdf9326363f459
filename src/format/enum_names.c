#include "format/enum_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "abi/syscall_names.h"

#define PCT_DEPTH 3 /* finds every bug of depth at most 3, which most published bugs have */

static const struct {
	const char *name;
	bool failure;
} endings[] = {
#define X(id, name, failure) [ENDING_##id] = {name, failure},
        ENDINGS(X)
#undef X
};

static const char *const strategies[] = {
#define X(id, name) [STRATEGY_##id] = name,
        STRATEGIES(X)
#undef X
};

const char *const memory_models[] = {[MEMORY_SC] = "sc", [MEMORY_C11] = "c11"};
const char *const reads_names[] = {[READS_UNIFORM] = "uniform", [READS_OLDEST] = "oldest", [READS_NEWEST] = "newest"};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

const char *ending_name(uint32_t ending) { return ending < COUNT(endings) ? endings[ending].name : "unknown"; }

bool ending_parse(const char *name, uint32_t *ending)
{
	for (uint32_t i = 0; i < COUNT(endings); i++) {
		if (strcmp(endings[i].name, name))
			continue;
		*ending = i;
		return true;
	}
	return false;
}

bool ending_is_failure(uint32_t ending) { return ending < COUNT(endings) ? endings[ending].failure : true; }

bool ending_is_complete(uint32_t ending, int32_t status)
{
	return ending == ENDING_EXIT || ending == ENDING_STATUS || (ending == ENDING_ENDED && !status);
}

void strategy_format(const struct strategy_config *s, char *out, size_t size)
{
	const char *name = s->id < COUNT(strategies) ? strategies[s->id] : "unknown";

	if (s->id == STRATEGY_PCT)
		snprintf(out, size, "%s:%u", name, s->depth);
	else
		snprintf(out, size, "%s", name);
}

bool strategy_parse(const char *text, struct strategy_config *s)
{
	size_t length = strcspn(text, ":");

	for (uint32_t i = 0; i < COUNT(strategies); i++) {
		if (strlen(strategies[i]) != length || strncmp(strategies[i], text, length))
			continue;
		*s = (struct strategy_config){.id = i};
		if (i == STRATEGY_PCT)
			s->depth = PCT_DEPTH;
		if (!text[length])
			return true;
		char *end;
		unsigned long depth = strtoul(text + length + 1, &end, 10);
		if (i != STRATEGY_PCT || text[length + 1] < '0' || text[length + 1] > '9' || *end || depth < 1 ||
		    depth > 1000)
			return false;
		s->depth = (uint32_t)depth;
		return true;
	}
	return false;
}

void signal_format(int signal, char *out, size_t size)
{
	const char *name = sigabbrev_np(signal), *what = sigdescr_np(signal);

	if (name)
		snprintf(out, size, "SIG%s (%s)", name, what);
	else
		snprintf(out, size, "signal %d", signal);
}

void syscall_format(uint32_t nr, char *out, size_t size)
{
	static const char *const names[] = {
#define X(name) [SYS_##name] = #name,
	        SYSCALLS(X)
#undef X
	};

	if (nr < COUNT(names) && names[nr])
		snprintf(out, size, "%s", names[nr]);
	else
		snprintf(out, size, "syscall %u", nr);
}
