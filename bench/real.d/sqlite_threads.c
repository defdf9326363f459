/*
 * SQLite under threads, in the three ways programs share it.  What is printed does not depend on the schedule:
 * every phase checks an invariant while it runs and prints only the final state.
 *
 *   wal      four writers and two readers, a connection each, on one database in WAL mode; transfers keep the total
 *   cache    three threads on one shared cache in memory; a table lock answers SQLITE_LOCKED, and they try again
 *   serial   four threads on one connection in serialized mode
 */
#include <pthread.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCOUNTS = 10, BALANCE = 1000, TRANSFERS = 25, READS = 25, ROWS = 40, MAX_THREADS = 8, MAX_TRIES = 1000000 };

static const char *wal_path;
static sqlite3 *serial_db;

static void die(sqlite3 *db, const char *what)
{
	fprintf(stderr, "sqlite_threads: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
	exit(1);
}

static sqlite3 *open_db(const char *path, int flags)
{
	sqlite3 *db;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | flags, NULL) != SQLITE_OK)
		die(db, path);
	sqlite3_busy_timeout(db, 60000);
	return db;
}

static void sql(sqlite3 *db, const char *text)
{
	int rc;

	for (int i = 0; i < MAX_TRIES; i++) {
		rc = sqlite3_exec(db, text, NULL, NULL, NULL);
		if ((rc & 0xff) != SQLITE_LOCKED)
			break;
		sched_yield();
	}
	if (rc != SQLITE_OK)
		die(db, text);
}

static int keep_text(void *to, int columns, char **values, char **names)
{
	(void)columns;
	(void)names;
	snprintf(to, 64, "%s", values[0] ? values[0] : "null");
	return 0;
}

static long number(sqlite3 *db, const char *query)
{
	char text[64] = "none";

	for (int i = 0; i < MAX_TRIES; i++) {
		int rc = sqlite3_exec(db, query, keep_text, text, NULL);

		if (rc == SQLITE_OK)
			return atol(text);
		if ((rc & 0xff) != SQLITE_LOCKED)
			break;
		sched_yield();
	}
	die(db, query);
	return -1;
}

static void *wal_writer(void *arg)
{
	sqlite3 *db = open_db(wal_path, 0);
	long id = (long)arg;
	char text[160];

	for (int i = 0; i < TRANSFERS; i++) {
		sql(db, "begin immediate");
		snprintf(text, sizeof text, "update account set balance = balance - %ld where id = %ld", id + 1, (id + i) % ACCOUNTS);
		sql(db, text);
		snprintf(text, sizeof text, "update account set balance = balance + %ld where id = %ld", id + 1, (id * 3 + i + 1) % ACCOUNTS);
		sql(db, text);
		snprintf(text, sizeof text, "insert into journal values (%ld, %d)", id, i);
		sql(db, text);
		sql(db, i % 10 == 9 ? "rollback" : "commit");
	}
	sqlite3_close(db);
	return NULL;
}

static void *wal_reader(void *arg)
{
	sqlite3 *db = open_db(wal_path, 0);

	(void)arg;
	for (int i = 0; i < READS; i++)
		if (number(db, "select sum(balance) from account") != ACCOUNTS * BALANCE)
			die(NULL, "a reader saw half a transfer");
	sqlite3_close(db);
	return NULL;
}

static void *cache_user(void *arg)
{
	sqlite3 *db = open_db("file:shared?mode=memory&cache=shared", SQLITE_OPEN_URI);
	long id = (long)arg;
	char text[96];

	for (int i = 0; i < ROWS; i++) {
		snprintf(text, sizeof text, "insert into shared values (%ld, %d, hex(zeroblob(%d)))", id, i, i * 5);
		sql(db, text);
		snprintf(text, sizeof text, "select count(*) from shared where thread = %ld", id);
		if (number(db, text) != i + 1)
			die(NULL, "a thread does not see its own rows");
	}
	sqlite3_close(db);
	return NULL;
}

static void *serial_user(void *arg)
{
	char text[96];

	for (int i = 0; i < ROWS; i++) {
		snprintf(text, sizeof text, "insert into serial values (%ld, %d)", (long)arg, i);
		sql(serial_db, text);
		if (i % 8 == 0 && number(serial_db, "select count(*) from serial") < i + 1)
			die(NULL, "rows are missing");
	}
	return NULL;
}

static void run_threads(void *(*body[])(void *), int n)
{
	pthread_t thread[MAX_THREADS];

	for (long i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, body[i], (void *)i))
			die(NULL, "pthread_create");
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

static int print_row(void *label, int columns, char **values, char **names)
{
	(void)names;
	printf("%s:", (const char *)label);
	for (int i = 0; i < columns; i++)
		printf(" %s", values[i] ? values[i] : "null");
	printf("\n");
	return 0;
}

static void print(sqlite3 *db, const char *label, const char *query)
{
	if (sqlite3_exec(db, query, print_row, (void *)label, NULL) != SQLITE_OK)
		die(db, query);
}

int main(int argc, char **argv)
{
	sqlite3 *db;

	wal_path = argc > 1 ? argv[1] : "threads.db";
	if (!sqlite3_threadsafe())
		die(NULL, "this library was built without threads");

	db = open_db(wal_path, 0);
	print(db, "journal mode", "pragma journal_mode = wal");
	sql(db, "create table account (id integer primary key, balance integer)");
	sql(db, "create table journal (thread integer, step integer)");
	for (int i = 0; i < ACCOUNTS; i++) {
		char text[64];

		snprintf(text, sizeof text, "insert into account values (%d, %d)", i, BALANCE);
		sql(db, text);
	}
	run_threads((void *(*[])(void *)){wal_writer, wal_writer, wal_writer, wal_writer, wal_reader, wal_reader}, 6);
	print(db, "wal total", "select sum(balance), count(*) from account");
	print(db, "wal account", "select id, balance from account order by id");
	print(db, "wal journal", "select thread, count(*), sum(step) from journal group by thread order by thread");
	print(db, "wal integrity", "pragma integrity_check");
	sqlite3_close(db);

	db = open_db("file:shared?mode=memory&cache=shared", SQLITE_OPEN_URI);
	sql(db, "create table shared (thread integer, step integer, text)");
	run_threads((void *(*[])(void *)){cache_user, cache_user, cache_user}, 3);
	print(db, "cache", "select thread, count(*), sum(step), sum(length(text)) from shared group by thread order by thread");
	sqlite3_close(db);

	serial_db = open_db(":memory:", SQLITE_OPEN_FULLMUTEX);
	sql(serial_db, "create table serial (thread integer, step integer, unique (thread, step))");
	run_threads((void *(*[])(void *)){serial_user, serial_user, serial_user, serial_user}, 4);
	print(serial_db, "serial", "select thread, count(*), sum(step) from serial group by thread order by thread");
	sqlite3_close(serial_db);
	return 0;
}
