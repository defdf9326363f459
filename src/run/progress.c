#include "run/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define TICK_MS 100

static struct {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool running, terminal, shown;
	uint64_t every;
	const char *doing;
	size_t known, open;
	uint64_t executions;
	struct timespec start;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - state.start.tv_sec) + (double)(now.tv_nsec - state.start.tv_nsec) / 1e9;
}

/* With the lock held. */
static void print_line(double since)
{
	char races[64] = "", executions[64] = "";

	if (state.known)
		snprintf(races, sizeof races, " · %zu race%s, %zu open", state.known, state.known == 1 ? "" : "s",
		         state.open);
	if (state.executions)
		snprintf(executions, sizeof executions, " · %lu executions", state.executions);
	fprintf(stderr, "%s%s%s%s · %.0f s%s", state.terminal ? "\r\033[K" : "omen: ", state.doing, races, executions,
	        since, state.terminal ? "" : "\n");
	state.shown = state.terminal;
}

static void clear(void)
{
	if (state.shown)
		fputs("\r\033[K", stderr);
	state.shown = false;
}

static void *print_until_end(void *arg)
{
	double next = state.terminal ? 0 : (double)state.every;

	pthread_mutex_lock(&state.lock);
	while (state.running) {
		struct timespec until;
		double now = seconds();
		if (now >= next && state.doing) {
			print_line(now);
			next += state.terminal ? 0 : (double)state.every;
		}
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += TICK_MS * 1000000l;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&state.over, &state.lock, &until);
	}
	pthread_mutex_unlock(&state.lock);
	return arg;
}

void progress_begin(uint64_t every)
{
	pthread_condattr_t attributes;

	state.terminal = isatty(2);
	state.every = every;
	if (state.running || (!state.terminal && !every))
		return;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&state.over, &attributes);
	pthread_condattr_destroy(&attributes);
	clock_gettime(CLOCK_MONOTONIC, &state.start);
	state.running = true;
	if (pthread_create(&state.thread, NULL, print_until_end, NULL))
		state.running = false;
}

void progress_doing(const char *what)
{
	pthread_mutex_lock(&state.lock);
	if (!what)
		clear();
	state.doing = what;
	pthread_mutex_unlock(&state.lock);
}

void progress_races(size_t known, size_t open)
{
	pthread_mutex_lock(&state.lock);
	state.known = known;
	state.open = open;
	pthread_mutex_unlock(&state.lock);
}

void progress_executions(uint64_t made) { __atomic_store_n(&state.executions, made, __ATOMIC_RELAXED); }

void progress_end(void)
{
	pthread_mutex_lock(&state.lock);
	bool was = state.running;
	state.running = false;
	clear();
	if (was)
		pthread_cond_signal(&state.over);
	pthread_mutex_unlock(&state.lock);
	if (was)
		pthread_join(state.thread, NULL);
}
