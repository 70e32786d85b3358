create table parents (id int primary key);
create table children (id int, parent int references parents);
create view both_of_them as select p.id from parents p join children c on c.parent = p.id;
create materialized view cached as select * from both_of_them;
create sequence s;
create type colour as enum ('red');
create domain d as colour;
create type comp as (x d);
create function uses(c comp) returns int language sql as 'select 1';
create procedure doing() language sql as 'select 1';
create aggregate total(int) (sfunc = int4pl, stype = int);
create function trig() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger g after insert on parents execute function trig();
create policy p on parents using (true);
create index i on children (parent);
create statistics x on id, parent from children;

drop statistics x;
drop index i;
drop policy p on parents;
drop policy if exists p on parents;
drop trigger g on parents;
drop trigger if exists g on parents;
drop function trig() cascade;
drop aggregate total(int);
drop procedure doing;
drop routine if exists doing();
drop function if exists uses(comp), missing(int) cascade;
drop type if exists comp;
drop domain d;
drop type colour restrict;
drop sequence if exists s, s2;
drop materialized view cached;
drop view if exists both_of_them cascade;
drop table parents cascade;
drop table if exists children, parents;
-- expect: select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' => 0
-- expect: select count(*) from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' => 0
-- expect: select count(*) from pg_type t join pg_namespace n on n.oid = t.typnamespace where n.nspname = 'public' => 0
