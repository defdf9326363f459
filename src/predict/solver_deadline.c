#include "predict/solver_deadline.h"

#include <time.h>

#include "predict/seconds.h"

#define WATCH_NS 50000000

static void *watch(void *context)
{
	struct deadline_watch *d = context;

	pthread_mutex_lock(&d->lock);
	while (!d->stop) {
		struct timespec t;
		if (d->deadline > 0 && seconds_now() > d->deadline)
			Z3_interrupt(d->z3);
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += WATCH_NS;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&d->changed, &d->lock, &t);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

void deadline_watch_start(struct deadline_watch *d, Z3_context z3)
{
	d->z3 = z3;
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->changed, NULL);
	d->watched = !pthread_create(&d->watcher, NULL, watch, d);
}

void deadline_watch_set(struct deadline_watch *d, double deadline)
{
	pthread_mutex_lock(&d->lock);
	d->deadline = deadline;
	pthread_mutex_unlock(&d->lock);
}

void deadline_watch_end(struct deadline_watch *d)
{
	if (d->watched) {
		pthread_mutex_lock(&d->lock);
		d->stop = true;
		pthread_cond_signal(&d->changed);
		pthread_mutex_unlock(&d->lock);
		pthread_join(d->watcher, NULL);
	}
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
}
