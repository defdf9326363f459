// flags: -pthread

/* setjmp/longjmp within threads, siglongjmp out of a fault handler on an alternate stack, makecontext. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include "must.h"

static __thread sigjmp_buf back;
static __thread char *alternate;

static void deep(jmp_buf to, int depth)
{
	if (depth == 0)
		longjmp(to, 5);
	sched_yield();
	deep(to, depth - 1);
}

static void on_fault(int number)
{
	char here;

	must(number == SIGSEGV);
	must(&here >= alternate && &here < alternate + 65536);
	siglongjmp(back, 1);
}

static void *jumps(void *number)
{
	volatile long kept = (long)number;
	jmp_buf there;

	for (volatile int i = 0; i < 3; i++) {
		int r = setjmp(there);
		if (r == 0)
			deep(there, 5);
		must(r == 5 && kept == (long)number);
	}

	alternate = malloc(65536);
	stack_t stack = {.ss_sp = alternate, .ss_size = 65536}, off = {.ss_flags = SS_DISABLE};
	must(sigaltstack(&stack, NULL) == 0);
	if (sigsetjmp(back, 1) == 0) {
		*(volatile int *)16 = 1;
		must(!"reached");
	}
	must(kept == (long)number);
	must(sigaltstack(&off, NULL) == 0);
	free(alternate);
	return NULL;
}

static ucontext_t outer, inner;
static int steps;

static void coroutine(void)
{
	for (int i = 0; i < 3; i++) {
		steps++;
		must(swapcontext(&inner, &outer) == 0);
	}
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
	static char stack[65536];
	pthread_t thread[3];

	must(sigaction(SIGSEGV, &action, NULL) == 0);
	for (long i = 0; i < 3; i++)
		must(pthread_create(&thread[i], NULL, jumps, (void *)i) == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL) == 0);

	must(getcontext(&inner) == 0);
	inner.uc_stack.ss_sp = stack;
	inner.uc_stack.ss_size = sizeof stack;
	inner.uc_link = &outer;
	makecontext(&inner, coroutine, 0);
	for (int i = 1; i <= 3; i++) {
		must(swapcontext(&outer, &inner) == 0);
		must(steps == i);
	}
	puts("ok");
	return 0;
}
