-- Storage: big rows, page splits, vacuum, attached databases, journal modes, rowid-less tables, output modes, dump.
.mode csv
.headers on
attach 'other.db' as other;
create table other.blob_store (id integer primary key, body blob, note text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
insert into other.blob_store select i, zeroblob(i * 97 % 9000), substr(hex(i * 7919 * 104729), 1, 40) from n;
select count(*), sum(length(body)), min(note), max(note) from other.blob_store;
delete from other.blob_store where id % 3 = 0;
update other.blob_store set body = zeroblob(12000) where id % 10 = 1;
select count(*), sum(length(body)) from other.blob_store;
pragma other.journal_mode = wal;
create index other.by_note on blob_store (note desc);
select id, note from other.blob_store order by note desc limit 5;
pragma other.wal_checkpoint(truncate);
pragma other.journal_mode = delete;
vacuum other;
pragma other.page_count;
pragma other.freelist_count;
pragma other.integrity_check;
create table pair (k text primary key, v) without rowid;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
insert into pair select printf('%x', i * 2654435761 % 4294967296), i from n;
select k, v from pair order by k limit 5;
select count(*), sum(v) from pair where k between '4' and 'c';
create temp table sorted as select v, k from pair order by v % 17, k desc;
select rowid, * from sorted where rowid % 400 = 1;
.mode insert pair
select * from pair where v < 6 order by v;
.mode quote
select 1, 2.5, 'text', x'0102', null;
detach other;
drop table pair;
create table small (a, b collate nocase, check (a > 0));
insert into small values (1, 'One'), (2, 'two');
select * from small where b = 'ONE';
.dump small
