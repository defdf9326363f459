// flags: -pthread -O0
// 1: memory-error global overflow: write of 4 bytes right behind a variable of 40 bytes
// 2: memory-error stack overflow: write of 4 bytes right behind a variable of 40 bytes
// 3: memory-error stack overflow: write of 4 bytes, 4 past the end of a variable of 40 bytes
// 4: memory-error stack overflow: write of 30 bytes, of which 14 are past the end of a variable of 16 bytes
// 5: memory-error global overflow: write of 30 bytes, of which 22 are past the end of a variable of 8 bytes
// 6: memory-error stack overflow: write of 30 bytes, of which 14 are past the end of a variable of 16 bytes
// 7: memory-error stack overflow: write of 20 bytes, of which 4 are past the end of a variable of 16 bytes
// 8: memory-error global overflow: write of 4 bytes, 4 before a variable of 40 bytes
// 9: memory-error stack overflow: write of 10 bytes, of which 4 are past the end of a variable of 16 bytes
// 10: memory-error stack overflow: read of 4 bytes right behind a variable of 40 bytes
// 11: memory-error global overflow: read of 8 bytes right behind a variable of 80 bytes
// 12: memory-error stack overflow: write of 1 byte right behind a variable of 10 bytes
// 13: memory-error global overflow: read of 20 bytes, of which 12 are past the end of a variable of 8 bytes
// 14: memory-error global overflow: write of 8 bytes right behind a variable of 80 bytes
// 20: nothing
// 21: nothing
// 22: nothing
// 23: nothing
// 24: nothing
// 25: nothing
// 26: nothing

/* Arrays on the stack and in global variables. From case 20 on the program is correct. */
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static int table[10];
static char name[8], target[32];
static double reals[10];
static void *pointers[10];
static struct {
	int n;
	char text[]; /* as long as its initialiser */
} greeting = {5, "hello"};
static struct {
	short a[3];
	int b[5];
} members;
static volatile int ten = 10;
static const char *volatile text = "much longer than it should be";
static jmp_buf back;

static void use(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

static void jump(int depth)
{
	int frame[20];

	for (int i = 0; i < 2 * ten; i++)
		frame[i] = depth;
	if (depth == frame[ten])
		use(frame);
	if (depth > 5)
		longjmp(back, 1);
	jump(depth + 1);
	use(frame);
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int sum(int n)
{
	int all = 0, squares[n];

	for (int i = 0; i < n; i++)
		squares[i] = i * i;
	for (int i = 0; i < n; i++)
		all += squares[n - 1 - i];
	return all;
}

struct five {
	char c[5];
};

static int by_value(struct five all, int i) { return all.c[i]; }

/* The kernel returns the full length, but writes only what fits. */
static void receive_short(void)
{
	char four[4];
	struct sockaddr address;
	socklen_t length = sizeof address;
	struct sockaddr_un name = {AF_UNIX, "\0a name that is longer than sixteen bytes"};
	int pair[2], bound = socket(AF_UNIX, SOCK_DGRAM, 0);

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) || send(pair[0], "too long", 8, 0) != 8)
		exit(3);
	if (recv(pair[1], four, sizeof four, MSG_TRUNC) != 8)
		exit(3);
	if (bind(bound, (struct sockaddr *)&name, sizeof name) || getsockname(bound, &address, &length) || length <= 16)
		exit(3);
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	int local[10], sized[ten];
	char line[16] = "", *dynamic = alloca(ten);

	for (int i = 0; i < 10; i++)
		local[i] = sized[i] = dynamic[i] = i;
	switch (which) {
	case 1: table[ten] = 1; break; /* 1 */
	case 2: local[ten] = 1; break; /* 2 */
	case 3: sized[ten + 1] = 2; break; /* 3 */
	case 4: strcpy(line, text); break; /* 4 */
	case 5: strcpy(name, text); break; /* 5 */
	case 6: sprintf(line, "%s", text); break; /* 6 */
	case 7: memset(line, 0, ten * 2); break; /* 7 */
	case 8: table[ten - 11] = 1; break; /* 8 */
	case 9: memcpy(line + ten, text, ten); break; /* 9 */
	case 10: return local[ten] != 5; /* 10 */
	case 11: printf("%f\n", reals[ten]); break; /* 11 */
	case 12: ((char *)alloca(ten))[ten] = 1; break; /* 12 */
	case 13: memcpy(target, name, 2 * ten); break; /* 13 */
	case 14: pointers[ten] = local; break; /* 14 */

	case 20:
		for (int i = 0; i < ten; i++)
			table[i] = local[9 - i] = sized[i];
		strcpy(line, "just fits in 16");
		memset(line, 0, ten + 6);
		memmove(line + 1, line, ten);
		snprintf(line, sizeof line, "%s", text);
		break;
	case 21:
		for (int i = 0; i < greeting.n; i++)
			greeting.text[i] ^= 32;
		puts(greeting.text);
		break;
	case 22: /* an access from the start of the structure may cross into the next member */
		for (int i = 0; i < 3; i++)
			members.a[i] = i;
		for (int i = 0; i < 5; i++)
			members.b[i] = i;
		for (int i = 0; i < (int)(sizeof members / sizeof(short)); i++)
			((short *)&members)[i] = 1;
		break;
	case 23: if (!setjmp(back)) jump(0); break;
	case 24: { int *one = table - 1; for (int i = 1; i <= ten; i++) one[i] = i; printf("%d\n", sum(100)); } break;
	case 25: printf("%d\n", by_value((struct five){"four"}, ten - 7)); qsort(local, 10, sizeof *local, compare); break;
	case 26: receive_short(); break;
	}
	puts("end");
	return local[9] + line[0] + sized[9] == 1 << 20;
}
