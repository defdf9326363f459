// flags: -pthread -O0
// 1: memory-error heap overflow: write of 4 bytes right behind a block of 40 bytes
// 2: memory-error heap overflow: read of 4 bytes, 4 past the end of a block of 40 bytes, or 4 before a block of 40 bytes
// 3: memory-error heap overflow: write of 8 bytes, of which 3 are past the end of a block of 5 bytes
// 4: memory-error heap underflow: read of 4 bytes, 4 before a block of 40 bytes
// 5: memory-error use after free: read of 8 bytes inside a block of 24 bytes that T0 has freed
// 6: memory-error use after free: write of 4 bytes inside a block of 40 bytes that T1 has freed
// 7: memory-error use after free: write of 1 byte inside a block of 16 bytes that T0 has freed
// 8: memory-error heap overflow: write of 1 byte right behind a block of 10 bytes
// 9: memory-error heap overflow: write of 30 bytes, of which 10 are past the end of a block of 20 bytes
// 10: memory-error heap overflow: write of 1 byte right behind a block of 300000 bytes
// 11: memory-error use after free: write of 4 bytes inside a block of 4 bytes that T0 has freed
// 12: memory-error heap overflow: write of 4 bytes right behind a block of 100 bytes
// 13: memory-error heap overflow: write of 1 byte right behind a block of 0 bytes
// 14: memory-error heap overflow: read of 18 bytes, of which 2 are past the end of a block of 16 bytes
// 15: memory-error use after free: read of 1 byte inside a block of 9 bytes that T0 has freed
// 20: nothing
// 21: nothing
// 22: nothing
// 23: nothing
// 24: nothing
// 25: nothing
// 26: nothing
// 27: nothing
// 28: nothing
// 29: nothing

/* Blocks of the heap: beyond their ends, and after they are freed. From case 20 on the program is correct. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct flexible {
	int n;
	int values[];
};

union either {
	char small;
	long large;
};

struct bits {
	unsigned a : 3, b : 7, c : 20;
};

static volatile int ten = 10;

static void *release(void *block)
{
	free(block);
	return NULL;
}

static void *nothing(void *argument) { return argument; }

static void is(int right)
{
	if (!right)
		exit(3);
}

static void grows(void)
{
	int *p = NULL;

	for (int i = 0; i < 3000; i++) {
		p = realloc(p, (i + 1) * sizeof *p);
		p[i] = i;
	}
	for (int i = 0; i < 3000; i++)
		is(p[i] == i);
	p = realloc(p, 10 * sizeof *p);
	is(p[9] == 9);
	p = realloc(p, 200000);
	p[49999] = 1;
	p = realloc(p, 400000);
	p[99999] = 1;
	p = realloc(p, 4);
	is(p[0] == 0);
	free(p);
}

static void aligned(void)
{
	void *p;

	is(!posix_memalign(&p, 4096, 100));
	memset(p, 1, 100);
	free(p);
	p = aligned_alloc(64, 640);
	memset(p, 1, 640);
	free(p);
	p = memalign(32, 33);
	memset(p, 1, 33);
	p = realloc(p, 77);
	memset(p, 1, 77);
	free(p);
	p = malloc(13);
	memset(p, 1, malloc_usable_size(p));
	free(p);
}

static void of_the_library(void)
{
	char *text = NULL, *line = NULL, *copy = strdup("text"), *path = realpath("/", NULL);
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	for (int i = 0; i < 1000; i++)
		fprintf(f, "%d\n", i);
	fclose(f);
	is(text[size - 1] == '\n' && !text[size]);
	f = fmemopen(text, size, "r");
	size = 0;
	while (getline(&line, &size, f) > 0)
		is(line[0] >= '0');
	fclose(f);
	free(line);
	free(text);
	is(asprintf(&line, "%s %s", copy, path) == 6);
	is(!strcmp(line, "text /"));
	free(line);
	free(copy);
	free(path);
}

static void of_the_kernel(void)
{
	char *p = malloc(300000); /* mapped; later its pages serve other blocks */

	memset(p, 1, 300000);
	free(p);
	p = mmap(NULL, 400000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 2, 400000);
	p = mremap(p, 400000, 800000, MREMAP_MAYMOVE);
	memset(p, 2, 800000);
	munmap(p, 800000);
	p = calloc(100, 10000);
	is(!p[999999]);
	p[999999] = 1;
	free(p);
	for (int i = 0; i < 100; i++) {
		p = malloc(20000);
		memset(p, i, 20000);
		free(p);
	}
	malloc_trim(0);
	p = sbrk(100000);
	memset(p, 1, 100000);
}

