/*
 * Stands between Omen and the C library: what a thread is about to post is noted when it posts, behind the point that
 * Omen makes before it.
 */
#include <dlfcn.h>
#include <semaphore.h>
#include <stddef.h>

static int (*real)(sem_t *);
static _Thread_local struct {
	void (*note)(int self, int semaphore);
	int self, semaphore;
} next;

__attribute__((constructor)) static void find(void) { real = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_post"); }

void note_next_post(void (*note)(int self, int semaphore), int self, int semaphore)
{
	next.note = note;
	next.self = self;
	next.semaphore = semaphore;
}

int sem_post(sem_t *s)
{
	if (next.note)
		next.note(next.self, next.semaphore);
	next.note = NULL;
	return real(s);
}
