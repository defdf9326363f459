# Redis: a server whose I/O threads read and write, asked over loopback; and the quick part of its own tests.
needs=(tcl procps)

build() {
	make MALLOC=libc CC="$CC" CXX="$CXX"
}
