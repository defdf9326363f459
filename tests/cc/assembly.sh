#!/bin/sh
# assembly.sh BUILD: inline assembly: which hooks omen-cc adds, and what happens to assembly that it does not understand.
# tests/silent/asm-*.c and tests/races/asm*.c test assembly that it understands.
suite=cc/assembly
. "$(dirname "$0")/lib.sh"

# A lock whose address is only in a register that the assembly text names.
cat >unseen.c <<'EOF'
#include <pthread.h>
static int word, n;
static void *work(void *arg)
{
	int busy;
	do
		__asm__ volatile("movq %1, %%rcx; lock; btsl $0, (%%rcx); sbbl %0, %0" : "=r"(busy) : "r"(&word) : "rcx", "memory", "cc");
	while (busy);
	n++;
	__asm__ volatile("movq %0, %%rcx; movl $0, (%%rcx)" : : "r"(&word) : "rcx", "memory");
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return n != 2;
}
EOF
check "what is not understood" $cc -g unseen.c -pthread -o unseen
check "marks what it may order" sh_c "'$omen' record -- ./unseen >said 2>&1 || true; grep -q 'code that Omen cannot see into may order' said"
check "and no interleavings are all" sh_c "'$omen' triage --budget 5 -- ./unseen >said 2>&1 || true; grep -q '^race' said; ! grep -q 'all .* interleavings' said"

# calls NAME WANT HOOK: how often the hook is called in x.c.
calls() {
	$cc -O1 -S -emit-llvm x.c -o x.ll >log 2>&1 || { bad "$1" "$(head -1 log)" && return; }
	got=$(grep -c "call .*@$3(" x.ll)
	if [ "$got" = "$2" ]; then ok "$1"; else bad "$1" "$got calls of $3, not $2"; fi
}
cat >x.c <<'EOF'
void f(void) { __asm__ volatile("" : : : "memory"); __asm__ volatile("rep; nop" : : : "memory"); }
unsigned long g(void) { unsigned a, d; __asm__ volatile("rdtsc" : "=a"(a), "=d"(d)); return a + ((unsigned long)d << 32); }
void h(void *to, const void *from, unsigned long n) { __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory"); }
long k(long a, long b) { __asm__("xchgq %0, %1" : "+r"(a), "+r"(b)); return a - b; }
unsigned l(void) { unsigned a = 0; __asm__ volatile("cpuid" : "+a"(a) : : "ebx", "ecx", "edx", "memory"); return a; }
EOF
calls "what orders nothing is not told" 0 'omen_assembly[a-z_]*'
cat >x.c <<'EOF'
void f(void) { __asm__ volatile("mfence" : : : "memory"); }
EOF
calls "a fence" 1 omen_fence
cat >x.c <<'EOF'
int f(volatile int *p)
{
	__asm__ goto("lock; btsl $0, %0; jc %l[busy]" : : "m"(*p) : "memory", "cc" : busy);
	return 1;
busy:
	return 0;
}
EOF
calls "asm goto" 1 omen_assembly_before
cat >x.c <<'EOF'
struct big { char at[100]; };
void f(struct big *p, long *q) { __asm__ volatile("incq %1" : "=m"(*p), "+m"(*q)); }
void g(int *p, int *q) { __asm__ volatile("movl $1, (%0)" : : "r"(p), "m"(*q)); }
EOF
calls "operands that are not used" 2 omen_assembly_before
cat >x.c <<'EOF'
__attribute__((no_sanitize("thread"))) int f(int *p, int n) { __asm__("addl %1, %0" : "+m"(*p) : "r"(n)); return n; }
__attribute__((no_sanitize("thread"))) int g(int *p, int n) { __asm__("lock; xaddl %1, %0" : "+m"(*p), "+r"(n)); return n; }
EOF
calls "no_sanitize: only what synchronises" 1 omen_assembly_before
printf 'int main(void) { int v = 1, m = 0; __asm__ volatile("xchg %%0, %%1" : "+r"(v), "+m"(m) : : "memory"); return v; }' >intel.c
check "Intel's syntax" sh_c "$cc -masm=intel intel.c -o intel; ./intel"
