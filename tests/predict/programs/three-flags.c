// flags: -pthread
// race A: hb
// race B: max

/*
 * Stages under one lock: a thread continues only after the stage before it. So the values order what the first wrote before
 * the third. `mark` of the second stage is written after its critical section (A); `note` of the first is ordered only by
 * a stage that its reader does not test (B).
 */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stage, data, mark, note, copy, got;

static void *first(void *unused)
{
	data = 1;
	note = 1; // race B
	pthread_mutex_lock(&lock);
	stage = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	if (stage == 1)
		stage = 2;
	pthread_mutex_unlock(&lock);
	mark = 1; // race A
	return unused;
}

static void *third(void *unused)
{
	int now;

	pthread_mutex_lock(&lock);
	now = stage;
	pthread_mutex_unlock(&lock);
	if (now == 2) {
		got = data;
		mark = 2; // race A
	}
	return unused;
}

static void *fourth(void *unused)
{
	pthread_mutex_lock(&lock);
	copy = stage;
	pthread_mutex_unlock(&lock);
	note = 2; // race B
	return unused;
}

int main(void)
{
	together(first, second, third, fourth);
	return got + mark + note + copy > 7;
}
