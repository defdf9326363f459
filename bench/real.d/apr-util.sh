# apr-util: what apache2 needs besides apr.
needs=(libexpat1-dev)
uses=(apr)

build() {
	./configure --prefix="$tree/installed" --with-apr="$(tree_of "$side" apr)/installed"
	make
	make install
}
