create table public.members (id uuid primary key default auth.uid(), nick text, email text, is_admin boolean not null default false);
alter table public.members enable row level security;
create policy m on public.members for all to authenticated using (true) with check (id = auth.uid());
revoke all on table public.members from anon, authenticated;
grant select (id, nick, is_admin), insert (nick), update (nick) on table public.members to authenticated;
create or replace function public.members_guard() returns trigger language plpgsql as $$
begin
  if new.is_admin is distinct from old.is_admin and current_user <> 'postgres' then
    raise insufficient_privilege using message = 'only the owner makes admins';
  end if;
  return new;
end $$;
create trigger guard before update on public.members for each row execute function public.members_guard();
-- expect as user 1: POST /members?select=nick {"nick":"ada"} => 201 [{"nick":"ada"}]
-- expect as user 1: PATCH /members?nick=eq.ada&select=nick {"is_admin":true} => 403
-- expect as user 1: GET /members?select=email => 403
-- expect as service: PATCH /members?nick=eq.ada&select=nick {"is_admin":true} => 403
-- expect: update members set is_admin = true returning nick => "ada"
-- expect as user 2: GET /members?select=nick,is_admin => 200 [{"nick":"ada","is_admin":true}]
