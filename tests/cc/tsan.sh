#!/bin/sh
# tsan.sh BUILD: objects that other compilers build with -fsanitize=thread run under Omen.
suite=cc/tsan
. "$(dirname "$0")/lib.sh"

# A compiler that is not installed is not tested.
for compiler in "clang-19 -fsanitize=thread" "gcc -fsanitize=thread" "$cc"; do
	command -v ${compiler%% *} >log || continue
	for level in -O0 -O2; do
		label="$(basename "${compiler%% *}") $level"
		check "$label" $compiler $level -w -g -c "$here/tsan/accesses.c" -o a.o
		check "$label links" $cc -fsanitize=thread a.o -pthread -o prog
		check "$label: no other runtime" sh -c '! ldd prog | grep -q tsan'
		timeout 60 "$omen" record -- ./prog "$label" 2>err | tee said
		grep -q ' ignored' said || bad "$label" "not done: $(tail -n 1 err)"
	done
done

cat >classes.cc <<'EOF'
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
struct base { int n = 0; virtual ~base() = default; virtual int get() { return n; } };
struct derived : base { int get() override { if (n < 0) throw std::runtime_error("no"); return n + 2; } };
int main()
{
	int sum = 0;
	derived d;
	std::thread t([&] { d.n = 40; base *b = new derived; delete b; });
	t.join();
	try { sum = d.get(); d.n = -1; d.get(); } catch (std::exception &e) { std::printf("%d\n", sum); }
}
EOF
for compiler in clang++-19 g++; do
	command -v $compiler >log || continue
	builds "C++ by $compiler" sh_c "$compiler -O1 -fsanitize=thread -c classes.cc -o c.o; $cxx c.o -pthread -o prog"
	check "C++ by $compiler: nothing found" timeout 60 "$omen" record -- ./prog
done

cat >main.c <<'EOF'
int two(void), printf(const char *, ...);
int main(void) { printf("%d\n", 40 + two()); return 0; }
EOF
echo 'int shared = 2; int two(void) { return shared; }' >two.c
builds "a library of such objects" sh_c "clang-19 -fsanitize=thread -c two.c; ar rc libtwo.a two.o; $cc main.c libtwo.a -o prog"
builds "a shared one" sh_c "clang-19 -fsanitize=thread -fPIC -c two.c; $cc -shared two.o -o libtwo.so; \
	$cc main.c -L. -ltwo -Wl,-rpath,. -o prog"
builds "nothing but an archive" sh_c "clang-19 -fsanitize=thread -c main.c two.c; rm -f liball.a; ar rc liball.a main.o two.o; \
	$cc liball.a -o prog"
check "nothing but an archive: accepted" "$omen" record -- ./prog
builds "IR with its calls" sh_c "clang-19 -O1 -fsanitize=thread -S -emit-llvm two.c -o two.ll; $cc main.c two.ll -o prog"
prints "no temporary files left" "" ls tmp
exit $failures
