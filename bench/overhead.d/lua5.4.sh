# The Lua interpreter with a script that uses most of it; single-threaded.
. "$recipes/../real.d/lua5.4.sh"
extra=(../real.d/lua5.4.sh)

build() {
	make -C src linux-noreadline CC="$CC -std=gnu99" MYCFLAGS="$flags"
}

workload() { measured "$tree/src/lua" "$recipes/lua.lua"; }
