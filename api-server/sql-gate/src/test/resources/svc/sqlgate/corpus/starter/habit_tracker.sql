-- =============================================
-- HABIT TRACKER
-- =============================================
create type public.frequency as enum ('daily', 'weekly', 'monthly');

create table public.habits (
  id uuid default extensions.uuid_generate_v4() primary key,
  user_id uuid references auth.users(id) on delete cascade not null,
  name text not null,
  frequency public.frequency default 'daily'::public.frequency not null,
  target_count int default 1 not null check (target_count > 0),
  color text default '#3b82f6' check (color ~ '^#[0-9a-f]{6}$'),
  archived boolean default false
);

create table public.completions (
  habit_id uuid references public.habits(id) on delete cascade,
  completed_on date not null default current_date,
  primary key (habit_id, completed_on)
);

-- Longest run of consecutive days
create or replace function public.longest_streak(h uuid) returns int
language sql stable as $$
  with days as (
    select completed_on,
           completed_on - (row_number() over (order by completed_on))::int as grp
    from public.completions where habit_id = h
  )
  select coalesce(max(n), 0)::int from (select count(*) as n from days group by grp) s;
$$;

alter table public.habits enable row level security;
alter table public.completions enable row level security;
create policy "own habits" on public.habits for all using (auth.uid() = user_id) with check (auth.uid() = user_id);
create policy "own completions" on public.completions for all
  using (exists (select 1 from public.habits h where h.id = habit_id and h.user_id = auth.uid()));
-- sign up 1 ada@example.com
insert into habits (id, user_id, name) values ('aaaaaaaa-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001', 'run');
insert into completions (habit_id, completed_on)
select 'aaaaaaaa-0000-4000-8000-000000000001', d::date
from unnest(array['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-05', '2024-01-06']) d;
-- expect: select longest_streak('aaaaaaaa-0000-4000-8000-000000000001') => 3
-- expect as user 1: POST /rpc/longest_streak {"h":"aaaaaaaa-0000-4000-8000-000000000001"} => 200 3
-- expect as anon: POST /rpc/longest_streak {"h":"aaaaaaaa-0000-4000-8000-000000000001"} => 200 0
-- expect: update habits set color = 'red' => error 23514
