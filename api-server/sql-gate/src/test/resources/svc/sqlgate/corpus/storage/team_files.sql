-- Files of a team: the policy asks a table of the project
create table public.teams (id uuid primary key default gen_random_uuid(), name text);
create table public.team_members (team_id uuid references public.teams on delete cascade, user_id uuid references auth.users on delete cascade, role text not null default 'member', primary key (team_id, user_id));
alter table public.teams enable row level security;
alter table public.team_members enable row level security;
create policy "own membership" on public.team_members for select using (user_id = auth.uid());
create or replace function public.team_role(object_name text) returns text
language sql stable security definer set search_path = '' as $$
  select m.role from public.team_members m
  where m.team_id::text = split_part(object_name, '/', 1) and m.user_id = (select auth.uid())
$$;
insert into storage.buckets (id, name) values ('team-files', 'team-files');
create policy "team reads" on storage.objects for select to authenticated
  using (bucket_id = 'team-files' and exists (
    select 1 from public.team_members m where m.user_id = auth.uid() and m.team_id::text = (storage.foldername(objects.name))[1]));
create policy "team writes" on storage.objects for insert to authenticated
  with check (bucket_id = 'team-files' and public.team_role(name) in ('owner', 'member'));
create policy "owners delete" on storage.objects for delete to authenticated
  using (bucket_id = 'team-files' and public.team_role(name) = 'owner');
create table public.file_meta (object_id uuid primary key references storage.objects (id) on delete cascade, description text);
create view public.my_files with (security_invoker = on) as select name, bucket_id from storage.objects where bucket_id = 'team-files';
-- expect: select count(*) from pg_policies where schemaname = 'storage' and policyname in ('team reads', 'team writes', 'owners delete') => 3
-- expect as user 1: GET /my_files => 200 []
-- expect: select public.team_role('x/y.png') => null
-- expect: drop function public.team_role(text) => error 2BP01
