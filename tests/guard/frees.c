// flags: -pthread -O0
// 1: memory-error double free: of a block of 24 bytes that T0 has freed
// 2: memory-error double free: of a block of 24 bytes that T1 has freed
// 3: memory-error invalid free: of a pointer 8 bytes into a block of 24 bytes
// 4: memory-error which is a variable or code
// 5: memory-error which is on a stack
// 6: memory-error invalid free: of a pointer 16 bytes into a block of 64 bytes
// 7: memory-error double free: of a block of 24 bytes that T0 has freed
// 8: memory-error invalid free: of a pointer 32 bytes into a block of 64 bytes that T0 has freed
// 9: memory-error invalid free: of 0x1, which is no memory
// 10: memory-error which is on a stack
// 20: nothing
// 21: nothing

/* Which pointers can be freed, and that a block is freed only once. From case 20 on the program is correct. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char variable[32] __attribute__((aligned(16)));
static char *volatile p;

static void *release(void *block)
{
	free(block);
	return NULL;
}

static void *release_own(void *unused)
{
	char local[64] __attribute__((aligned(16)));

	p = local;
	free(p); /* 5 */
	return unused;
}

static void run(void *(*start)(void *), void *argument)
{
	pthread_t thread;

	pthread_create(&thread, NULL, start, argument);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	p = malloc(24);
	switch (argc > 1 ? atoi(argv[1]) : 0) {
	case 1: free(p); free(p); break; /* 1 */
	case 2: run(release, p); free(p); break; /* 2 */
	case 3: free(p + 8); break; /* 3 */
	case 4: p = variable; free(p); break; /* 4 */
	case 5: run(release_own, NULL); break;
	case 6: p = malloc(64); free(p + 16); break; /* 6 */
	case 7: free(p); p = realloc(p, 100); break; /* 7 */
	case 8: p = malloc(64); free(p); free(p + 32); break; /* 8 */
	case 9: p = (char *)1; free(p); break; /* 9 */
	case 10: { char local[64] __attribute__((aligned(16))); p = local; free(p); } break; /* 10 */

	case 20: /* the same address again and again */
		free(p);
		for (int i = 0; i < 30000; i++) {
			p = malloc(24);
			memset(p, i, 24);
			free(p);
		}
		break;
	case 21: free(NULL); p = realloc(NULL, 10); p = realloc(p, 0); break;
	}
	puts("end");
	return 0;
}
