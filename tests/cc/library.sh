#!/bin/sh
# library.sh BUILD: libstdc++'s strings and streams become part of the program, and nothing else changes for the program.
suite=cc/library
. "$(dirname "$0")/lib.sh"

cat >text.cc <<'EOF'
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>
int main()
{
	std::stringstream s;
	std::string word("4");
	std::ofstream null("/dev/null");
	word += "2 and ";
	word.insert(word.size(), "more");
	s << std::setw(6) << word << 1.5 << ' ' << std::hex << 255 << std::dec;
	null << s.str() << std::endl;
	int n;
	s >> n;
	std::cout << n << std::endl;
	return n != 42;
}
EOF
for std in 98 11 14 17 20 23; do
	builds "strings and streams of C++$std" $cxx -std=c++$std -O1 text.cc -o prog
done
builds "and without optimisation" $cxx -O0 text.cc -o prog
builds "and as optimised" $cxx -O2 --as-optimised text.cc -o prog
builds "and with the library's checks" $cxx -D_GLIBCXX_ASSERTIONS text.cc -o prog
builds "and with the old ABI" $cxx -D_GLIBCXX_USE_CXX11_ABI=0 text.cc -o prog
builds "and with libstdc++ linked in" $cxx -static-libstdc++ text.cc -o prog
builds "and preprocessed" sh_c "$cxx -E text.cc -o text.ii && $cxx text.ii -o prog"
builds "and from a precompiled header" sh_c "echo '#include <sstream>' >all.h; $cxx -x c++-header all.h -o all.pch
	$cxx -include-pch all.pch text.cc -o prog"
check "strings are compiled" sh_c "$cxx -c text.cc -o text.o; nm text.o | grep -q ' [Ww] .*basic_string.*append'"
check "facets are not" sh_c "! nm text.o | grep -q ' [VvuWw] .*num_put.*2idE'"
check "and the module's own" sh_c "! readelf --dyn-syms -W prog | grep -q 'FUNC .*DEFAULT  *[0-9][0-9]* .*basic_string.*append'"
# A program that hides all its symbols still has the library's facets.
cat >hidden.cc <<'EOF'
#include <sstream>
extern "C" int parse(const char *s) { std::istringstream in(s); std::ostringstream out; int n; in >> n; out << n; return out.str() == "42" ? n : 0; }
EOF
printf '#include <cstdio>\nextern "C" int parse(const char *); int main() { std::printf("%%d\\n", parse("42")); }' >user.cc
echo '{ global: parse; local: *; };' >map
builds "and in a library that hides all else" sh_c "$cxx -shared -fPIC hidden.cc -Wl,--version-script=map -o libhidden.so
	$cxx user.cc ./libhidden.so -o prog"
cat >first.cc <<'EOF'
#define _FILE_OFFSET_BITS 64
#define _GLIBCXX_USE_CXX11_ABI 0
#include <string>
static_assert(sizeof(std::string) == 8, "what is defined before the first header counts");
EOF
check "nothing comes before the program's own words" $cxx -c first.cc -o first.o
check "-fno-exceptions" $cxx -fno-exceptions -fno-rtti -c hidden.cc -o x.o
check "-ffreestanding" $cxx -ffreestanding -c first.cc -o x.o
fails "-nostdinc++" "'string' file not found" $cxx -nostdinc++ -c first.cc -o x.o
echo 'int main() { return 0; }' >other.cc
echo '#include <bits/c++config.h>' >>other.cc
check "no libstdc++" $cxx -nostdinc++ -c other.cc -o x.o
cat >asks.cc <<'EOF'
#if __has_include(<bits/c++config.h>)
#error libstdc++
#endif
EOF
check "-stdlib=libc++" $cxx -stdlib=libc++ -c asks.cc -o x.o
for form in -MD "-MD -MP" "-MD -MF text.d" "-Wp,-MD,text.d"; do
	rm -f text.d
	check "dependencies are the program's: $form" \
		sh_c "$cxx $form -c text.cc -o text.o; grep -q sstream text.d; ! grep -q '$build' text.d; make -f text.d text.o"
done
clang++-19 -M text.cc >want
prints "-M is clang's" "$(cat want)" $cxx -M text.cc
prints "-E -MM, too" "$(clang++-19 -MM text.cc)" $cxx -E -MM text.cc
