# SQLite: shell and library from its own configure and Makefile, a threaded driver of ours, and the quick part of its
# Tcl test suite.  Left out there: thread003, thread004 and walthread run for minutes, wal2 fails as root.
needs=(tcl-dev zlib1g-dev)
extra=(sqlite_threads.c)
tests=(select1 select2 insert trans btree01 index join where backup wal shared shared2 shared3 mutex1
	thread001 thread002 thread005 thread1 thread2)

build() {
	mkdir omen-build
	cd omen-build || exit
	../configure --enable-shared=no
	make sqlite3 libsqlite3.la
	make testfixture
	"$CC" -O2 -g -I. "$recipes/sqlite_threads.c" .libs/libsqlite3.a -o sqlite_threads -lz -lm -ldl -lpthread
}

threads() {
	limit=300 run "$tree/omen-build/sqlite_threads" threads.db && rm -f threads.db*
}

shell() {
	local script
	for script in "$recipes"/sqlite/*.sql; do
		echo "-- ${script##*/}"
		# Errors are part of the script: what matters is that both builds answer alike.
		run "$tree/omen-build/sqlite3" "${script##*/}.db" <"$script" || echo "status $?"
	done
}

own_tests() {
	local name status=0
	for name in "${tests[@]}"; do
		limit=300 run "$tree/omen-build/testfixture" "$tree/test/$name.test" >"$name.log" 2>&1 &&
			grep '^0 errors out of' "$name.log" || {
			echo "$name.test: $(grep -m1 'errors out of\|^! ' "$name.log" || echo "did not end well, see $out/$name.log")" >&2
			status=1
		}
	done
	return $status
}

check() {
	same "threads: WAL, shared cache, serialized" threads
	same "shell scripts" shell
	suite "its own tests (${#tests[@]} files of its Tcl suite)" own_tests
}
