-- Plans with limits, usage counters, and a trigger that enforces the limit
create table public.plans (
  key text primary key,
  max_items int,  -- null is unlimited
  features text[] not null default array[]::text[]
);
insert into public.plans (key, max_items, features) values
  ('free', 2, '{}'), ('pro', null, '{api,export}');

create table public.accounts (
  user_id uuid primary key references auth.users on delete cascade,
  plan text not null default 'free' references public.plans (key) on update cascade
);
create table public.items (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null default auth.uid() references public.accounts (user_id) on delete cascade,
  name text
);

create function public.enforce_quota() returns trigger language plpgsql as $$
declare
  allowed int;
  used int;
begin
  select p.max_items into allowed
    from public.accounts a join public.plans p on p.key = a.plan
   where a.user_id = new.user_id
     for update of a;
  if allowed is null then
    return new;
  end if;
  select count(*) into used from public.items i where i.user_id = new.user_id;
  if used >= allowed then
    raise exception using
      errcode = 'PT402',
      message = format('Your plan allows %s items', allowed),
      detail = format('used: %s', used),
      hint = 'Upgrade to pro.';
  end if;
  return new;
end $$;
create trigger enforce_quota before insert on public.items for each row execute function public.enforce_quota();

create function public.make_account() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.accounts (user_id) values (new.id);
  return null;
end $$;
create trigger make_account after insert on auth.users for each row execute function public.make_account();
-- sign up 1 ada@example.com
-- expect as user 1: POST /items?select=name [{"name":"a"},{"name":"b"}] => 201 [{"name":"a"},{"name":"b"}]
-- expect as user 1: POST /items {"name":"c"} => 402
-- expect: update accounts set plan = 'pro' returning plan => "pro"
-- expect as user 1: POST /items?select=name {"name":"c"} => 201 [{"name":"c"}]
-- expect: update plans set key = 'business' where key = 'pro' returning features => [{"features":["api","export"]}]
-- expect: select plan from accounts => "business"
