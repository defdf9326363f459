/*
 * SQLite under two threads, in ways that have races: sqlite MODE.
 *
 *   ask     one connection; one thread writes, the other asks how it goes
 *   start   both threads open a database, and nobody has used SQLite before
 *   pages   a temporary database for each thread, few pages for both
 *   shared  a connection for each thread on one shared cache, one reads what is not committed
 *   wal     a connection for each thread on one database in WAL mode
 *   one     one connection in multi-thread mode, which is against its rules
 *   plain   the same without lookaside: each block of memory comes from the allocator, which has a lock
 *
 * What is printed at the end does not depend on the schedule, unless a race makes it so.
 */
#include <pthread.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 12, MAX_TRIES = 100000 };

static sqlite3 *db;
static const char *path;
static int lookaside = 1;

static void die(sqlite3 *on, const char *what)
{
	fprintf(stderr, "sqlite: %s: %s\n", what, on ? sqlite3_errmsg(on) : "");
	exit(1);
}

static sqlite3 *open_db(const char *name)
{
	sqlite3 *opened;

	if (sqlite3_open_v2(name, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL))
		die(opened, name);
	sqlite3_busy_timeout(opened, 60000);
	return opened;
}

static void sql(sqlite3 *on, const char *text)
{
	int rc = SQLITE_LOCKED;

	for (int i = 0; i < MAX_TRIES && (rc & 0xff) == SQLITE_LOCKED; i++) {
		if (i)
			sched_yield();
		rc = sqlite3_exec(on, text, NULL, NULL, NULL);
	}
	if (rc)
		die(on, text);
}

static int keep_number(void *to, int columns, char **values, char **names)
{
	(void)columns;
	(void)names;
	*(long *)to = values[0] ? atol(values[0]) : 0;
	return 0;
}

static long number(sqlite3 *on, const char *query)
{
	long n = -1;
	int rc = SQLITE_LOCKED;

	for (int i = 0; i < MAX_TRIES && (rc & 0xff) == SQLITE_LOCKED; i++) {
		if (i)
			sched_yield();
		rc = sqlite3_exec(on, query, keep_number, &n, NULL);
	}
	if (rc)
		die(on, query);
	return n;
}

static void insert(sqlite3 *on, long thread, int row)
{
	char text[96];

	snprintf(text, sizeof text, "insert into t values (%ld, %d, hex(zeroblob(%d)))", thread, row, row * 5);
	sql(on, text);
}

/* ---- the threads ---- */

static void *writer(void *arg)
{
	for (int i = 0; i < ROWS; i++)
		insert(db, (long)arg, i);
	return NULL;
}

static void *asker(void *arg)
{
	long most = 0;

	(void)arg;
	for (int i = 0; i < ROWS; i++) {
		sqlite3_int64 row = sqlite3_last_insert_rowid(db);
		if (sqlite3_errcode(db) == SQLITE_OK && row > most)
			most = (long)row;
		if (sqlite3_total_changes(db) + sqlite3_changes(db) > 2 * ROWS)
			die(db, "more changes than there were");
		sched_yield();
	}
	if (most > ROWS)
		die(db, "more rows than there are");
	return NULL;
}

static void *opener(void *arg)
{
	sqlite3 *own = open_db(path);

	sql(own, "create table t (thread integer, row integer, text)");
	for (int i = 0; i < ROWS; i++)
		insert(own, (long)arg, i);
	if (number(own, "select count(*) from t") != ROWS)
		die(own, "rows are missing");
	sqlite3_close(own);
	return NULL;
}

static void *user(void *arg)
{
	sqlite3 *own = open_db(path);

	if (arg)
		sql(own, "pragma read_uncommitted = on");
	for (int i = 0; i < ROWS; i++) {
		insert(own, (long)arg, i);
		if (number(own, "select count(*) from t") < i + 1)
			die(own, "a thread does not see its own rows");
	}
	sqlite3_close(own);
	return NULL;
}

/* ---- the modes ---- */

static void run_both(void *(*first)(void *), void *(*second)(void *))
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, first, (void *)0);
	pthread_create(&thread[1], NULL, second, (void *)1);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
}

static void with_table(const char *name, void *(*first)(void *), void *(*second)(void *))
{
	path = name;
	db = open_db(name);
	if (!lookaside)
		sqlite3_db_config(db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 0, 0);
	if (!strncmp(name, "wal", 3))
		sql(db, "pragma journal_mode = wal");
	sql(db, "create table t (thread integer, row integer, text)");
	run_both(first, second);
	printf("%ld rows, sum %ld\n", number(db, "select count(*) from t"), number(db, "select sum(row) from t"));
	sqlite3_close(db);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	static char pages[40 * 4400];

	if (!strcmp(mode, "ask"))
		with_table(":memory:", writer, asker);
	else if (!strcmp(mode, "one") || !strcmp(mode, "plain")) {
		lookaside = !strcmp(mode, "one");
		with_table(":memory:", writer, writer);
	}
	else if (!strcmp(mode, "shared"))
		with_table("file:shared?mode=memory&cache=shared", user, user);
	else if (!strcmp(mode, "wal"))
		with_table("wal.db", user, user);
	else if (!strcmp(mode, "pages"))
		sqlite3_config(SQLITE_CONFIG_PAGECACHE, pages, 4400, 40);
	else if (strcmp(mode, "start"))
		die(NULL, "ask, start, pages, shared, wal, one or plain");
	if (!strcmp(mode, "pages") || !strcmp(mode, "start")) {
		path = !strcmp(mode, "pages") ? "" : ":memory:";
		run_both(opener, opener);
		puts("opened and closed");
	}
	return 0;
}
