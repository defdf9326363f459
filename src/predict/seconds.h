/* The monotonic clock in seconds, for time limits. Anybody may call it. */
#ifndef OMEN_SECONDS_H
#define OMEN_SECONDS_H

#include <time.h>

static inline double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
