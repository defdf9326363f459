/* What these programs share: threads that are started together and waited for. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stddef.h>

#define THREADS_MAX 8

typedef void *body(void *);

static inline void run_together(int n, body *const each[])
{
	pthread_t thread[THREADS_MAX];

	for (long i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, each[i], (void *)i);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

/* together(a, b, ...): a thread for each function; its argument is its number, from 0 on. */
#define together(...) run_together(sizeof((body *[]){__VA_ARGS__}) / sizeof(body *), (body *const[]){__VA_ARGS__})

#endif
