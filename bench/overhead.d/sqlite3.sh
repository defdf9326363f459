# SQLite from its amalgamation: the shell with a long script on a database in memory (sqlite3), and two threads with a
# connection each on one database in WAL mode (sqlite3-2t).
. "$recipes/../real.d/sqlite3.sh"
extra=(../real.d/sqlite3.sh sqlite_two.c)

build() {
	./configure
	make sqlite3.c shell.c
	"$CC" $flags -DSQLITE_THREADSAFE=1 -c sqlite3.c -o amalgamation.o
	"$CC" $flags -DSQLITE_THREADSAFE=1 shell.c amalgamation.o -o shell -lm -ldl -lpthread
	"$CC" $flags -I. "$recipes/sqlite_two.c" amalgamation.o -o two -lm -ldl -lpthread
}

input() { awk -v scale=25 -f "$recipes/sqlite.awk" >script.sql; }

workload() {
	case $row in
	sqlite3) measured "$tree/shell" -batch -init /dev/null :memory: ".read $in/script.sql" ;;
	sqlite3-2t) measured "$tree/two" two.db 65 ;;
	esac
}
