# Writes the script for the shell: inserts, indexes, selects of all kinds, updates, deletes; scale=N for more of it.

function random(below) {
	seed = (seed * 16807) % 2147483647
	return seed % below
}

function words(n,    s) {
	for (s = ""; n > 0; n--)
		s = s (s ? " " : "") word[random(16)]
	return s
}

BEGIN {
	seed = 1
	split("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen", word)
	word[0] = "zero"
	rows = scale * 1500

	print "create table a (id integer primary key, x integer, t text);"
	print "create table b (x integer, y real, t text);"
	print "begin;"
	for (i = 1; i <= rows; i++)
		printf "insert into a values (%d, %d, '%s');\n", i, random(rows), words(4)
	for (i = 1; i <= rows; i++)
		printf "insert into b values (%d, %d.%d, '%s');\n", random(rows), random(1000), random(100), words(2)
	print "commit;"
	print "create index bx on b (x);\ncreate index at on a (t, x);"
	for (i = 0; i < scale * 2; i++)
		printf "select count(*), avg(x), min(t) from a where x between %d and %d;\n", random(rows / 2), rows / 2 + random(rows / 2)
	for (i = 0; i < scale; i++)
		printf "select count(*), sum(length(t)) from a where t like '%%%s %s%%';\n", word[random(16)], word[random(16)]
	for (i = 0; i < scale * 300; i++)
		printf "select a.id, b.y, b.t from a join b on b.x = a.x where a.id = %d order by b.y limit 2;\n", 1 + random(rows)
	print "select substr(t, 1, 6) as k, count(*) as n, sum(x) from a group by k order by n desc, k limit 20;"
	print "select t, x, rank() over (partition by substr(t, 1, 3) order by x, id) as r from a order by r desc, x, t limit 20;"
	print "begin;"
	for (i = 0; i < scale * 300; i++)
		printf "update a set x = x + %d, t = t || ' %s' where id = %d;\n", random(100), word[random(16)], 1 + random(rows)
	for (i = 0; i < scale * 100; i++)
		printf "delete from b where x = %d;\n", random(rows)
	print "commit;"
	print "with recursive n(i) as (select 1 union all select i + 1 from n where i < " scale * 5000 ") select sum(i * i % 7), max(hex(i)) from n;"
	print "select count(*), sum(x), sum(length(t)) from a;"
	print "select count(*), sum(x), round(sum(y), 3) from b;"
	print "pragma integrity_check;"
}
