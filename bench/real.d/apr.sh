# The Apache Portable Runtime: what apache2 stands on.  Its atomics, pools and queues order apache2's threads.
needs=(python3)

build() {
	./configure --prefix="$tree/installed"
	make
	make install
}
