-- The ways in which people react to a sign-up
create table if not exists public.profiles (id uuid primary key references auth.users on delete cascade, email text, role text default 'user', name text, avatar text);
create table if not exists public.wallets (user_id uuid primary key references auth.users (id) on delete cascade on update cascade, credits int not null default 10);
create table if not exists public.signups (day date primary key, n int not null default 0);

create or replace function public.handle_new_user() returns trigger
language plpgsql security definer set search_path = public
as $$
declare
  meta jsonb := coalesce(new.raw_user_meta_data, '{}'::jsonb);
begin
  insert into profiles (id, email, name, avatar)
  values (
    new.id,
    new.email,
    coalesce(meta ->> 'full_name', meta ->> 'name', split_part(new.email, '@', 1)),
    coalesce(nullif(meta ->> 'avatar_url', ''), 'https://avatar.example/' || md5(lower(trim(new.email)))))
  on conflict (id) do update set email = excluded.email;
  insert into wallets (user_id) values (new.id);
  insert into signups as s (day, n) values (current_date, 1) on conflict (day) do update set n = s.n + 1;
  return new;
exception when others then
  raise warning 'handle_new_user: % %', sqlstate, sqlerrm;
  return new;
end $$;
drop trigger if exists on_auth_user_created on auth.users;
create trigger on_auth_user_created after insert on auth.users for each row execute procedure public.handle_new_user();

create or replace function public.handle_email_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return new;
end $$;
create or replace trigger on_auth_user_updated after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function public.handle_email_change();

-- Users that were there before
insert into public.profiles (id, email) select id, email from auth.users on conflict do nothing;
-- run again
-- sign up 1 ada@example.com {"name": "Ada"}
-- sign up 2 bob@example.com
-- expect: select name from profiles order by email => [{"name":"Ada"},{"name":"bob"}]
-- expect: select n, (select sum(credits) from wallets) as credits from signups => [{"n":2,"credits":20}]
-- delete user 1
-- expect: select count(*) from wallets => 1
-- expect: drop trigger on_auth_user_created on auth.users; drop trigger on_auth_user_updated on auth.users; select 1 => 1
-- sign up 3 cyd@example.com
-- expect: select count(*) from profiles => 1
