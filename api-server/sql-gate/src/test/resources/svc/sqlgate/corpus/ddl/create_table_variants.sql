create table base (id int primary key, a text default 'x' not null check (a <> ''), b int generated always as (id * 2) stored);
comment on column base.a is 'the letter';
create table copy_all (like base including all, extra text);
create table copy_some (like public.base including defaults excluding constraints, primary key (id));
create table child (c text) inherits (base);
create table as_select as select id, a as letter from base where false;
create table as_values (n, t) as values (1, 'one'), (2, 'two');
create table if not exists as_values as select 1;
select n * 2 as n into doubled from as_values;
create unlogged table cache (k text primary key, v jsonb, expires timestamptz) with (autovacuum_enabled = off);
create type point3 as (x int, y int, z int);
create table typed of point3 (x with options primary key, y default 0, check (z > 0));
create table wide (
  c01 smallint, c02 integer, c03 bigint, c04 decimal(5,2), c05 numeric, c06 real, c07 double precision, c08 money,
  c09 char(3), c10 varchar(10), c11 text, c12 bytea, c13 timestamp(3), c14 timestamptz, c15 date, c16 time, c17 timetz, c18 interval day to second,
  c19 boolean, c20 point, c21 line, c22 lseg, c23 box, c24 path, c25 polygon, c26 circle, c27 cidr, c28 inet, c29 macaddr, c30 macaddr8,
  c31 bit(4), c32 bit varying(8), c33 tsvector, c34 tsquery, c35 uuid, c36 xml, c37 json, c38 jsonb, c39 jsonpath, c40 int[][], c41 int4range, c42 int8multirange,
  c43 pg_lsn, c44 "char", c45 name, c46 oid, c47 regclass
);
insert into base (id) values (1);
insert into child (id, c) values (2, 'c');
insert into typed (x, z) values (1, 5);
insert into wide (c08, c12, c18, c31, c36, c40, c47) values ('12.5', '\xDEADBEEF', '1 day 02:03:04', B'1010', '<a/>', '{{1,2},{3,4}}', 'public.base'::regclass);
-- expect: select sum(b) from base => 6
-- expect: select count(*) from only base => 1
-- expect: select n from doubled order by 1 => [{"n":2},{"n":4}]
-- expect: select letter from as_select => []
-- expect: insert into copy_all (id, a) values (1, '') => error 23514
-- expect: select * from typed => [{"x":1,"y":0,"z":5}]
-- expect: select c12, c18::text, c40 from wide => [{"c12":"\\xdeadbeef","c18":"1 day 02:03:04","c40":[[1,2],[3,4]]}]
