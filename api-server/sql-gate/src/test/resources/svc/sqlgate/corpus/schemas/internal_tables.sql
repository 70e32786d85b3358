-- Data that no request reads directly: functions of the public schema stand before it.
do $$ begin
  create schema if not exists internal;
  revoke all on schema internal from public, anon, authenticated;
end $$;
create table internal.accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  credits int not null default 10 check (credits >= 0)
);
create function internal.new_account() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into internal.accounts (user_id) values (new.id);
  return new;
end $$;
create trigger new_account after insert on auth.users for each row execute function internal.new_account();

create function public.spend(amount int) returns int
language plpgsql security definer set search_path = internal as $$
declare
  left_over internal.accounts.credits%type;
begin
  update accounts set credits = credits - amount where user_id = auth.uid() returning credits into left_over;
  return left_over;
end $$;
revoke execute on function public.spend from anon;
create view public.my_account with (security_invoker = off) as
  select credits from internal.accounts where user_id = (select auth.uid());
-- sign up 1 ada@example.com
-- expect as user 1: GET /my_account => 200 [{"credits":10}]
-- expect as user 1: POST /rpc/spend {"amount":3} => 200 7
-- expect as user 1: POST /rpc/spend {"amount":30} => 400
-- expect as user 1: GET /accounts => 404
-- expect: select credits from internal.accounts => 7
-- delete user 1
-- expect: select count(*) from internal.accounts => 0
