-- What agents wrap into DO
do $$
begin
  if not exists (select 1 from pg_type where typname = 'visibility') then
    create type visibility as enum ('public', 'private');
  end if;
end $$;
do $$ begin
  create type visibility as enum ('x');
exception when duplicate_object then
  raise notice 'type visibility exists, skipping';
end $$;
do language plpgsql $block$
declare
  t text;
begin
  foreach t in array array['alpha', 'beta', 'gamma'] loop
    execute format('create table if not exists %I (id bigint generated always as identity primary key, v visibility default %L)', t, 'private');
    execute format('alter table %I enable row level security', t);
    execute format('drop policy if exists %I on %I', t || '_read', t);
    execute format('create policy %I on %I for select using (v = ''public'')', t || '_read', t);
  end loop;
end
$block$;
do $$
declare
  r record;
begin
  for r in select tablename from pg_tables where schemaname = 'public' and tablename in ('alpha', 'beta') loop
    execute 'insert into ' || quote_ident(r.tablename) || ' (v) values (''public''), (default)';
  end loop;
end $$;
do 'begin perform 1; end';
-- run again
-- expect: select (select count(*) from alpha) + (select count(*) from gamma) => 4
-- expect as anon: GET /alpha?select=v => 200 [{"v":"public"},{"v":"public"}]
-- expect: select count(*) from pg_policies where schemaname = 'public' => 3