static void on_own_stack(void)
{
	size_t size = 256 << 10;
	char *stack = aligned_alloc(4096, size);
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, size);
	for (int i = 0; i < 3; i++) {
		is(!pthread_create(&thread, &attributes, nothing, NULL));
		pthread_join(thread, NULL);
	}
	free(stack);
}

static void many(void)
{
	char *kept[2000];

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 2000; i++) {
			kept[i] = malloc(i);
			memset(kept[i], round, i);
		}
		for (int i = 0; i < 2000; i++)
			free(kept[i]);
	}
}

static void in_child(void)
{
	int status;
	char *p = malloc(100);
	pid_t child = fork();

	if (!child) {
		free(p);
		p = malloc(100);
		memset(p, 1, 100);
		_exit(0);
	}
	is(waitpid(child, &status, 0) == child && !status);
	memset(p, 1, 100);
	free(p);
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	int *p = malloc(40), *other = malloc(40);
	char *text = malloc(10), *gone;
	pthread_t thread;

	memset(p, 0, 40);
	switch (which) {
	case 1: p[ten] = 1; break; /* 1 */
	case 2: is(p[ten + 1] == 0); break; /* 2 */
	case 3: text = malloc(5); *(volatile long *)text = 1; break; /* 3 */
	case 4: is(p[ten - 11] == 0); break; /* 4 */
	case 5: { long *q = malloc(24); free(q); is(q[1] == 0); } break; /* 5 */
	case 6:
		pthread_create(&thread, NULL, release, p);
		pthread_join(thread, NULL);
		p[3] = 1; /* 6 */
		break;
	case 7:
		gone = malloc(16);
		text = realloc(gone, 5000);
		((char volatile *)gone)[1] = 1; /* 7 */
		break;
	case 8: for (int i = 0; i <= ten; i++) text[i] = 1; break; /* 8 */
	case 9: memset(malloc(20), 1, ten * 3); break; /* 9 */
	case 10: text = malloc(300000); text[30000 * ten] = 1; break; /* 10 */
	case 11: { atomic_int *a = malloc(sizeof *a); free(a); atomic_fetch_add(a, 1); } break; /* 11 */
	case 12: p = realloc(p, 100); p[ten + 15] = 1; break; /* 12 */
	case 13: text = malloc(ten - 10); *text = 1; break; /* 13 */
	case 14: text = malloc(16); memcpy(other, text, ten + 8); break; /* 14 */
	case 15: text = strdup("released"); free(text); is(strchr(text, 'r') == text); break; /* 15 */

	case 20: for (int i = 0; i < ten; i++) p[i] = i; free(p); free(NULL); break;
	case 21: grows(); break;
	case 22: aligned(); break;
	case 23: of_the_library(); break;
	case 24: of_the_kernel(); break;
	case 25: {
		struct flexible *f = malloc(sizeof *f + ten * sizeof(int));
		union either *u = malloc(sizeof(char));
		struct bits *b = malloc(sizeof *b);
		f->n = ten;
		f->values[f->n - 1] = 1;
		u->small = 1;
		b->a = 1;
		b->c = 2;
		is(b->c == 2 && f->values[9] == 1 && u->small == 1);
		free(f);
		free(u);
		free(b);
		break;
	}
	case 26: memmove(p, p + 1, 36); memmove(p + 1, p, 36); memcpy(p, other, 40); break;
	case 27: on_own_stack(); break;
	case 28: many(); break;
	case 29: in_child(); break;
	}
	puts("end");
	return 0;
}
