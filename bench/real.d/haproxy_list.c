/* haproxy's lists for several threads, as its tests/unit/test-list.c uses them, but for few operations: what is put in
 * comes out once, with what was written before. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define USE_THREAD
#include <haproxy/list.h>

#define THREADS 3
#define ROUNDS  8

struct item {
	struct mt_list link;
	int number;
};

__thread unsigned int tid;
static struct mt_list list = MT_LIST_HEAD_INIT(list);
static int sum[THREADS];

static void *work(void *arg)
{
	struct mt_list *step, keep;
	struct item *item;

	tid = (uintptr_t)arg;
	for (int i = 0; i < ROUNDS; i++) {
		item = malloc(sizeof *item);
		MT_LIST_INIT(&item->link);
		item->number = 1;
		if (i % 2)
			MT_LIST_TRY_APPEND(&list, &item->link);
		else
			MT_LIST_TRY_INSERT(&list, &item->link);
		if (i % 3 == 0) {
			item = MT_LIST_POP(&list, struct item *, link);
			if (item)
				sum[tid] += item->number;
			free(item);
		} else if (i % 3 == 1) {
			mt_list_for_each_entry_safe(item, &list, link, step, keep) {
				MT_LIST_DELETE_SAFE(step);
				sum[tid] += item->number;
				free(item);
				break;
			}
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	struct item *item;
	int all = 0;

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		all += sum[i];
	}
	while ((item = MT_LIST_POP(&list, struct item *, link))) {
		all += item->number;
		free(item);
	}
	printf("%d of %d\n", all, THREADS * ROUNDS);
	return all != THREADS * ROUNDS;
}
