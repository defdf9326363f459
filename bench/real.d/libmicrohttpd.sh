# libmicrohttpd: a web server as a library, with a pool of threads.
needs=(libcurl4-gnutls-dev libgnutls28-dev pkg-config)

build() {
	./configure --disable-doc --disable-dependency-tracking
	make
	make -C src/microhttpd check TESTS=
	make -C src/testcurl check TESTS=
}
