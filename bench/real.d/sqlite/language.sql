-- The language: joins, aggregates, windows, recursion, triggers, views, upsert, json, strings, dates, errors.
.bail off
create table part (id integer primary key, parent integer references part, name text not null, price real default 1.5);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
insert into part select i, nullif(i / 3, 0), printf('part-%03d', i), (i * 37 % 101) / 4.0 from n;
create index part_parent on part (parent, price);
select count(*), sum(price), min(name), max(name), round(avg(price), 6) from part;
select p.name, count(c.id), total(c.price) from part p left join part c on c.parent = p.id group by p.id having count(c.id) > 2 order by 3 desc, 1 limit 8;
with recursive up(id, path) as (select 400, '' union all select parent, path || '/' || up.id from part join up using (id) where up.id is not null)
select path from up where id is null;
select id, price, rank() over w, sum(price) over (order by id rows between 2 preceding and current row), lag(price, 1, -1) over w
  from part where id <= 12 window w as (order by price, id) order by id;
create view dear as select * from part where price > (select avg(price) from part);
select count(*) from dear;
create table log (id integer primary key, what text);
create trigger part_price after update of price on part when new.price <> old.price
  begin insert into log (what) values (format('%d: %.2f -> %.2f', new.id, old.price, new.price)); end;
update part set price = price * 2 where id % 100 = 0;
select * from log;
insert into part (id, name) values (1, 'again') on conflict (id) do update set name = excluded.name || '!' returning id, name, price;
begin; delete from part where id > 100; select count(*) from part; savepoint s; delete from part; rollback to s; select count(*) from part; rollback;
select count(*) from part;
insert into part (id, name) values (1, 'duplicate');
insert into part (id, name) values (999, null);
select no_such_column from part;
select upper(substr('sqlite', 2, 3)), instr('haystack', 'st'), replace('aXbX', 'X', '-'), hex('é'), quote('it''s'), 'abc' like 'A%', 'abc' glob 'A*', trim('  x  ');
select date('2024-02-28', '+2 days'), strftime('%Y-%j %H:%M', '2024-12-31 23:59'), julianday('2000-01-01');
select json_extract('{"a": [1, {"b": 2.5}]}', '$.a[1].b'), json_group_array(id) from (select id from part limit 5);
select value, type from json_each('[1, "two", null, {"x": 3}]');
select 1 / 0, 7 / 2, 7 % 3, 7.0 / 2, 1 << 40, ~5, 9223372036854775807 + 1, cast('12abc' as integer), typeof(1e3), 1 = 1.0, null is null;
select id from part where id in (3, 5, 7) union select 11 intersect select id from part except select 5 order by 1;
select group_concat(name, '; ') from (select name from part where name like '%99' order by name);
explain query plan select * from part where parent = 5 and price > 2;
pragma integrity_check;
