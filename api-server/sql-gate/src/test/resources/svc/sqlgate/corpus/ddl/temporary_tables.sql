-- Temporary tables: of a script, in all forms, beside tables of the same name, gone afterwards
create table public.readings (sensor int, value numeric, taken_at timestamptz not null default '2030-01-01');
insert into public.readings select i % 3, i from generate_series(1, 9) i;
create materialized view per_sensor as select sensor, sum(value) as total from readings group by sensor;
create unique index on per_sensor (sensor);
-- next call
create temporary table import_buffer (id serial primary key, line text not null check (line <> ''), doc jsonb) on commit preserve rows;
create index on import_buffer (line);
insert into import_buffer (line) values ('1;10'), ('2;20'), ('2;30');
alter table import_buffer add column sensor int generated always as (split_part(line, ';', 1)::int) stored;
comment on table import_buffer is 'lines as they came';
create temp table sums on commit drop as select sensor, sum(split_part(line, ';', 2)::numeric) as total from import_buffer group by sensor;
select sensor, total * 2 as twice into temp doubled from sums;
create temp view report as select * from doubled;
create temp sequence report_number;
create table public.imported as select nextval('report_number') as n, r.* from (select * from report order by sensor) r;
refresh materialized view concurrently per_sensor;
drop table pg_temp.sums;
truncate import_buffer;
-- expect: select n, sensor, twice from imported order by n => [{"n": 1, "sensor": 1, "twice": 20}, {"n": 2, "sensor": 2, "twice": 100}]
-- expect: select * from import_buffer => error 42P01
-- expect: select to_regclass('pg_temp.report') is null => true
-- next call
-- a temporary table hides the one of the same name, until it is dropped
create temp table readings (sensor int, value numeric);
insert into readings values (7, 7);
create table copied as select count(*) as hidden, (select count(*) from public.readings) as real from readings;
drop table readings;
insert into copied select count(*), -1 from readings;
-- expect: select * from copied order by real => [{"hidden": 9, "real": -1}, {"hidden": 1, "real": 9}]
-- expect: create temp table a (n int); insert into a values (1), (2); select sum(n) from a => 3
create function with_buffer(p_n int) returns int language plpgsql as $$
declare s int; n bigint;
begin
  create temp table if not exists buffer (n int) on commit drop;
  truncate buffer;
  insert into buffer select generate_series(1, p_n);
  select sum(b.n), count(*) into s, n from buffer b;
  drop table buffer;
  return s + n;
end $$;
-- expect: select with_buffer(3) + with_buffer(4) => 23
-- expect: create temp table public.t (a int) => error 42P16
-- expect: create table refers (a int); create temp table t (a int primary key); alter table refers add foreign key (a) references t => error 42P16
