-- "Delete my account", called by the signed-in user
create table public.notes (id int primary key, user_id uuid references auth.users (id) on delete cascade, body text);
alter table public.notes enable row level security;
create policy own on public.notes using ((select auth.uid()) = user_id);
create or replace function public.delete_user() returns void language sql security definer set search_path = '' as $$
  delete from auth.users where id = auth.uid();
$$;
revoke execute on function public.delete_user from anon;
-- sign up 1 ada@example.com
-- sign up 2 bob@example.com
insert into public.notes values (1, '00000000-0000-4000-8000-000000000001', 'a'), (2, '00000000-0000-4000-8000-000000000002', 'b');
-- expect as anon: POST /rpc/delete_user {} => 401
-- expect as user 1: POST /rpc/delete_user {} => 204
-- expect: select string_agg(email, ',') from auth.users => "bob@example.com"
-- expect: select string_agg(body, ',') from public.notes => "b"
