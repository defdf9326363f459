#include "trace.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
	unsigned long thread; /* 0: free */
	char text[16];
};

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER; /* the stream, and nothing else */
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static FILE *stream;
static int running, on;
static enum trace_level level_of[TRACE_UNITS];
static int verbose; /* some unit wants debug messages: so that most calls can return at once */

static struct name *names; /* by thread, open addressing */
static int named;

static struct {
	char text[TRACE_RING][TRACE_TEXT];
	unsigned head, tail;
} ring;

static unsigned sequence;               /* counting */
static unsigned long counts[4], longest; /* nobody */
static unsigned dropped;

static unsigned long self(void) { return (unsigned long)pthread_self() >> 12; }

void trace_start(const char *path)
{
	stream = path ? fopen(path, "w") : stdout;
	names = calloc(TRACE_THREADS, sizeof *names);
	for (int i = 0; i < TRACE_UNITS; i++)
		level_of[i] = TRACE_INFO;
	running = on = 1;
}

void trace_end(void)
{
	if (!running)
		return;
	trace_flush();
	free(names); /* two who come here at once */
	running = 0;
}

/* ---- threads ---- */

void trace_thread(const char *name)
{
	unsigned long me = self();

	for (unsigned i = me % TRACE_THREADS, n = 0; n < TRACE_THREADS; i = (i + 1) % TRACE_THREADS, n++) {
		if (names[i].thread && names[i].thread != me)
			continue;
		names[i].thread = me;
		snprintf(names[i].text, sizeof names[i].text, "%s", name);
		named++;
		return;
	}
}

static const char *my_name(void)
{
	unsigned long me = self();

	for (unsigned i = me % TRACE_THREADS, n = 0; n < TRACE_THREADS; i = (i + 1) % TRACE_THREADS, n++)
		if (names[i].thread == me)
			return names[i].text;
	return "?";
}

/* ---- what is wanted ---- */

void trace_set_level(int unit, enum trace_level level)
{
	level_of[unit] = level;
	if (level == TRACE_DEBUG)
		verbose = 1;
}

void trace_switch(int value) { on = value; }

void trace_redirect(const char *path)
{
	FILE *to = fopen(path, "w");

	if (!to)
		return;
	trace_flush();
	stream = to; /* a message under way goes to the old one */
}

/* ---- messages ---- */

/* One slot of the ring; the oldest message is lost when there is none. */
static char *slot(void)
{
	unsigned at = ring.head++;

	if (ring.head - ring.tail > TRACE_RING) {
		ring.tail++;
		dropped++;
	}
	return ring.text[at % TRACE_RING];
}

static unsigned next_number(void)
{
	pthread_mutex_lock(&counting);
	unsigned n = ++sequence;
	pthread_mutex_unlock(&counting);
	return n;
}

void trace(int unit, enum trace_level level, const char *format, ...)
{
	char text[TRACE_TEXT];
	va_list arguments;

	if (!on || (level == TRACE_DEBUG && !verbose) || level < level_of[unit])
		return;
	va_start(arguments, format);
	int length = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if ((unsigned long)length > longest)
		longest = (unsigned long)length;
	counts[level]++;
	next_number();
	if (level >= TRACE_WARN) {
		pthread_mutex_lock(&writing);
		fprintf(stream, "%s: unit %d: %s\n", my_name(), unit, text);
		pthread_mutex_unlock(&writing);
	} else {
		snprintf(slot(), TRACE_TEXT, "%s: %s", my_name(), text);
	}
}

void trace_flush(void)
{
	pthread_mutex_lock(&writing);
	while (ring.tail != ring.head)
		fprintf(stream, "%s\n", ring.text[ring.tail++ % TRACE_RING]);
	fflush(stream);
	pthread_mutex_unlock(&writing);
}

void trace_statistics(void)
{
	pthread_mutex_lock(&writing);
	fprintf(stream, "%u messages: %lu, %lu, %lu, %lu; longest %lu; %u lost; %d threads\n", sequence, counts[0], counts[1],
	        counts[2], counts[3], longest, dropped, named);
	pthread_mutex_unlock(&writing);
}
