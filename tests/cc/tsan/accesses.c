/*
 * The runtime sees the accesses of code that uses only ThreadSanitizer's interface: clang and gcc compile this file with
 * -fsanitize=thread, and omen-cc compiles it too.  Each case passes a value from one thread to another in its own way.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

int omen_raced(const volatile void *address, unsigned long size);
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
void __tsan_mutex_post_lock(void *addr, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *addr, unsigned flags);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
void AnnotateHappensBefore(const char *file, int line, const volatile void *addr);
void AnnotateHappensAfter(const char *file, int line, const volatile void *addr);
void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long writes);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long writes);

struct __attribute__((packed)) odd {
	char c;
	long value;
};
struct large {
	long value[9];
};

/* The private variables of a case. */
struct room {
	_Alignas(16) char data[128];
	_Atomic int ready;
	_Atomic long ready8;
	_Atomic __int128 *none;
	pthread_mutex_t mutex;
	int key;
};

static void wait_for(struct room *r)
{
	while (!atomic_load_explicit(&r->ready, memory_order_relaxed))
		;
}

static void tell(struct room *r) { atomic_store_explicit(&r->ready, 1, memory_order_relaxed); }

/* X(name, does it race, what one thread does, what the other does) */
#define CASES(X)                                                                                                       \
	X(plain, 1, *(int *)r->data = 1, *(int *)r->data = 2)                                                          \
	X(char, 1, r->data[3] = 1, sink = r->data[3])                                                                  \
	X(other_bytes, 0, r->data[3] = 1, sink = r->data[4])                                                           \
	X(double, 1, *(double *)r->data = 1, sink = (long)*(double *)r->data)                                          \
	X(unaligned, 1, ((struct odd *)r->data)->value = 1, ((struct odd *)r->data)->value = 2)                        \
	X(copy, 1, *(struct large *)r->data = large, sink = r->data[70])                                               \
	X(compound, 1, *(int *)r->data += 1, sink = *(int *)r->data)                                                   \
	X(volatile, 1, *(volatile int *)r->data = 1, sink = *(volatile int *)r->data)                                  \
	X(reads, 0, sink = r->data[0], sink = r->data[0])                                                              \
	X(relaxed, 1, r->data[0] = 1; tell(r), wait_for(r); r->data[0] = 2)                                            \
	X(release, 0, r->data[0] = 1; atomic_store_explicit(&r->ready, 1, memory_order_release),                       \
	                              while (!atomic_load_explicit(&r->ready, memory_order_acquire));                  \
	  r->data[0] = 2)                                                                                              \
	X(release8, 0, r->data[0] = 1; atomic_store_explicit(&r->ready8, 1, memory_order_release),                     \
	                               while (!atomic_load_explicit(&r->ready8, memory_order_acquire));                \
	  r->data[0] = 2)                                                                                              \
	X(release_only, 1, r->data[0] = 1; atomic_store_explicit(&r->ready, 1, memory_order_release), wait_for(r);     \
	  r->data[0] = 2)                                                                                              \
	X(update, 0, r->data[0] = 1; atomic_fetch_add_explicit(&r->ready, 1, memory_order_release),                    \
	                             while (!atomic_fetch_or_explicit(&r->ready, 0, memory_order_acquire));            \
	  r->data[0] = 2)                                                                                              \
	X(exchange, 0, r->data[0] = 1; atomic_exchange(&r->ready, 1), while (!atomic_exchange(&r->ready, 0));          \
	  r->data[0] = 2)                                                                                              \
	X(compare_exchange, 0, r->data[0] = 1; int zero = 0;                                                           \
	  atomic_compare_exchange_strong(&r->ready, &zero, 1), int one; do one = 1;                                    \
	  while (!atomic_compare_exchange_weak(&r->ready, &one, 2)); r->data[0] = 2)                                   \
	X(                                                                                                             \
	        failed_exchange, 0, r->data[0] = 1; atomic_store(&r->ready, 7), int e; do {                            \
		        e = 9;                                                                                         \
		        sink = atomic_compare_exchange_strong(&r->ready, &e, 2);                                       \
	        } while (e != 7);                                                                                      \
	        r->data[0] = 2)                                                                                        \
	X(fences, 0, r->data[0] = 1; atomic_thread_fence(memory_order_release); tell(r), wait_for(r);                  \
	  atomic_thread_fence(memory_order_acquire); r->data[0] = 2)                                                   \
	X(signal_fences, 1, r->data[0] = 1; atomic_signal_fence(memory_order_release); tell(r), wait_for(r);           \
	  atomic_signal_fence(memory_order_acquire); r->data[0] = 2)                                                   \
	X(mutex, 0, pthread_mutex_lock(&r->mutex); r->data[0] = 1;                                                     \
	  pthread_mutex_unlock(&r->mutex), pthread_mutex_lock(&r->mutex); r->data[0] = 2;                              \
	  pthread_mutex_unlock(&r->mutex))                                                                             \
	X(spin_on_plain, 1, *(volatile char *)r->data = 1, while (!*(volatile char *)r->data))                         \
	X(tsan_release, 0, r->data[0] = 1; __tsan_release(&r->key); tell(r), wait_for(r); __tsan_acquire(&r->key);     \
	  r->data[0] = 2)                                                                                              \
	X(tsan_acquire_only, 1, r->data[0] = 1; tell(r), wait_for(r); __tsan_acquire(&r->key); r->data[0] = 2)         \
	X(happens_before, 0, r->data[0] = 1; AnnotateHappensBefore("", 1, &r->key); tell(r), wait_for(r);              \
	  AnnotateHappensAfter("", 1, &r->key); r->data[0] = 2)                                                        \
	X(tsan_mutex, 0, r->data[0] = 1; __tsan_mutex_pre_unlock(&r->key, 0); tell(r), wait_for(r);                    \
	  __tsan_mutex_post_lock(&r->key, 0, 0); r->data[0] = 2)                                                       \
	X(rwlock, 0, r->data[0] = 1; AnnotateRWLockReleased("", 1, &r->key, 1); tell(r), wait_for(r);                  \
	  AnnotateRWLockAcquired("", 1, &r->key, 0); r->data[0] = 2)                                                   \
	X(readers_do_not_order, 1, r->data[0] = 1; AnnotateRWLockReleased("", 1, &r->key, 0); tell(r), wait_for(r);    \
	  AnnotateRWLockAcquired("", 1, &r->key, 0); r->data[0] = 2)                                                   \
	X(ignored, 0, __tsan_ignore_thread_begin(); r->data[0] = 1; __tsan_ignore_thread_end(), r->data[0] = 2)

