# pbzip2: C++, a pool of threads, linked with the bzip2 library built by the same compiler.
uses=(bzip2)

build() {
	local bzip2
	bzip2=$(tree_of "$side" bzip2)
	# The source is older than C++11's literal suffixes: "..."PRIuMAX needs the warning off to compile unchanged.
	make pbzip2 CXX="$CXX" CPPFLAGS="-O2 -g -I$bzip2 -Wno-reserved-user-defined-literal" LDLIBS="$bzip2/libbz2.a -lpthread"
}

roundtrip() {
	sample 4000000 >sample &&
		run "$tree/pbzip2" -q -k -p4 -b2 sample &&
		run "$tree/pbzip2" -q -d -c -p4 sample.bz2 >restored && cmp sample restored &&
		run "$tree/pbzip2" -q -t -p2 sample.bz2
}

pipes() {
	sample 1500000 | run "$tree/pbzip2" -q -c -p3 -b1 -1 >sample.bz2 &&
		run "$tree/pbzip2" -q -d -c -p3 <sample.bz2 | cmp - <(sample 1500000)
}

check() {
	note "it has no test suite"
	same "4 MB with -p4, there and back" roundtrip
	same "through pipes with -p3" pipes
}
