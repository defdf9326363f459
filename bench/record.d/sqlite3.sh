# SQLite under threads: in the three ways programs share it (sqlite3: real.d/sqlite_threads.c), and two threads with a
# connection each on one database in WAL mode (sqlite3-2t: overhead.d/sqlite_two.c).  They write their files.
. "$recipes/../real.d/sqlite3.sh"
extra=(../real.d/sqlite3.sh ../real.d/sqlite_threads.c ../overhead.d/sqlite_two.c)

build() {
	./configure
	make sqlite3.c
	"$CC" $flags -DSQLITE_THREADSAFE=1 -c sqlite3.c -o amalgamation.o
	"$CC" $flags -I. "$recipes/../real.d/sqlite_threads.c" amalgamation.o -o threads -lm -ldl -lpthread
	"$CC" $flags -I. "$recipes/../overhead.d/sqlite_two.c" amalgamation.o -o two -lm -ldl -lpthread
}

arguments() {
	case $row in
	sqlite3) cmd=("$tree/threads" threads.db) ;;
	sqlite3-2t) cmd=("$tree/two" two.db 20) ;;
	esac
}
