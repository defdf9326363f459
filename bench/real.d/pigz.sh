# pigz: compresses in parallel, reads, writes and checks in threads of their own; locks of its own (yarn.c).
needs=(zlib1g-dev)

build() {
	make CC="$CC" CFLAGS="-O2 -g -Wall" pigz
}

own_tests() {
	make -C "$tree" -o pigz test
}

roundtrip() {
	sample 3000000 >sample &&
		run "$tree/pigz" -n -k -p 4 -b 128 sample && mv sample.gz six.gz &&
		run "$tree/pigz" -n -k -p 4 -i -9 sample &&
		run "$tree/pigz" -d -c -p 2 six.gz >restored && cmp sample restored &&
		run "$tree/pigz" -d -c sample.gz >restored && cmp sample restored &&
		run "$tree/pigz" -t six.gz
}

pipes() {
	sample 1000000 | run "$tree/pigz" -c -z -p 3 >sample.zz &&
		run "$tree/pigz" -d -c <sample.zz | cmp - <(sample 1000000)
}

compress() {
	sample 1000000 >sample &&
		run "$tree/pigz" -n -c -p 4 -b 128 sample >sample.gz
}

check() {
	suite "its own tests (make test)" own_tests
	same "3 MB with -p 4, there and back" roundtrip
	same "through pipes with -p 3" pipes
	tools "1 MB with -p 4" compress
}
