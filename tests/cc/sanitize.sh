#!/bin/sh
# sanitize.sh BUILD: the macros, attributes and options by which programs ask for ThreadSanitizer ask for Omen.
suite=cc/sanitize
. "$(dirname "$0")/lib.sh"

cat >feature.h <<'EOF'
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define CLANG_WAY 40
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define GCC_WAY 2
#endif
#ifndef CLANG_WAY
#define CLANG_WAY 0
#endif
#ifndef GCC_WAY
#define GCC_WAY 0
#endif
EOF
cat >feature.c <<'EOF'
#include <stdio.h>
#include "feature.h"
int main(void) { printf("%d\n", CLANG_WAY + GCC_WAY); return 0; }
EOF
cp feature.c feature.cc
cat >marks.c <<'EOF'
#include <string.h>
int shared, flag;
char text[8];
int counted(void) { return shared + (int)strlen(text); }
__attribute__((no_sanitize("thread"))) int no_sanitize(void)
{
	int n = 0;
	while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
		n += shared;
	return n + (int)strlen(text);
}
__attribute__((no_sanitize_thread)) int no_sanitize_thread(void) { return shared; }
__attribute__((disable_sanitizer_instrumentation)) int disabled(void)
{
	return __atomic_load_n(&flag, __ATOMIC_ACQUIRE) + shared;
}
EOF

# calls FUNCTION HOOK: does the function in x.s call a hook of this name?
calls() { awk -v start="^$1:" '$0 ~ start { on = 1 } /^.Lfunc_end/ { on = 0 } on' x.s | grep -q "omen_$2"; }
calls_not() { ! calls "$@"; }

for level in -O0 -O2; do
	check "$level: compile" $cc $level -S marks.c -o x.s
	check "$level: accesses count" calls counted slow_load
	check "$level: library calls count" calls counted slow_libcall
	check "$level: not with no_sanitize" calls_not no_sanitize slow_load
	check "$level: nor its library calls" calls_not no_sanitize slow_libcall
	check "$level: its atomics do" calls no_sanitize atomic_load
	check "$level: and its loops" calls no_sanitize slow_loop
	check "$level: no_sanitize_thread" calls_not no_sanitize_thread slow_load
	check "$level: disabled: nothing at all" calls_not disabled ""
	check "$level: nothing of ThreadSanitizer's" sh -c '! grep -q __tsan x.s'
done
check "--as-optimised" $cc -O2 --as-optimised -S marks.c -o x.s
check "--as-optimised: accesses count" calls counted slow_load
check "--as-optimised: not with no_sanitize" calls_not no_sanitize slow_load
check "--as-optimised: nothing of ThreadSanitizer's" sh -c '! grep -q __tsan x.s'

printf 'fun:counted\n' >list
check "ignorelist" $cc -O1 -fsanitize-ignorelist=list -S marks.c -o x.s
check "ignorelist: its function does not count" calls_not counted slow_load
printf '[thread]\nsrc:*marks.c\n' >list
check "ignorelist of a file" $cc -O1 -fsanitize-ignorelist=list -S marks.c -o x.s
check "ignorelist of a file: does not count" calls_not counted slow_load
check "-fno-sanitize-ignorelist" $cc -O1 -fsanitize-ignorelist=list -fno-sanitize-ignorelist -S marks.c -o x.s
check "-fno-sanitize-ignorelist: counts" calls counted slow_load
fails "missing ignorelist" "no such file" $cc -fsanitize-ignorelist=none -c marks.c

check "-fno-sanitize=thread" $cc -O1 -fno-sanitize=thread -S marks.c -o x.s
check "-fno-sanitize=thread: does not count" calls_not counted slow_load
check "-fno-sanitize=thread: atomics do" calls no_sanitize atomic_load
check "the last one wins" $cc -O1 -fno-sanitize=thread -fsanitize=thread -S marks.c -o x.s
check "the last one wins: counts" calls counted slow_load

clang-19 -O1 -Xclang -disable-llvm-passes -S -emit-llvm marks.c -o plain.ll
clang-19 -O1 -Xclang -disable-llvm-passes -fsanitize=thread -S -emit-llvm marks.c -o marked.ll
check "IR without marks" $cc -O1 -S plain.ll -o x.s
check "IR without marks: counts" calls no_sanitize_thread slow_load
check "IR with marks" $cc -O1 -S marked.ll -o x.s
check "IR with marks: counts" calls counted slow_load
check "IR with marks: or not" calls_not no_sanitize_thread slow_load

builds "the macros" $cc feature.c -o prog
builds "the macros in C++" $cxx feature.cc -o prog
builds "the macros in a preprocessed file" sh_c "$cc -E feature.c -o feature.i; $cc feature.i -o prog"
check "the macros in -E" sh -c "$cc -E feature.c | grep -q '40 + 2'"
check "the macros in assembly" sh -c "printf '#include \"feature.h\"\n.long CLANG_WAY + GCC_WAY\n' >f.S && \
	$cc -c f.S -o f.o && objdump -s f.o | grep -q 2a000000"
builds "the macros in a precompiled header" \
	sh_c "$cc -x c-header feature.h -o feature.h.pch; $cc -include-pch feature.h.pch feature.c -o prog"
prints "the macros with -fno-sanitize=thread" 0 sh_c "$cc -fno-sanitize=thread feature.c -o prog; ./prog"
check "-m32 -E" $cc -m32 -E feature.h

builds "-fsanitize=thread" $cc -fsanitize=thread feature.c -o prog
builds "-fsanitize=thread, compile and link" \
	sh_c "$cc -fsanitize=thread -c feature.c -o f.o; $cc -fsanitize=thread -static-libtsan f.o -ltsan -o prog"
check "nothing of ThreadSanitizer's runtime" sh -c '! nm -D prog | grep -q __tsan && ! ldd prog | grep -q tsan'
builds "-fsanitize=address,leak dropped" $cc -fsanitize=address,leak -fno-sanitize-recover=all \
	-fsanitize-address-use-after-scope -fsanitize-coverage=trace-pc -fsanitize-recover=address feature.c -o prog
check "nothing of AddressSanitizer's" sh -c '! nm prog | grep -q __asan'

cat >undefined.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include "feature.h"
int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", CLANG_WAY + GCC_WAY);
	fflush(stdout);
	return argc + 0x7fffffff > 0;
}
EOF
check "-fsanitize=undefined" $cc -fsanitize=address,undefined -c undefined.c -o x.o
check "-fsanitize=undefined stays" sh -c 'nm x.o | grep -q __ubsan_handle_add_overflow'
check "-fsanitize=undefined links" $cc -fsanitize=thread,undefined -fno-sanitize-recover=undefined undefined.c -o prog
fails "-fsanitize=undefined tells" "signed integer overflow" timeout 20 ./prog
check "-fsanitize-trap needs no runtime" sh -c "$cc -fsanitize=undefined -fsanitize-trap=all undefined.c -o prog && \
	! nm prog | grep -q ubsan"
prints "no temporary files left" "" ls tmp
exit $failures
