-- What the security linter asks for, applied to what was there
create table public.notes (id int primary key, user_id uuid default auth.uid(), body text);
create view public.note_counts as select user_id, count(*) from public.notes group by user_id;
create function public.my_notes() returns setof public.notes language sql security definer as 'select * from notes where user_id = auth.uid()';
create materialized view public.stats as select count(*) from public.notes;
-- next call
alter table public.notes enable row level security;
create policy "own" on public.notes for all to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
alter view public.note_counts set (security_invoker = on);
alter function public.my_notes() set search_path = '';
create or replace function public.my_notes() returns setof public.notes language sql stable security invoker set search_path = ''
  as 'select * from public.notes where user_id = (select auth.uid())';
revoke all on public.stats from anon, authenticated;
revoke execute on function public.my_notes() from public, anon;
create index notes_user_id on public.notes (user_id);
insert into public.notes values (1, '00000000-0000-4000-8000-000000000001', 'x');
-- expect as user 1: GET /note_counts?select=count => 200 [{"count":1}]
-- expect as anon: GET /note_counts => 200 []
-- expect as anon: GET /stats => 401
-- expect: select prosecdef, cardinality(proconfig) as settings from pg_proc where proname = 'my_notes' => [{"prosecdef":false,"settings":1}]
-- expect: select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r' and not c.relrowsecurity => 0
