// flags: -pthread
// race A: sp
// race B: max

/*
 * Two modules protect the same counter, each by its own lock, and both write a log: without shared lines in A, with a
 * common count of lines in B.
 */
#include "../../races/threads.h"

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER, count_lock = PTHREAD_MUTEX_INITIALIZER;
static int errors, warnings, line_a, line_b, lines;

static void *module_a(void *unused)
{
	pthread_mutex_lock(&lock_a);
	warnings = 1; // race B
	pthread_mutex_unlock(&lock_a);
	pthread_mutex_lock(&count_lock);
	lines++;
	pthread_mutex_unlock(&count_lock);
	pthread_mutex_lock(&lock_a);
	errors = 1; // race A
	pthread_mutex_unlock(&lock_a);
	pthread_mutex_lock(&log_lock);
	line_a = 1;
	pthread_mutex_unlock(&log_lock);
	return unused;
}

static void *module_b(void *unused)
{
	pthread_mutex_lock(&log_lock);
	line_b = 1;
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_lock(&lock_b);
	errors = 2; // race A
	pthread_mutex_unlock(&lock_b);
	pthread_mutex_lock(&count_lock);
	lines++;
	pthread_mutex_unlock(&count_lock);
	pthread_mutex_lock(&lock_b);
	warnings = 2; // race B
	pthread_mutex_unlock(&lock_b);
	return unused;
}

int main(void)
{
	together(module_a, module_b);
	return errors + warnings + line_a + line_b + lines > 8;
}
