-- SQL composed while it runs, with Supabase's names: in DO, and in functions that are called later
create table notes (id int primary key, owner uuid, title text);
create table tags (id int primary key, title text);
create schema app;
create table app.conf (key text primary key, value text);
insert into app.conf values ('greeting', 'hello');
do $$
declare t text;
begin
  foreach t in array array['notes', 'tags'] loop
    execute format('alter table public.%I enable row level security', t);
    execute format('drop policy if exists "Readable by %s" on public.%I', 'all', t);
    execute format(
      'create policy "Readable by %s, to anon" on public.%I for select to anon, authenticated using (true or auth.uid() is null)', 'all', t);
    execute 'create policy "written" on "public".' || quote_ident(t) || ' for all to service_role using (true)';
    execute format('grant select on table public.%I to anon, authenticated', t);
    execute format('alter table public.%I owner to postgres', t);
    execute 'alter publication supabase_realtime add table public.' || t;
  end loop;
  execute 'create schema if not exists app';
  execute 'create schema ' || 'extra';
  execute 'grant usage on schema extra to authenticated';
  execute format('grant usage on schema %I to anon', 'extra');
end $$;
create function count_of(t text) returns bigint language plpgsql as $$
declare n bigint;
begin
  execute format('select count(*) from public.%I where title <> %L', t, 'public.notes') into n;
  return n;
end $$;
create function setting_of(k text) returns text language plpgsql security definer set search_path = '' as $$
declare v text; q text := 'select c.value from app.conf c where c.key = $1';
begin
  execute q into v using k;
  return v;
end $$;
create function all_of(t text) returns table (id int, title text) language plpgsql as $$
begin
  return query execute 'select id, title from public.' || quote_ident(t) || ' order by 1';
end $$;
create function keeps(s text) returns text language plpgsql as $$
declare r text;
begin
  execute 'select ' || quote_literal(s) || ' /* public.x */' into r;
  return r;
end $$;
insert into notes values (1, null, 'public.notes'), (2, null, 'b');
-- expect: select count_of('notes') => 1
-- expect: select setting_of('greeting') => "hello"
-- expect as anon: POST /rpc/setting_of {"k":"greeting"} => 200 "hello"
-- expect as anon: POST /rpc/count_of {"t":"notes"} => 200 1
-- expect as anon: POST /rpc/all_of {"t":"notes"} => 200 [{"id":1,"title":"public.notes"},{"id":2,"title":"b"}]
-- expect: select keeps('see public.x, to anon') => "see public.x, to anon"
-- expect: select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1 => [{"tablename":"notes"},{"tablename":"tags"}]
-- expect: select count(*) from pg_policies where tablename = 'notes' and policyname = 'Readable by all, to anon' => 1
-- expect: select count_of('nowhere') => error 42P01
-- expect: select has_schema_privilege('anon', 'extra', 'usage') and has_schema_privilege('authenticated', 'extra', 'usage') => true
