/* A program whose results depend on when time passes: it prints sleeps, time limits, timers and clocks.  It always "fails",
 * so that the execution is kept. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t tokens;
static atomic_int ticks, work, running;

static void say(const char *who, long what)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	printf("%s %ld at %ld.%09ld after %d ticks, %d of work\n", who, what, t.tv_sec, t.tv_nsec, ticks, work);
}

static struct timespec soon(long nanoseconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += nanoseconds;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void on_tick(int unused) { atomic_fetch_add(&ticks, unused != 0); }

static void *sleeper(void *number)
{
	for (long i = 0; i < 4; i++) {
		usleep((useconds_t)(10 * ((long)number + 1) << 2 * i));
		say("sleeper", i);
		pthread_cond_signal(&changed);
	}
	atomic_fetch_sub(&running, 1);
	return NULL;
}

static void *waiter(void *unused)
{
	for (long i = 0; i < 4; i++) {
		struct timespec limit = soon(20000 << i);
		pthread_mutex_lock(&lock);
		say("condition", pthread_cond_timedwait(&changed, &lock, &limit));
		pthread_mutex_unlock(&lock);
		limit = soon(20000);
		say("semaphore", sem_timedwait(&tokens, &limit));
		limit = soon(1000);
		int busy = pthread_mutex_timedlock(&lock, &limit);
		say("lock", busy);
		if (!busy)
			pthread_mutex_unlock(&lock);
	}
	atomic_fetch_sub(&running, 1);
	return unused;
}

static void *reader(void *unused)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t times;

	timerfd_settime(timer, 0, &(struct itimerspec){{0, 70000}, {0, 400000}}, NULL);
	for (int i = 0; i < 3; i++) {
		say("poll", poll(&(struct pollfd){.fd = timer, .events = POLLIN}, 1, 1));
		if (read(timer, &times, sizeof times) == sizeof times)
			say("timer", (long)times);
	}
	close(timer);
	atomic_fetch_sub(&running, 1);
	return unused;
}

static void *worker(void *unused)
{
	while (atomic_load(&running)) {
		pthread_mutex_lock(&lock);
		if (atomic_fetch_add(&work, 1) % 16 == 0)
			sem_post(&tokens);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	void *(*const each[])(void *) = {sleeper, sleeper, waiter, reader, worker};
	pthread_t thread[5];

	running = 4;
	sem_init(&tokens, 0, 0);
	signal(SIGALRM, on_tick);
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 300}, {0, 300}}, NULL);
	for (long i = 0; i < 5; i++)
		pthread_create(&thread[i], NULL, each[i], (void *)i);
	for (int i = 0; i < 5; i++)
		pthread_join(thread[i], NULL);
	say("end", 0);
	return 1;
}
