# lbzip2: a pool of threads that read, split, compress, sort and write; its own tests.  As Debian does, gnulib and
# configure are made anew: those of the source are older than today's C library.
needs=(gnulib autoconf automake)

build() {
	sh build-aux/autogen.sh
	./configure
	make
}

own_tests() {
	make -C "$tree" check
}

roundtrip() {
	sample 4000000 >sample &&
		run "$tree/src/lbzip2" -k -n 4 -2 sample && mv sample.bz2 two.bz2 &&
		run "$tree/src/lbzip2" -k -n 4 -9 sample &&
		run "$tree/src/lbzip2" -d -c -n 4 two.bz2 >restored && cmp sample restored &&
		run "$tree/src/lbzip2" -d -c -n 2 sample.bz2 >restored && cmp sample restored &&
		run "$tree/src/lbzip2" -t -n 3 two.bz2
}

pipes() {
	sample 1500000 | run "$tree/src/lbzip2" -n 3 -1 >sample.bz2 &&
		run "$tree/src/lbzip2" -d -n 3 <sample.bz2 | cmp - <(sample 1500000)
}

compress() {
	sample 1000000 >sample &&
		run "$tree/src/lbzip2" -c -n 4 -1 sample >sample.bz2
}

decompress() {
	sample 1000000 | "$(tree_of native)/src/lbzip2" -1 >sample.bz2 &&
		run "$tree/src/lbzip2" -d -c -n 4 sample.bz2 >sample
}

# Two blocks: every access may be a point.
explored() {
	sample 110000 >sample &&
		run "$tree/src/lbzip2" -c -n 4 -1 sample >sample.bz2
}

explored_back() {
	sample 210000 | "$(tree_of native)/src/lbzip2" -1 >sample.bz2 &&
		run "$tree/src/lbzip2" -d -c -n 4 sample.bz2 >sample
}

check() {
	suite "its own tests (make check)" own_tests
	same "4 MB with -n 4, there and back" roundtrip
	same "through pipes with -n 3" pipes
	tools "compress 1 MB with -n 4" compress explored
	tools "decompress 1 MB with -n 4" decompress explored_back
}
