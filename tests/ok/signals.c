// flags: -pthread

/* Signals belong to threads: masks, pthread_kill, sigwait, sigtimedwait, sigqueue, signalfd, process-directed ones. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

static pthread_t handled_in;
static atomic_int handled;
static sem_t ready, handler_done;

static void handler(int number)
{
	must(number == SIGUSR1);
	handled_in = pthread_self();
	handled++;
	sem_post(&handler_done);
}

static sigset_t only(int number)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, number);
	return s;
}

static void *runs_handler(void *unused)
{
	sem_post(&ready);
	while (!handled)
		sched_yield();
	must(pthread_equal(handled_in, pthread_self()));
	return unused;
}

static void directed(void)
{
	struct sigaction action = {.sa_handler = handler};
	pthread_t thread;

	must(sigaction(SIGUSR1, &action, NULL) == 0);
	must(pthread_create(&thread, NULL, runs_handler, NULL) == 0);
	must(sem_wait(&ready) == 0);
	must(pthread_kill(thread, 0) == 0);
	must(pthread_kill(thread, SIGUSR1) == 0);
	must(pthread_join(thread, NULL) == 0);
	while (sem_wait(&handler_done) < 0)
		must(errno == EINTR);

	/* raise() has run the handler before it returns. */
	handled = 0;
	must(raise(SIGUSR1) == 0);
	must(handled == 1 && pthread_equal(handled_in, pthread_self()));
	must(sem_wait(&handler_done) == 0);
}

/* A blocked signal stays pending until it is unblocked. */
static void masked(void)
{
	sigset_t s = only(SIGUSR1), pending, old;

	handled = 0;
	must(pthread_sigmask(SIG_BLOCK, &s, &old) == 0 && !sigismember(&old, SIGUSR1));
	must(pthread_kill(pthread_self(), SIGUSR1) == 0);
	must(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
	must(handled == 0);
	must(pthread_sigmask(SIG_UNBLOCK, &s, NULL) == 0);
	must(handled == 1);
	must(sem_wait(&handler_done) == 0);
	must(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));
}

/* A signal for the process goes to the only thread that does not block it. */
static void *accepts(void *unused)
{
	sigset_t s = only(SIGUSR1);

	must(pthread_sigmask(SIG_UNBLOCK, &s, NULL) == 0);
	sem_post(&ready);
	while (!handled)
		sched_yield();
	must(pthread_equal(handled_in, pthread_self()));
	return unused;
}

static void for_the_process(void)
{
	sigset_t s = only(SIGUSR1);
	pthread_t thread;

	handled = 0;
	must(pthread_sigmask(SIG_BLOCK, &s, NULL) == 0);
	must(pthread_create(&thread, NULL, accepts, NULL) == 0);
	must(sem_wait(&ready) == 0);
	must(kill(getpid(), SIGUSR1) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(sem_wait(&handler_done) == 0);
}

static void *waits(void *unused)
{
	sigset_t s = only(SIGUSR2);
	int number;

	must(sigwait(&s, &number) == 0 && number == SIGUSR2);
	sem_post(&handler_done);
	siginfo_t info;
	must(sigwaitinfo(&s, &info) == SIGUSR2);
	must(info.si_code == SI_QUEUE && info.si_value.sival_int == 42);
	return unused;
}

static void waited_for(void)
{
	struct timespec soon = {0, 2000000}, now = {0, 0};
	sigset_t s = only(SIGUSR2);
	pthread_t thread;

	must(pthread_sigmask(SIG_BLOCK, &s, NULL) == 0);
	must(sigtimedwait(&s, NULL, &soon) == -1 && errno == EAGAIN);
	must(sigtimedwait(&s, NULL, &now) == -1 && errno == EAGAIN);
	must(raise(SIGUSR2) == 0);
	must(sigtimedwait(&s, NULL, &now) == SIGUSR2);
	must(pthread_create(&thread, NULL, waits, NULL) == 0);
	must(pthread_kill(thread, SIGUSR2) == 0);
	must(sem_wait(&handler_done) == 0);
	must(sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 42}) == 0);
	must(pthread_join(thread, NULL) == 0);
}

static void *sends(void *unused)
{
	must(kill(getpid(), SIGUSR2) == 0);
	return unused;
}

static void through_a_descriptor(void)
{
	struct signalfd_siginfo info;
	sigset_t s = only(SIGUSR2);
	pthread_t thread;
	int fd = signalfd(-1, &s, SFD_CLOEXEC);

	must(fd >= 0);
	must(pthread_create(&thread, NULL, sends, NULL) == 0);
	must(read(fd, &info, sizeof info) == sizeof info);
	must(info.ssi_signo == SIGUSR2 && info.ssi_pid == (unsigned)getpid());
	must(pthread_join(thread, NULL) == 0);
	close(fd);
}

int main(void)
{
	sem_init(&ready, 0, 0);
	sem_init(&handler_done, 0, 0);
	directed();
	puts("directed");
	masked();
	puts("masked");
	for_the_process();
	puts("for the process");
	waited_for();
	puts("waited for");
	through_a_descriptor();
	puts("ok");
	return 0;
}
