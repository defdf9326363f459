# pbzip2 -p2 of a text: C++, two threads and one that reads.
. "$recipes/../real.d/pbzip2.sh"
extra=(../real.d/pbzip2.sh bzip2.sh)

build() {
	local bzip2
	bzip2=$(tree_of "$side" bzip2)
	make pbzip2 CXX="$CXX" CPPFLAGS="$flags -I$bzip2 -Wno-reserved-user-defined-literal" LDLIBS="$bzip2/libbz2.a -lpthread"
}

input() { text 8000000 >text; }

workload() { measured "$tree/pbzip2" -q -9 -p2 -b5 -c "$in/text"; }

verify() { "$tree/pbzip2" -q -d -c result | cmp - "$in/text"; }
