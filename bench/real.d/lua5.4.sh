# Lua: the interpreter and luac.  Lua's own tests are not in the Debian package, so scripts of ours stand in
# (real.d/lua).  Debian's patches only put libtool into the Makefile; without them it needs nothing but a compiler.
unpack=(--skip-patches)

build() {
	make -C src linux-noreadline CC="$CC -std=gnu99"
}

scripts() {
	local script
	for script in "$recipes"/lua/*.lua; do
		echo "-- ${script##*/}"
		run "$tree/src/lua" "$script" one two || return
	done
}

bytecode() {
	local script
	for script in "$recipes"/lua/*.lua; do
		run "$tree/src/luac" -s -o "${script##*/}.out" "$script" &&
			run "$tree/src/lua" "${script##*/}.out" one two || return
	done
}

check() {
	note "its own tests are not in the Debian package; real.d/lua/*.lua stand in"
	same "scripts" scripts
	same "scripts as bytecode" bytecode
}
