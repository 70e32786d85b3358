-- Every question that agents put before they act
do $$
declare
  n int;
begin
  if to_regclass('public.thing') is null then
    create table public.thing (id int primary key);
  end if;
  if not exists (select from pg_tables where schemaname = 'public' and tablename = 'thing2') then
    create table public.thing2 (id int references public.thing);
  end if;
  if not exists (select from information_schema.table_constraints where table_schema = 'public' and table_name = 'thing2' and constraint_name = 'positive') then
    alter table thing2 add constraint positive check (id > 0);
  end if;
  if not exists (select from pg_indexes where schemaname = 'public' and indexname = 'thing2_id') then
    create index thing2_id on thing2 (id);
  end if;
  if not exists (select from pg_proc p join pg_namespace ns on ns.oid = p.pronamespace where ns.nspname = 'public' and p.proname = 'f') then
    create function f() returns int language sql as 'select 1';
  end if;
  if not exists (select from pg_trigger where tgname = 'tr' and tgrelid = 'public.thing'::regclass) then
    create function tr() returns trigger language plpgsql as 'begin return new; end';
    create trigger tr before insert on thing for each row execute function tr();
  end if;
  if not exists (select from pg_views where schemaname = 'public' and viewname = 'v') then
    create view v as select * from thing;
  end if;
  if not exists (select from pg_class c join pg_namespace ns on ns.oid = c.relnamespace where c.relkind = 'S' and c.relname = 's' and ns.nspname = 'public') then
    create sequence s;
  end if;
  if not exists (select from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typname = 'colour' and e.enumlabel = 'red') then
    create type colour as enum ('red');
  end if;
  if exists (select from pg_attribute where attrelid = 'public.thing'::regclass and attname = 'note' and not attisdropped) then
    alter table thing drop column note;
  end if;
  if exists (select from pg_extension where extname = 'pgcrypto') and exists (select from pg_roles where rolname = 'anon') then
    grant select on thing to anon;
  end if;
  if exists (select from pg_available_extensions where name = 'citext') then
    create extension if not exists citext with schema extensions;
  end if;
  if not exists (select from pg_namespace where nspname = 'public') then raise exception 'no public'; end if;
  if not exists (select from information_schema.schemata where schema_name = 'public') then raise exception 'no schema public'; end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
  if current_user <> 'postgres' then raise exception 'not postgres but %', current_user; end if;
  select count(*) into n from information_schema.role_table_grants where grantee = 'anon' and table_schema = 'public' and table_name = 'thing' and privilege_type = 'SELECT';
  if n <> 1 then raise exception 'grants: %', n; end if;
  select count(*) into n from information_schema.key_column_usage where table_schema = 'public' and table_name = 'thing' and column_name = 'id';
  if n <> 1 then raise exception 'keys: %', n; end if;
  select count(*) into n from information_schema.routines where routine_schema = 'public' and routine_name = 'f';
  if n <> 1 then raise exception 'routines: %', n; end if;
  select count(*) into n from information_schema.triggers where event_object_schema = 'public' and trigger_name = 'tr';
  if n <> 1 then raise exception 'triggers: %', n; end if;
end $$;
-- run again
-- expect: select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'v', 'S') => 4
-- expect: select count(*) from information_schema.columns where table_schema = 'public' => 3
-- expect as anon: GET /thing => 200 []
