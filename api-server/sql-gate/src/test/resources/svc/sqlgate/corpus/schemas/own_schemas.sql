create schema app;
create schema if not exists app;
create schema audit authorization postgres;
comment on schema app is 'What the application keeps to itself';
create schema reporting
  create table totals (day date primary key, amount numeric not null)
  create view big as select * from totals where amount > 100
  grant select on big to service_role;

grant usage on schema app, audit to authenticated, service_role;
grant all on all tables in schema app to service_role;
alter default privileges in schema app grant select on tables to authenticated;

create type app.state as enum ('open', 'closed');
create sequence app.numbers;
create table app.tickets (
  id bigint primary key default nextval('app.numbers'),
  state app.state not null default 'open'::app.state,
  parent bigint references app.tickets (id)
);
alter sequence app.numbers owned by app.tickets.id;
create index tickets_state on app.tickets (state);
create table audit.log (id bigint generated always as identity, what text, old jsonb);
create function audit.note() returns trigger language plpgsql security definer set search_path = audit, pg_temp as $$
declare
  line audit.log%rowtype;
  was app.state := old.state;
begin
  line.what := was || ' ' || new.state;
  insert into log (what, old) values (line.what, to_jsonb(old));
  return new;
end $$;
create trigger note after update on app.tickets for each row execute function audit.note();

set search_path to app, public;
insert into tickets (state) values ('open'), ('closed');
update tickets set state = 'closed' where id = 1;
set search_path = public, extensions;
create table moved (id int);
set search_path to app;
reset search_path;

create table moving (id int);
alter table public.moving set schema app;
alter schema audit rename to journal;
alter schema app owner to postgres;
-- expect: select what from journal.log => "open closed"
-- expect: select count(*) from app.tickets t where t.state = 'closed' and app.tickets.id = 1 => error 42P01
-- expect: select count(*) from app.tickets where app.tickets.state = 'closed' => 2
-- expect: select count(*) from information_schema.tables where table_schema in ('app', 'journal', 'reporting') => 5
-- expect: select count(*) from pg_tables where schemaname = 'app' => 2
-- expect: select count(*) from pg_namespace where nspname = any (array['app', 'audit', 'journal']) => 2
-- expect: select has_schema_privilege('authenticated', 'app', 'usage') and not has_schema_privilege('anon', 'app', 'usage') => true
-- expect: select has_table_privilege('service_role', 'reporting.big', 'select') => true
-- expect: select to_regclass('app.moving') is not null and to_regclass('public.moving') is null => true
-- expect: select current_schema = 'public' => true
-- expect: select to_regclass('public.moved') is not null => true
-- expect: select count(*) from nowhere.t => error 42P01
-- expect: create schema app => error 42P06
-- expect: drop schema app => error 2BP01
drop schema if exists app, journal, nowhere cascade;
drop schema reporting cascade;
-- expect: select count(*) from information_schema.schemata where schema_name in ('app', 'journal', 'reporting') => 0
-- expect: drop schema app => error 3F000
