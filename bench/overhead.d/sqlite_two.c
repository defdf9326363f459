/*
 * sqlite_two FILE ROUNDS: two threads with a connection each on one database in WAL mode.  A round of a thread is a
 * transaction of inserts and updates in its own table and many selects in both; a mutex keeps the writers apart, so
 * nobody waits for SQLite's busy handler, and the work does not depend on the schedule.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, INSERTS = 40, UPDATES = 20, SELECTS = 100 };

static const char *path;
static int rounds;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_int64 answers[THREADS];

static void die(sqlite3 *db, const char *what)
{
	fprintf(stderr, "sqlite_two: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
	exit(1);
}

static sqlite3 *open_db(void)
{
	sqlite3 *db;

	if (sqlite3_open(path, &db) != SQLITE_OK)
		die(db, path);
	sqlite3_busy_timeout(db, 60000);
	return db;
}

static void sql(sqlite3 *db, const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
		die(db, text);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *text, int table)
{
	char *query = sqlite3_mprintf(text, table);
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(db, query, -1, &statement, NULL) != SQLITE_OK)
		die(db, query);
	sqlite3_free(query);
	return statement;
}

/* Runs a statement with two numbers; what its first row's first column is. */
static sqlite3_int64 step(sqlite3_stmt *statement, sqlite3_int64 first, sqlite3_int64 second)
{
	sqlite3_int64 answer = 0;
	int rc;

	sqlite3_bind_int64(statement, 1, first);
	sqlite3_bind_int64(statement, 2, second);
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW)
		answer = sqlite3_column_int64(statement, 0);
	else if (rc != SQLITE_DONE)
		die(sqlite3_db_handle(statement), sqlite3_sql(statement));
	sqlite3_reset(statement);
	return answer;
}

static void *work(void *arg)
{
	int me = (int)(intptr_t)arg;
	sqlite3 *db = open_db();
	sqlite3_stmt *insert = prepare(db, "insert into t%d values (?1, ?2, 'row ' || ?1)", me);
	sqlite3_stmt *update = prepare(db, "update t%d set x = x + ?2 where id = ?1", me);
	sqlite3_stmt *select = prepare(db, "select sum(x) from t%d where id between ?1 and ?2", me);
	sqlite3_stmt *other = prepare(db, "select count(*) from t%d where id between ?1 and ?2 and t like 'row%%'", 1 - me);
	sqlite3_int64 answer = 0;

	sql(db, "pragma synchronous = off");
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&writing);
		sql(db, "begin immediate");
		for (int j = 0; j < INSERTS; j++)
			step(insert, i * INSERTS + j, j * 7 % 11);
		for (int j = 0; j < UPDATES; j++)
			step(update, (i * 31 + j * 17) % ((i + 1) * INSERTS), j);
		sql(db, "commit");
		pthread_mutex_unlock(&writing);
		for (int j = 0; j < SELECTS; j++) {
			answer += step(select, (i + j) % 40, i * INSERTS);
			/* The first rows are there before the threads are: how far the other one is does not change the answer. */
			answer += step(other, -100 + j, -1);
		}
	}
	answers[me] = answer;
	sqlite3_finalize(insert);
	sqlite3_finalize(update);
	sqlite3_finalize(select);
	sqlite3_finalize(other);
	sqlite3_close(db);
	return NULL;
}

static int print_row(void *unused, int columns, char **values, char **names)
{
	(void)unused;
	(void)names;
	for (int i = 0; i < columns; i++)
		printf("%s%s", values[i] ? values[i] : "null", i + 1 < columns ? " " : "\n");
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	sqlite3 *db;

	rounds = argc == 3 ? atoi(argv[2]) : 0;
	if (rounds < 1) {
		fprintf(stderr, "usage: sqlite_two FILE ROUNDS\n");
		return 2;
	}
	path = argv[1];
	db = open_db();
	sql(db, "pragma journal_mode = wal; pragma synchronous = off; begin;"
		"create table t0 (id integer primary key, x integer, t text);"
		"create table t1 (id integer primary key, x integer, t text);"
		"with recursive n(i) as (select -1 union all select i - 1 from n where i > -100)"
		"	insert into t0 select i, i, 'row ' || i from n;"
		"insert into t1 select * from t0; commit");
	for (intptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i))
			die(NULL, "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("%lld\n", answers[i]);
	if (sqlite3_exec(db, "select count(*), sum(id), sum(x), sum(length(t)) from t0 union all"
			     " select count(*), sum(id), sum(x), sum(length(t)) from t1; pragma integrity_check",
			     print_row, NULL, NULL) != SQLITE_OK)
		die(db, "the last look");
	sqlite3_close(db);
	return 0;
}
