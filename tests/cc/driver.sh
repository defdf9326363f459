#!/bin/sh
# driver.sh BUILD: the forms of command lines that build systems use.
suite=cc/driver
. "$(dirname "$0")/lib.sh"
mkdir inc sub

cat >inc/n.h <<'EOF'
#define N 40
inline int unused_value(void) { return 1; }
EOF
cat >main.c <<'EOF'
#include <stdio.h>
#include "n.h"
int two(void);
#ifndef EXTRA
#define EXTRA 0
#endif
int main(void) { printf("%d\n", N + two() + EXTRA); return 0; }
EOF
echo 'int shared = 2; int two(void) { return shared; }' >two.c
echo '.globl two; .text; two: movl $2, %eax; ret' >asm.s
printf '#define V 2\n.globl two\n.text\ntwo: movl $V, %%eax\n ret\n.section .note.GNU-stack,"",@progbits\n' >cpp.S
echo 'template <class T> T twice(T t) { static T n = t; return n + t; }' >t.hh
printf '#include "t.hh"\nint two() { return twice(1); }\n' >t1.cc
printf '#include "t.hh"\nint two(); int main() { return two() + twice(1) - 4; }\n' >t2.cc

builds "compile and link" $cc -Iinc main.c two.c -o prog
check "note in the program" has_note prog
builds "-c with -o, then link" \
	sh_c "$cc -Iinc -c main.c -o sub/m.o; $cc -c -osub/t.o two.c; $cc sub/m.o sub/t.o -o prog"
check "note in the object" has_note sub/m.o
builds "-c without -o" sh_c "$cc -c -O2 -g -I inc main.c ./two.c; $cc main.o two.o -o prog"
builds "source and object together" $cc -Iinc main.c two.o -o prog
builds "archive and -l" sh_c "ar rc libtwo.a two.o; $cc main.o -L. -ltwo -o prog"
builds "shared library" sh_c "$cc -fPIC -shared two.c -o libdyn.so; $cc -Iinc main.c -L. -ldyn -Wl,-rpath,. -o prog"
check "no text relocations" sh -c '! readelf -d libdyn.so | grep -q TEXTREL'
check "site table read-only" sh -c 'readelf -SW libdyn.so | grep "omen_sites" | grep -q " A "'
builds "assembly" $cc -Iinc main.c asm.s -o prog
builds "preprocessed assembly" $cc -Iinc main.c cpp.S -o prog
builds "-S and its result" sh_c "$cc -S -O1 two.c; $cc -Iinc main.c two.s -o prog"
check "-S is instrumented" grep -q omen_sites two.s
builds "preprocessed C" sh_c "$cc -E -Iinc main.c -o main.i; $cc main.i two.c -o prog"
builds "-x c from stdin" sh_c "$cc -Iinc -x c -c - -o m2.o <main.c; $cc m2.o two.c -o prog"
builds "-x c, -x none" sh_c "cp two.c odd.txt; $cc -Iinc -x c odd.txt -x none main.o -o prog"
builds "response file" sh_c "echo '-Iinc \"main.c\" -DEXTRA=0' >args; echo 'two.c @args' >outer; $cc @outer -o prog"
builds "bitcode and IR" \
	sh_c "$cc -c -emit-llvm two.c -o two.bc; clang-19 -S -emit-llvm -Iinc main.c; $cc main.ll two.bc -o prog"
builds "-no-pie -fno-pic" $cc -fno-pic -no-pie -Iinc main.c two.c -o prog
builds "-flto dropped" $cc -flto -flto=thin -ffat-lto-objects -O2 -Iinc main.c two.c -o prog
builds "-fsanitize dropped" $cc -fsanitize=thread,undefined -Iinc main.c two.c -o prog
builds "sections collected" \
	$cc -ffunction-sections -fdata-sections -Wl,--gc-sections -O2 -Iinc main.c two.c -o prog
builds "gcc's options" $cc -Werror -Wlogical-op -Wno-maybe-uninitialized -fno-tree-vectorize \
	-fno-var-tracking-assignments -fno-strict-overflow -fstack-clash-protection -fno-ipa-sra \
	--param max-inline-insns-single=3 -Iinc main.c two.c -o prog
builds "-march=native -pipe -pthread" $cc -march=native -pipe -pthread -O3 -Iinc main.c two.c -o prog
builds "-r" sh_c "$cc -r main.o two.o -o both.o; $cc both.o -o prog"
$cc -mpreferred-stack-boundary=6 -S -emit-llvm two.c -o two.ll
check "gcc's -mpreferred-stack-boundary is clang's -mstack-alignment" grep -q 'override-stack-alignment", i32 64' two.ll
builds "-static-libgcc" $cc -static-libgcc -Iinc main.c two.c -o prog
builds "-fvisibility, -fshort-wchar, -mcmodel" \
	$cc -fvisibility=hidden -fshort-wchar -mcmodel=small -Iinc main.c two.c -o prog
check "C++ and COMDATs" \
	sh -c "$cxx -O0 t1.cc t2.cc -o cxx && ./cxx && $cxx -O2 -c t1.cc t2.cc && $cxx t1.o t2.o -o cxx && ./cxx"
check "--omen-cxx" sh -c "$cc --omen-cxx t1.cc t2.cc -o cxx && ./cxx"
check "precompiled header" sh -c "$cxx -x c++-header inc/n.h -o n.pch && $cxx -c t1.cc -include-pch n.pch -o pch.o"
check "debug information" sh -c "$cc -g -c two.c -o g.o && readelf --debug-dump=info g.o | grep -q two.c"
check "no temporary name in the object" sh -c '! grep -aq omen-cc. g.o'

