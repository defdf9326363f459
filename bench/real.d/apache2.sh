# Apache's httpd with the event MPM, on apr and apr-util that the same compiler has built.
needs=(libpcre2-dev apache2-utils)
uses=(apr apr-util)

build() {
	# Debian's own rules define these two: its patches need them.
	export CPPFLAGS="-DPLATFORM='\"Debian\"' -DBUILD_DATETIME='\"2026-01-01T00:00:00\"'"
	./configure --prefix="$tree/installed" --with-mpm=event --enable-mods-shared=none \
		--enable-mods-static="unixd log_config mime dir alias authz_core reqtimeout status env headers setenvif" \
		--with-apr="$(tree_of "$side" apr)/installed" --with-apr-util="$(tree_of "$side" apr-util)/installed"
	make
}
