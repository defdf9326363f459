# bzip2: its shared and static library and the program; single-threaded.

build() {
	make CC="$CC" bzip2 bzip2recover libbz2.a
}

own_tests() {
	make -C "$tree" -s CC=false -o bzip2 test
}

roundtrip() {
	export LD_LIBRARY_PATH=$tree
	sample 700000 >sample &&
		run "$tree/bzip2" -k -1 sample && mv sample.bz2 fast.bz2 &&
		run "$tree/bzip2" -k -9 sample &&
		run "$tree/bzip2" -dc sample.bz2 >restored && cmp sample restored &&
		run "$tree/bzip2" -dcs fast.bz2 >restored && cmp sample restored
}

recover() {
	export LD_LIBRARY_PATH=$tree
	sample 300000 | run "$tree/bzip2" -1 >sample.bz2 &&
		run "$tree/bzip2recover" sample.bz2 || return
	run "$tree/bzip2" -t "$tree/README" || echo "refused with $?"
}

check() {
	suite "its own tests (make test)" own_tests
	same "compress, decompress" roundtrip
	same "recover, refuse what is no bzip2 file" recover
}
