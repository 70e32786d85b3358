create type mood as enum ('sad', 'ok');
create type pair as (a int, b int);
create domain short as text check (length(value) < 5);
create sequence counter;
create table t (id int constraint t_pk primary key, v text, check (v <> ''));
create index t_v on t (v);
create view vw as select * from t;
create materialized view mv as select 1 as one;
create function f(a int, b text default '') returns int language sql as 'select a';
create procedure pr(inout x int) language sql as 'select x + 1';
create aggregate agg(int) (sfunc = int4pl, stype = int, initcond = '0');
create function tf() returns trigger language plpgsql as 'begin return new; end';
create trigger tr before insert on t for each row execute function tf();
create policy pol on t using (true);
create statistics st on id, v from t;
comment on type mood is 'c1';
comment on type pair is 'c2';
comment on column pair.a is 'c3';
comment on domain short is 'c4';
comment on sequence counter is 'c5';
comment on table t is 'c6';
comment on column public.t.v is 'c7';
comment on constraint t_pk on t is 'c8';
comment on constraint short_check on domain short is 'c9';
comment on index t_v is 'c10';
comment on view vw is 'c11';
comment on materialized view mv is 'c12';
comment on function f(int, text) is 'c13';
comment on procedure pr is 'c14';
comment on aggregate agg(int) is 'c15';
comment on trigger tr on t is 'c16';
comment on policy pol on public.t is 'c17';
comment on statistics st is 'c19';
comment on routine f is 'c20';
comment on schema public is 'standard public schema';
comment on table t is null;
-- expect: select obj_description('public.f'::regproc, 'pg_proc') => "c20"
-- expect: select col_description('public.t'::regclass, 2) as a, obj_description('t'::regclass) as b, obj_description('public.mood'::regtype, 'pg_type') as c => [{"a":"c7","b":null,"c":"c1"}]
-- expect: select description from pg_description where classoid = 'pg_class'::regclass and objsubid = 0 and objoid in ('mv'::regclass, 't_v'::regclass) order by 1 => [{"description":"c10"},{"description":"c12"}]
