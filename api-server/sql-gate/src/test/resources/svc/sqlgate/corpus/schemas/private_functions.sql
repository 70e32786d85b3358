-- Functions that policies call, in a schema that the API does not expose.
create schema if not exists private;

create table public.organisations (id uuid primary key default gen_random_uuid(), name text not null);
create table public.memberships (
  organisation_id uuid not null references public.organisations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null default 'member',
  primary key (organisation_id, user_id)
);
create table public.documents (
  id bigint generated always as identity primary key,
  organisation_id uuid not null references public.organisations (id) on delete cascade,
  title text not null
);

create or replace function private.is_member(_organisation_id uuid)
returns boolean
language sql
security definer
set search_path = ''
stable
as $$
  select exists (
    select 1 from public.memberships m
    where m.organisation_id = _organisation_id and m.user_id = (select auth.uid())
  );
$$;

create or replace function private.has_role(_organisation_id uuid, _role text)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
  found_role text;
begin
  select m.role into found_role from public.memberships m
  where m.organisation_id = _organisation_id and m.user_id = (select auth.uid());
  return coalesce(found_role = _role, false);
end;
$$;

alter table public.organisations enable row level security;
alter table public.memberships enable row level security;
alter table public.documents enable row level security;
create policy "members read" on public.organisations for select to authenticated using (private.is_member(id));
create policy "members read" on public.documents for select to authenticated
  using ((select private.is_member(organisation_id)));
create policy "editors write" on public.documents for insert to authenticated
  with check (private.has_role(organisation_id, 'editor'));
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
insert into public.organisations (id, name) values ('00000000-0000-4000-8000-00000000000a', 'Acme');
insert into public.memberships values
  ('00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-000000000001', 'editor');
-- expect as user 1: GET /organisations?select=name => 200 [{"name":"Acme"}]
-- expect as user 2: GET /organisations?select=name => 200 []
-- expect as user 1: POST /documents {"organisation_id":"00000000-0000-4000-8000-00000000000a","title":"a"} => 201
-- expect as user 2: POST /documents {"organisation_id":"00000000-0000-4000-8000-00000000000a","title":"b"} => 403
-- expect as user 1: GET /documents?select=title => 200 [{"title":"a"}]
-- expect as anon: GET /documents => 200 []
-- expect as user 1: POST /rpc/is_member {"_organisation_id":"00000000-0000-4000-8000-00000000000a"} => 404
-- expect: select private.has_role('00000000-0000-4000-8000-00000000000a', 'editor') => false
create function private.maintain() returns int language sql security definer set search_path = '' as 'select 1';
revoke execute on function private.maintain from public;
-- expect: select has_function_privilege('authenticated', 'private.maintain()', 'execute') => false
-- expect: select has_function_privilege('authenticated', 'private.is_member(uuid)', 'execute') => true
