# SQLite from its amalgamation, with sqlite.c: serialized (SQLITE_THREADSAFE=1), multi-thread (=2), and with the mark off
# that keeps race detectors from the header of the WAL index.
. "$recipes/../real.d/sqlite3.sh"
extra=(../real.d/sqlite3.sh sqlite.c)

build() {
	./configure
	make sqlite3.c
	local mode
	for mode in "1 serialized" "2 multi" "1 unmarked -DSQLITE_NO_TSAN="; do
		set -- $mode
		"$CC" $flags -DSQLITE_THREADSAFE="$1" -DSQLITE_ENABLE_MEMSYS5 "${@:3}" -c sqlite3.c -o "$2.o"
		"$CC" $flags -I. "$recipes/sqlite.c" "$2.o" -o "$2" -lm -ldl -lpthread
	done
}

arguments() {
	case $row in
	sqlite-wal) cmd=("$tree/unmarked" wal) ;;
	sqlite-one | sqlite-plain) cmd=("$tree/multi" "${row#sqlite-}") ;;
	*) cmd=("$tree/serialized" "${row#sqlite-}") ;;
	esac
}
