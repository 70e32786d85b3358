create extension if not exists citext with schema extensions;

create table if not exists public.waitlist (
  email extensions.citext primary key,
  referrer extensions.citext references public.waitlist (email),
  joined_at timestamptz not null default clock_timestamp(),
  invited boolean not null default false
);

alter table public.waitlist enable row level security;

drop policy if exists "Anyone can join" on public.waitlist;
create policy "Anyone can join" on public.waitlist for insert to anon with check (invited = false);

create or replace function public.waitlist_position(p_email text)
returns bigint language sql stable security definer set search_path to 'public', 'extensions' as
$function$
  select rank from (
    select email, rank() over (order by joined_at) from waitlist where not invited
  ) w where email = p_email::citext
$function$;

insert into public.waitlist (email) values ('First@Example.com'), ('second@example.com')
on conflict (email) do nothing;
-- run again
-- expect: select waitlist_position('FIRST@example.com') => 1
-- expect: insert into waitlist (email) values ('first@EXAMPLE.com') => error 23505
-- expect as anon: POST /rpc/waitlist_position {"p_email":"SECOND@example.COM"} => 200 2
-- expect: select count(*) from waitlist => 2