prints "-MD" "sub/m.o: main.c inc/n.h" sh_c "$cc -MMD -Iinc -c main.c -o sub/m.o; cat sub/m.d"
prints "-MD -MF" "main.o: main.c inc/n.h" sh_c "$cc -MMD -MF x.dep -Iinc -c main.c; cat x.dep"
prints "-MD -MT -MP" "t: main.c inc/n.h
inc/n.h:" sh_c "$cc -MMD -MP -MT t -MF y.dep -Iinc -c main.c -o m.o; cat y.dep"
prints "-MD at link" "prog: main.c inc/n.h" sh_c "$cc -MMD -Iinc main.c two.o -o prog; cat prog.d"
prints "-Wp,-MMD" "m.o: main.c inc/n.h" sh_c "$cc -Wp,-MMD,z.dep -Iinc -c main.c -o m.o; cat z.dep"
prints "-MM" "main.o: main.c inc/n.h" $cc -MM -Iinc main.c
prints "--version" "$(clang-19 --version)" $cc --version
prints "-dumpmachine" "$(clang-19 -dumpmachine)" $cc -dumpmachine
prints "-print-file-name" "$(clang-19 -print-file-name=crt1.o)" $cc -print-file-name=crt1.o
check "-v" $cc -v
check "-###" $cc -### two.c
check "-fsyntax-only" $cc -fsyntax-only two.c
for question in -E -M -MM -fsyntax-only; do
	check "gcc's options with $question" $cc $question -fipa-pta -fconserve-stack -fno-tree-vectorize -Wlogical-op -Werror \
		-aux-info protos -flto=auto -fuse-linker-plugin two.c
done
check "--help says what is added" sh_c "$cc --help | grep -q -e '--as-optimised'"
check "and what clang has" sh_c "$cc --help | grep -q -e '-fsyntax-only'"
check "--help through the tool" sh_c "'$omen' cc --help | grep -q -e '--as-optimised'"
mkdir "a place" && cp two.c "a place/t wo.c"
builds "spaces in names" sh_c "$cc -Iinc main.c 'a place/t wo.c' -o 'a place/p q'; ln -s 'a place/p q' prog"
builds "spaces in a response file" sh_c "printf '%s\n' -Iinc main.c '\"a place/t wo.c\"' -o prog >r; $cc @r"
check "-o -" sh_c "$cc -S two.c -o - | grep -q omen_sites"
builds "a program from stdin" sh_c "$cc -Iinc -x c - -x none two.c -o prog <main.c"
prints "-MD of several" "two.o: two.c" sh_c "$cc -MMD -Iinc -c main.c two.c; cat two.d"
prints "-MT and -MQ" 'a b$$c: two.c' sh_c "$cc -MMD -MF d -MT a -MQ 'b\$c' -c two.c; cat d"
check "C++ of a .c" sh_c "$cxx -c two.c -o c.o; nm c.o | grep -q _Z3twov"

cat >empty.c <<'END'
#include <stdio.h>
static const char none[4], odd[3] = {1, 2, 3};
int main(int argc, char **argv)
{
	char text[8];
	if (argc > 1)
		printf(odd);
	return printf("42\n") + printf("") + printf(none) + fprintf(stderr, "") + snprintf(text, 8, "") + sscanf(argv[0], "") - 3;
}
END
builds "empty formats" $cc -w -O2 empty.c -o prog
echo 'int f(void) { return x; }' >wrong.c
fails "error in the source" "wrong.c:1:22: error" $cc -c wrong.c
for line in missing.c "-c missing.c" "two.c missing.o" "-E missing.c" "-c two.c missing.c" @missing; do
	rm -f two.o
	fails "a missing file: $line" "^omen: cannot find @*missing" $cc $line
	prints "one line is said of it, and nothing is made" "1 0" sh -c 'echo $(wc -l <log) $(ls two.o 2>/dev/null | wc -l)'
done
fails "-static" "^omen: " $cc -static -Iinc main.c two.c
fails "unknown option" "unknown argument" $cc -fno-such-thing -c two.c
fails "-o with two products" "cannot specify -o" $cc -c -o a.o main.c two.c
fails "undefined symbol" "undefined reference" $cc -Iinc main.c
fails "-m32" "^omen: " $cc -m32 -c two.c
mkdir alone && cp "$build/omen-cc" alone
fails "incomplete installation" "^omen: .*inline.bc" alone/omen-cc -c two.c
mkdir -p inst/bin inst/lib/omen
cp "$build/omen-cc" inst/bin
cp "$build/inline.bc" "$build/libomen.so" inst/lib/omen
builds "installed" inst/bin/omen-cc -Iinc main.c two.c -o prog
if command -v cmake >log; then
	mkdir project && cp two.c project
	sed 's/#include "n.h"/#define N 40/' main.c >project/main.c
	cat >project/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.16)
project(p C)
include(CheckIPOSupported)
check_ipo_supported(LANGUAGES C)
add_library(two STATIC two.c)
add_executable(prog main.c)
target_link_libraries(prog two)
set_property(TARGET prog two PROPERTY INTERPROCEDURAL_OPTIMIZATION TRUE)
EOF
	builds "CMake's link-time optimisation" \
		sh_c "CC=$cc cmake -B made project; cmake --build made; cp made/prog prog"
fi
prints "no temporary files left" "" ls tmp
exit $failures
