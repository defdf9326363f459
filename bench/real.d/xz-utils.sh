# xz: the program with its threaded encoder and decoder, liblzma as a shared library, and its own tests.  What libtool
# leaves in src/xz is a script that starts the program.
xz() { LD_LIBRARY_PATH=$tree/src/liblzma/.libs run "$tree/src/xz/.libs/xz" "$@"; }

build() {
	./configure --disable-nls --disable-doc
	make
	make check TESTS=
}

own_tests() {
	make -C "$tree" check
}

roundtrip() {
	sample 3000000 >sample &&
		xz -k -T4 -2 --block-size=400000 sample && mv sample.xz two.xz &&
		xz -k -T4 -5 --check=sha256 sample &&
		xz -dc -T4 two.xz >restored && cmp sample restored &&
		xz -dc sample.xz >restored && cmp sample restored &&
		xz -t -T2 two.xz &&
		xz --robot --list two.xz
}

pipes() {
	sample 800000 | xz -c -T3 -1 --block-size=200000 >sample.xz &&
		xz -dc -T3 <sample.xz | cmp - <(sample 800000)
}

compress() {
	sample 1000000 >sample &&
		xz -c -T4 -1 --block-size=200000 sample >sample.xz
}

decompress() {
	sample 1000000 | "$(tree_of native)/src/xz/xz" -c -T1 -1 --block-size=200000 >sample.xz &&
		xz -dc -T4 sample.xz >sample
}

# Less, as every access may be a point.
explored() {
	sample 120000 >sample &&
		xz -c -T4 -1 --block-size=30000 sample >sample.xz
}

explored_back() {
	sample 240000 | "$(tree_of native)/src/xz/xz" -c -T1 -1 --block-size=60000 >sample.xz &&
		xz -dc -T4 sample.xz >sample
}

check() {
	suite "its own tests (make check)" own_tests
	same "3 MB with -T4, there and back" roundtrip
	same "through pipes with -T3" pipes
	tools "compress 1 MB with -T4" compress explored
	tools "decompress 1 MB with -T4" decompress explored_back
}
