# bzip2 -9 of a text, single-threaded.
. "$recipes/../real.d/bzip2.sh"
extra=(../real.d/bzip2.sh)

build() {
	make CC="$CC" CFLAGS="$flags -D_FILE_OFFSET_BITS=64" libbz2.a bzip2.o
	"$CC" $flags bzip2.o libbz2.a -o bzip2
}

input() { text 8000000 >text; }

workload() { measured "$tree/bzip2" -9 -c "$in/text"; }

verify() { "$tree/bzip2" -dc result | cmp - "$in/text"; }
