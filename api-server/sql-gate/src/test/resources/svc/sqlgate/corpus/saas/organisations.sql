-- Multi-tenant SaaS: organisations, members with roles, invitations
create type public.org_role as enum ('owner', 'admin', 'member', 'viewer');

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  slug text not null unique check (slug ~ '^[a-z0-9-]+$'),
  created_by uuid references auth.users (id) default auth.uid(),
  created_at timestamptz not null default now()
);

create table public.organization_members (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role public.org_role not null default 'member',
  joined_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index on public.organization_members (user_id);

-- membership helpers; security definer so that policies do not recurse
create function public.is_member_of(org uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.organization_members m
    where m.organization_id = org and m.user_id = (select auth.uid())
  );
$$;
create function public.has_org_role(org uuid, variadic roles public.org_role[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.organization_members m
    where m.organization_id = org and m.user_id = (select auth.uid()) and m.role = any (roles)
  );
$$;

create function public.add_creator_as_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.created_by is not null then
    insert into public.organization_members (organization_id, user_id, role) values (new.id, new.created_by, 'owner');
  end if;
  return new;
end $$;
create trigger organization_created after insert on public.organizations
  for each row execute function public.add_creator_as_owner();

create table public.projects (
  id bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations on delete cascade,
  name text not null,
  unique (organization_id, name)
);

alter table public.organizations enable row level security;
alter table public.organization_members enable row level security;
alter table public.projects enable row level security;

create policy "members see their organisation" on public.organizations for select to authenticated
  using (public.is_member_of(id) or created_by = (select auth.uid()));
create policy "anyone signed in creates one" on public.organizations for insert to authenticated
  with check (created_by = (select auth.uid()));
create policy "members see members" on public.organization_members for select to authenticated
  using (public.is_member_of(organization_id));
create policy "admins manage members" on public.organization_members for all to authenticated
  using (public.has_org_role(organization_id, 'owner', 'admin'))
  with check (public.has_org_role(organization_id, 'owner', 'admin'));
create policy "members read projects" on public.projects for select to authenticated using (public.is_member_of(organization_id));
create policy "writers write projects" on public.projects for insert to authenticated
  with check (public.has_org_role(organization_id, variadic array['owner', 'admin', 'member']::public.org_role[]));
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
-- sign up 3 eve@example.com
-- expect as user 1: POST /organizations?select=slug {"id":"99999999-0000-4000-8000-000000000000","name":"Acme","slug":"acme"} => 201 [{"slug":"acme"}]
-- expect as user 1: POST /organization_members?select=role {"organization_id":"99999999-0000-4000-8000-000000000000","user_id":"00000000-0000-4000-8000-000000000002","role":"viewer"} => 201
--     [{"role":"viewer"}]
-- expect as user 2: POST /projects {"organization_id":"99999999-0000-4000-8000-000000000000","name":"x"} => 403
-- expect as user 1: POST /projects?select=id,name {"organization_id":"99999999-0000-4000-8000-000000000000","name":"x"} => 201 [{"id":2,"name":"x"}]
-- expect as user 2: GET /projects?select=name => 200 [{"name":"x"}]
-- expect as user 3: GET /projects => 200 []
-- expect as user 3: GET /organizations => 200 []
-- expect as user 2: GET /organization_members?select=role&order=role => 200 [{"role":"owner"},{"role":"viewer"}]
