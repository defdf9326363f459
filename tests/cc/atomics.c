// flags: -mcx16 -Wno-atomic-alignment
// Every atomic operation in every size the hooks know, with its result used.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SIZES(X)                                                                                                       \
	X(1, int8_t, uint8_t)                                                                                          \
	X(2, int16_t, uint16_t) X(4, int32_t, uint32_t) X(8, int64_t, uint64_t) X(16, __int128, unsigned __int128)

static void show(const char *what, __int128 v)
{
	printf("%s %llx:%llx\n", what, (unsigned long long)(v >> 64), (unsigned long long)v);
}

#define TEST(N, S, U)                                                                                                  \
	static S s##N;                                                                                                 \
	static U u##N;                                                                                                 \
	static void test##N(void)                                                                                      \
	{                                                                                                              \
		S e = 1;                                                                                               \
		U old;                                                                                                 \
		__atomic_store_n(&s##N, (S)-5, __ATOMIC_RELEASE);                                                      \
		show("load", __atomic_load_n(&s##N, __ATOMIC_ACQUIRE));                                                \
		show("add", __atomic_fetch_add(&s##N, 3, __ATOMIC_SEQ_CST));                                           \
		show("sub", __atomic_sub_fetch(&s##N, (S)100, __ATOMIC_RELAXED));                                      \
		show("max", __atomic_fetch_max(&s##N, 4, __ATOMIC_ACQ_REL));                                           \
		show("min", __atomic_fetch_min(&s##N, (S)-9, __ATOMIC_ACQ_REL));                                       \
		__atomic_store_n(&u##N, (U) ~(U)0x0f, __ATOMIC_SEQ_CST);                                               \
		show("umax", __atomic_fetch_max(&u##N, 4, __ATOMIC_RELAXED));                                          \
		show("umin", __atomic_fetch_min(&u##N, (U)0xf5, __ATOMIC_RELAXED));                                    \
		show("and", __atomic_fetch_and(&u##N, (U)0x3c, __ATOMIC_RELAXED));                                     \
		show("or", __atomic_or_fetch(&u##N, (U)0x41, __ATOMIC_RELAXED));                                       \
		show("xor", __atomic_fetch_xor(&u##N, (U)-1, __ATOMIC_RELAXED));                                       \
		show("nand", __atomic_fetch_nand(&u##N, (U)0x3c, __ATOMIC_RELAXED));                                   \
		old = __atomic_exchange_n(&u##N, (U)77, __ATOMIC_SEQ_CST);                                             \
		show("xchg", old);                                                                                     \
		bool no = __atomic_compare_exchange_n(&s##N, &e, 5, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);        \
		show("seen", e);                                                                                       \
		bool yes = __atomic_compare_exchange_n(&s##N, &e, (S)-6, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);   \
		printf("cas %d %d\n", no, yes);                                                                        \
		while (!__atomic_compare_exchange_n(&s##N, &e, e - 1, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))       \
			;                                                                                              \
		show("end", s##N);                                                                                     \
		show("end", u##N);                                                                                     \
	}
SIZES(TEST)

static _Atomic float f = 1.5f;
static _Atomic double d = 2.5;
static _Atomic(char *) p;
static _Atomic long double ld = 1;
static _Atomic _Bool b;
static struct pair {
	int x, y;
} plain;
static _Atomic struct pair pair;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static volatile _Atomic int v;

int main(void)
{
	static char text[] = "abcdef";
	float seen = 1.5f;

#define CALL(N, S, U) test##N();
	SIZES(CALL)
	f += 2.25f;
	d -= 0.5;
	printf("%g %g\n", f, d);
	printf("%d\n", atomic_compare_exchange_strong(&f, &seen, 9.0f));
	printf("%g %g\n", seen, atomic_exchange(&d, 3.0));
	p = text;
	p++;
	printf("%s %s\n", atomic_fetch_add(&p, 2), p);
	ld *= 3;
	b = !b;
	plain = (struct pair){1, 2};
	pair = plain;
	plain = pair;
	printf("%Lg %d %d %d\n", ld, b, plain.x, plain.y);
	printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
	atomic_flag_clear(&flag);
	v++;
	atomic_thread_fence(memory_order_seq_cst);
	atomic_signal_fence(memory_order_acquire);
	printf("%d %d\n", v, __sync_fetch_and_add(&plain.x, 4));
	__sync_synchronize();
	printf("%d %d\n", plain.x, __sync_bool_compare_and_swap(&plain.x, 5, 8));
}
