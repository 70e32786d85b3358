create domain public.percentage as smallint check (value between 0 and 100);

create table public.feature_flags (
  key text primary key check (key = lower(key)),
  description text,
  enabled boolean not null default false,
  rollout public.percentage not null default 100,
  rules jsonb not null default '{}'
);
comment on table public.feature_flags is 'Flags that the application asks for at start';
comment on column public.feature_flags.rollout is E'Percent of users\nwho get it';

create or replace function public.is_enabled(flag text, subject text default null) returns boolean
language sql stable parallel safe as $$
  select coalesce((
    select f.enabled
       and (subject is null or abs(hashtext(f.key || ':' || subject)) % 100 < f.rollout)
       and not coalesce(f.rules -> 'deny' ? subject, false)
    from public.feature_flags f where f.key = flag), false)
$$;
comment on function public.is_enabled(text, text) is 'false for a flag that does not exist';

insert into public.feature_flags (key, enabled, rollout, rules) values
  ('new-home', true, 100, '{"deny": ["eve"]}'), ('dark', true, 0, default), ('off', false, 100, default);

alter table public.feature_flags enable row level security;
create policy "readable" on public.feature_flags for select using (true);
-- expect as anon: POST /rpc/is_enabled {"flag":"new-home","subject":"ada"} => 200 true
-- expect as anon: POST /rpc/is_enabled {"flag":"new-home","subject":"eve"} => 200 false
-- expect as anon: POST /rpc/is_enabled {"flag":"dark","subject":"ada"} => 200 false
-- expect as anon: POST /rpc/is_enabled {"flag":"unknown"} => 200 false
-- expect: insert into feature_flags (key, rollout) values ('x', 101) => error 23514
-- expect: select obj_description('public.feature_flags'::regclass, 'pg_class') => "Flags that the application asks for at start"
-- expect: select col_description('public.feature_flags'::regclass, 4) => "Percent of users\nwho get it"
