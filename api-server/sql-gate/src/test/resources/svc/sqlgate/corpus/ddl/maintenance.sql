-- What runs beside migrations: analyze, explain, cluster, lock, show
create table logs (id int generated always as identity primary key, line text);
insert into logs (line) select 'line ' || i from generate_series(1, 1000) i;
analyze logs (line);
analyze verbose logs;
lock table logs in share row exclusive mode nowait;
explain (costs off, format json) select * from logs where id = 5;
explain (analyze, timing off, summary off, buffers off) delete from logs where id > 900;
show server_version;
show transaction isolation level;
set local statement_timeout = '20s';
set work_mem to '16MB';
reset work_mem;
set local timezone = 'Europe/Berlin';
truncate table logs restart identity cascade;
insert into logs (line) values ('first');
-- expect: select id from logs => 1
-- expect: select reltuples >= 0 from pg_class where relname = 'logs' => true
-- next call
vacuum logs;
-- next call
create index concurrently logs_line on logs (line);
-- next call
reindex index concurrently logs_line
-- expect: select indexname from pg_indexes where tablename = 'logs' order by 1 => [{"indexname":"logs_line"},{"indexname":"logs_pkey"}]
-- next call
drop index concurrently if exists public.logs_line;
-- expect: select to_regclass('public.logs_line') => null
