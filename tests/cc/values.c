// Values of every shape pass through shared memory: odd integers, vectors, long double, bit-fields, aggregates, complex.
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef double w4 __attribute__((vector_size(32)));
typedef unsigned char b3 __attribute__((ext_vector_type(3)));

__int128 wide = 1;
long double extended = 1.25L;
float single = 0.5f;
double twice = 0.25;
_Float16 half = 1.5f16;
bool flag;
v4 four = {1, 2, 3, 4};
w4 doubles = {1, 2, 3, 4};
b3 three = {1, 2, 3};
_BitInt(24) bits24 = 1000;
_BitInt(200) bits200 = 5;
double complex z = 1 + 2 * I;
struct {
	unsigned a : 3, b : 7, c : 22;
	int64_t d : 40;
	bool e : 1;
} fields;
struct __attribute__((packed)) {
	char c;
	uint32_t i;
	double d;
} packed_values = {'c', 77, 1.5};
union {
	uint32_t i;
	float f;
} pun;
struct node {
	struct node *next;
	int value;
	char text[20];
} nodes[5], spare;
static const int primes[] = {2, 3, 5, 7, 11};

__attribute__((noinline)) static void work(int n)
{
	for (int i = 1; i <= n; i++) {
		wide = wide * 7 + i;
		extended = extended * 1.5L + i;
		single = single * 1.25f + i;
		twice += single / (float)i;
		half = half / 2 + i;
		flag = !flag;
		four = four * 3 + i;
		doubles = doubles / 2.0 + i;
		three = three + (b3){1, 2, 3};
		bits24 = bits24 * 3 + i;
		bits200 = bits200 * 1000003 + i;
		z = z * (0.5 + 0.5 * I) + i;
		fields.a += 3;
		fields.b ^= i * 5;
		fields.c += primes[i % 5];
		fields.d -= (int64_t)i << 20;
		fields.e ^= 1;
		packed_values.i += i;
		packed_values.d *= 1.5;
		pun.i = 0x3f800000 + i;
		twice += pun.f;
		nodes[i % 5].next = &nodes[(i + 1) % 5];
		nodes[i % 5].value += i;
		snprintf(nodes[i % 5].text, 20, "node %d", i);
		spare = nodes[i % 5];
		memmove(&nodes[1].text[2], &nodes[1].text[0], 8);
	}
}

int main(void)
{
	work(20);
	printf("%llx%016llx\n", (unsigned long long)(wide >> 64), (unsigned long long)wide);
	printf("%.10Lg %.8g %.12g %g %d\n", extended, single, twice, (double)half, flag);
	printf("%d %d %d %d\n", four[0], four[1], four[2], four[3]);
	printf("%g %g %g %g\n", doubles[0], doubles[1], doubles[2], doubles[3]);
	printf("%d %d %d %d %llx\n", three[0], three[1], three[2], (int)bits24, (unsigned long long)(bits200 >> 100));
	printf("%g %g\n", creal(z), cimag(z));
	printf("%u %u %u %lld %d\n", fields.a, fields.b, fields.c, (long long)fields.d, fields.e);
	printf("%c %u %g\n", packed_values.c, packed_values.i, packed_values.d);
	int total = 0;
	struct node *n = nodes;
	for (int i = 0; i < 12; i++, n = n->next)
		total = total * 3 + n->value;
	printf("%d %s %s\n", total, spare.text, nodes[1].text);
	memset(nodes, 0, sizeof(nodes));
	printf("%d\n", nodes[2].value);
}
