#!/bin/sh
# libcalls.sh BUILD: what library functions access on behalf of instrumented code.
# Without a log the runtime merges no accesses: all races are certain at once.
suite=cc/libcalls
. "$(dirname "$0")/lib.sh"

for flags in -O0 -O2 "-O2 -D_FORTIFY_SOURCE=2" "-O1 -fno-builtin"; do
	check "ranges $flags" $cc -g $flags -Wno-all -D_GNU_SOURCE -I"$build" "$here/libcalls/ranges.c" -pthread -o ranges
	timeout 60 "$omen" record --no-log -- ./ranges 2>err | sed "s/cc.libcalls/& $flags/" | tee said
	grep -q 'ok .* swprintf$' said || bad "$flags" "not done: $(tail -n 1 said) $(tail -n 1 err)"
done

# hooks NAME WANT FILE [FLAGS]: how often the hooks are called, before and after, in the file's functions.
hooks() {
	name=$1 want=$2 file=$3
	shift 3
	$cxx -O1 "$@" -S -emit-llvm "$file" -o x.ll >log 2>&1 || { bad "$name" "$(head -1 log)" && return; }
	got="$(grep -c 'call .*@omen_slow_libcall_before' x.ll) $(grep -c 'call .*@omen_slow_libcall_after' x.ll)"
	if [ "$got" = "$want" ]; then ok "$name"; else bad "$name" "$got, not $want"; fi
}

cat >own.c <<'EOF'
unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }
static int read(int fd, void *buf, unsigned long n) { *(char *)buf = (char)n; return fd; }
unsigned long f(const char *s, char *b) { return strlen(s) + (unsigned long)read(3, b, 2); }
EOF
hooks "functions of the program's own" "0 0" own.c -x c -fno-builtin
cat >other.c <<'EOF'
struct s { long x[3]; };
int read(void *), write(int, void *, double), recv(int, int, int, int), send(int, void *, long, int, int);
struct s stat(const char *, void *);
double pread(int, void *, long, long);
int f(void *p)
{
	return read(p) + write(1, p, 1.0) + recv(1, 2, 3, 4) + send(1, p, 2, 3, 4) + stat("", p).x[1] + pread(1, p, 2, 3);
}
EOF
hooks "other functions of these names" "0 0" other.c -x c -fno-builtin
cat >old.c <<'EOF'
char *strcpy(); long read();
void f(char *a, char *b) { strcpy(a, b); read(0, a, 3ul); }
EOF
hooks "declared without a prototype" "2 1" old.c -x c -fno-builtin -std=c89 -Wno-all
cat >pointer.c <<'EOF'
#include <string.h>
unsigned long f(const char *s) { unsigned long (*volatile p)(const char *) = strlen; return p(s); }
EOF
hooks "not through a pointer" "0 0" pointer.c -x c
cat >constant.c <<'EOF'
#include <stdio.h>
void f(int n) { printf("%d\n", n); puts("x"); fprintf(stderr, "%d", n); }
void g(const char *s) { printf(s); }
EOF
hooks "constant formats: printing is a step" "4 0" constant.c -x c -Wno-all
cat >tail.c <<'EOF'
#include <unistd.h>
ssize_t f(int fd, void *b, size_t n) { __attribute__((musttail)) return read(fd, b, n); }
EOF
hooks "nothing between a musttail call and its return" "1 0" tail.c -x c
cat >tail2.c <<'EOF'
#include <string.h>
size_t f(const char *s) { __attribute__((musttail)) return strlen(s); }
EOF
hooks "before a musttail call" "1 0" tail2.c -x c
cat >invoke.cc <<'EOF'
extern "C" long read(int, void *, unsigned long);
extern "C" int poll(void *, unsigned long, int);
struct guard { ~guard(); };
long f(char *b) { guard g; return read(0, b, 3); }
long h(char *b, bool c) { try { if (c) read(0, b, 3); return 1; } catch (...) { return 2; } }
long k(void *b) { guard g; return poll(b, 1, 0); }
EOF
# The block after h's call has other predecessors as well.
hooks "invoke" "3 2" invoke.cc
check "invoke, unoptimised" $cxx -O0 -c invoke.cc -o invoke.o
cat >std.cc <<'EOF'
#include <cstring>
const void *f(const char *s) { return std::memchr(s, 'x', std::strlen(s)); }
EOF
hooks "C++'s names" "2 0" std.cc
prints "no temporary files left" "" ls tmp
exit $failures