static volatile long sink;
static struct large large;

#define X(name, races, first, second)                                                                                  \
	static void first_##name(struct room *r) { first; }                                                            \
	static void second_##name(struct room *r) { second; }
CASES(X)
#undef X

static struct test {
	const char *name;
	int races;
	void (*first)(struct room *), (*second)(struct room *);
	struct room room;
} tests[] = {
#define X(name, races, first, second) {#name, races, first_##name, second_##name, {.mutex = PTHREAD_MUTEX_INITIALIZER}},
        CASES(X)
#undef X
};

static void *run_first(void *t)
{
	((struct test *)t)->first(&((struct test *)t)->room);
	return NULL;
}

int main(int argc, char **argv)
{
	for (struct test *t = tests; t < tests + sizeof(tests) / sizeof(*tests); t++) {
		pthread_t thread;
		pthread_create(&thread, NULL, run_first, t);
		t->second(&t->room);
		pthread_join(thread, NULL);
		int raced = omen_raced(t->room.data, sizeof(t->room.data));
		printf("%s cc/tsan %s %s%s\n", raced == t->races ? "ok" : "FAIL", argc > 1 ? argv[1] : "", t->name,
		       raced == t->races ? ""
		       : raced           ? ": races"
		                         : ": does not race");
	}
}
