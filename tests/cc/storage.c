// Where variables live: thread-local, volatile, constant, on the stack and escaping from it. Functions that run early
// (constructors, ifunc) or without a frame (naked).
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static __thread int own = 3;
__thread long exported = 4;
static __thread int shown[4];
static int *leaked;
volatile int port = 1;
static const char message[] = "constant";
static int started;

__attribute__((constructor)) static void start(void) { started = 1; }

static int implementation(int n) { return n * 3; }
static int (*resolve(void))(int) { return implementation; }
int indirect(int n) __attribute__((ifunc("resolve")));

__attribute__((naked)) static int bare(int n) { __asm__("leal 1(%rdi), %eax\n\tret"); }

inline int c99_inline(int *p) { return *p += 1; }
extern int c99_inline(int *p);

static void *body(void *arg)
{
	own += *(int *)arg;
	exported += own;
	shown[1] = 5;
	leaked = shown;
	*(int *)arg = own + exported + leaked[1];
	return NULL;
}

static int escaping(void)
{
	int local = 10, copy[8] = {0}, *q = &local;
	pthread_t t;

	pthread_create(&t, NULL, body, q);
	pthread_join(t, NULL);
	memcpy(copy, &(int[8]){1, 2, 3, 4, 5, 6, 7, 8}, sizeof(copy));
	return local + copy[local % 8];
}

static int selects(int n)
{
	int a = 1, b = 2, *p = n > 2 ? &a : &b;

	for (int i = 0; i < n; i++) {
		*p += i;
		p = i % 2 ? &a : &b;
	}
	return a * 100 + b;
}

int main(void)
{
	int n = port;
	char text[sizeof(message)];

	port = port + port;
	memcpy(text, message, sizeof(text));
	printf("%d %d %s %d\n", n, port, text, started);
	printf("%d %d %ld\n", escaping(), own, exported);
	printf("%d %d %d %d\n", indirect(5), bare(6), c99_inline(&n), selects(7));
}
