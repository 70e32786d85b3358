create table public.teams (id uuid primary key default gen_random_uuid(), name text not null);
create table public.team_members (
  team_id uuid references public.teams on delete cascade,
  user_id uuid references auth.users on delete cascade,
  primary key (team_id, user_id)
);
create table public.invitations (
  token uuid primary key default gen_random_uuid(),
  team_id uuid not null references public.teams on delete cascade,
  email text not null,
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz
);
alter table public.teams enable row level security;
alter table public.team_members enable row level security;
alter table public.invitations enable row level security;
create policy "see own" on public.team_members for select to authenticated using (user_id = auth.uid());

create or replace function public.accept_invitation(invitation_token uuid)
returns uuid
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  invitation invitations%rowtype;
  caller_email text;
begin
  select email into caller_email from auth.users where id = auth.uid();
  if not found then
    raise exception 'not signed in' using errcode = '28000';
  end if;

  select * into invitation from invitations where token = invitation_token for update;
  if invitation.token is null then
    raise exception 'invitation not found' using errcode = 'P0002', hint = 'Ask for a new one.';
  elsif invitation.accepted_at is not null or invitation.expires_at < now() then
    raise exception 'invitation is no longer valid' using errcode = '22023';
  elsif lower(invitation.email) is distinct from lower(caller_email) then
    raise exception 'invitation belongs to %', invitation.email using errcode = '42501';
  end if;

  insert into team_members (team_id, user_id) values (invitation.team_id, auth.uid()) on conflict do nothing;
  update invitations set accepted_at = now() where token = invitation_token;
  return invitation.team_id;
end;
$$;
revoke execute on function public.accept_invitation(uuid) from anon;

insert into public.teams values ('77777777-0000-4000-8000-000000000000', 'core');
insert into public.invitations (token, team_id, email)
values ('88888888-0000-4000-8000-000000000000', '77777777-0000-4000-8000-000000000000', 'Bob@Example.com');
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
-- expect as user 1: POST /rpc/accept_invitation {"invitation_token":"88888888-0000-4000-8000-000000000000"} => 403
-- expect as anon: POST /rpc/accept_invitation {"invitation_token":"88888888-0000-4000-8000-000000000000"} => 401
-- expect as user 2: POST /rpc/accept_invitation {"invitation_token":"88888888-0000-4000-8000-000000000000"} => 200 "77777777-0000-4000-8000-000000000000"
-- expect as user 2: POST /rpc/accept_invitation {"invitation_token":"88888888-0000-4000-8000-000000000000"} => 400
-- expect as user 2: GET /team_members?select=team_id => 200 [{"team_id":"77777777-0000-4000-8000-000000000000"}]
