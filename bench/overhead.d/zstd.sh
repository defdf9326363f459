# zstd -T2 of a text, in jobs of 4 MB.
. "$recipes/../real.d/zstd.sh"
extra=(../real.d/zstd.sh)

build() {
	CFLAGS="$flags" make -C programs zstd HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0
}

input() { text 24000000 >text; }

workload() { measured "$tree/programs/zstd" -q -T2 -B4M -7 -c "$in/text"; }

verify() { "$tree/programs/zstd" -q -dc result | cmp - "$in/text"; }
