# zlib: static and shared library, example and minigzip in the three variants of `make check`.

build() {
	./configure
	make
	make check
}

own_tests() {
	make -C "$tree" check
}

gzip_roundtrip() {
	sample 700000 >sample &&
		for level in -1 -6 -9 -h; do
			run "$tree/minigzip" "$level" <sample >"sample$level.gz" &&
				run "$tree/minigzip" -d <"sample$level.gz" | cmp - sample || return
		done
}

example() {
	run "$tree/example" test.gz && run "$tree/example64" test64.gz
}

check() {
	suite "its own tests (make check)" own_tests
	same "minigzip, four levels, there and back" gzip_roundtrip
	same "example programs" example
}
