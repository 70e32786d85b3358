-- Safe to run any number of times
create extension if not exists "uuid-ossp" with schema extensions;
do $$ begin
  if not exists (select 1 from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typname = 'priority' and n.nspname = 'public') then
    create type public.priority as enum ('low', 'high');
  end if;
end $$;
create table if not exists public.tasks (id uuid primary key default uuid_generate_v4(), title text not null unique);
alter table public.tasks add column if not exists priority public.priority default 'low';
do $$ begin
  if not exists (
    select 1 from information_schema.columns
    where table_schema = 'public' and table_name = 'tasks' and column_name = 'done'
  ) then
    alter table public.tasks add column done boolean not null default false;
  end if;
end $$;
create index if not exists tasks_priority on public.tasks (priority);
alter table public.tasks enable row level security;
drop policy if exists "read" on public.tasks;
create policy "read" on public.tasks for select using (true);
do $$ begin
  if not exists (select 1 from pg_policies where schemaname = 'public' and tablename = 'tasks' and policyname = 'write') then
    create policy "write" on public.tasks for insert to authenticated with check (true);
  end if;
end $$;
create or replace function public.task_count() returns bigint language sql stable as 'select count(*) from public.tasks';
create or replace view public.open_tasks with (security_invoker) as select * from public.tasks where not done;
drop trigger if exists nothing on public.tasks;
do $$ begin
  if not exists (select 1 from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'tasks') then
    alter publication supabase_realtime add table public.tasks;
  end if;
end $$;
do $$ begin
  if not exists (select 1 from pg_constraint where conname = 'title_not_empty' and conrelid = 'public.tasks'::regclass) then
    alter table public.tasks add constraint title_not_empty check (title <> '');
  end if;
end $$;
insert into public.tasks (title) values ('first'), ('second') on conflict (title) do nothing;
grant select on public.open_tasks to anon;
notify pgrst, 'reload schema';
-- run again
-- run again
-- expect as anon: GET /open_tasks?select=title,priority&order=title => 200 [{"title":"first","priority":"low"},{"title":"second","priority":"low"}]
-- expect: select count(*) from pg_policies where tablename = 'tasks' => 2
-- expect: select count(*) from pg_publication_tables where pubname = 'supabase_realtime' => 1
-- expect: select count(*) from pg_constraint where conrelid = 'public.tasks'::regclass and contype = 'c' => 1
