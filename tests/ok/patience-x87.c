// flags: -pthread -O2

/* A loop that counts on the stack of x87, and nowhere else. */
#include <pthread.h>

#include "must.h"
#include "parts/wake.h"

/* A compiler would move it out of there for the syscall. */
__attribute__((no_sanitize("thread"))) static void *count(void *unused)
{
	const int most = LONG;
	int more;

	__asm__ volatile("fldz");
	do {
		__asm__ volatile("fld1\n\tfaddp");
		wake_nobody();
		__asm__ volatile("fildl %1\n\tfcomip %%st(1), %%st" : "=@cca"(more) : "m"(most));
	} while (more);
	__asm__ volatile("fstp %st(0)");
	return unused;
}

int main(void)
{
	pthread_t t;

	must(pthread_create(&t, NULL, count, NULL) == 0);
	must(pthread_join(t, NULL) == 0);
	puts("counted");
	return 0;
}
