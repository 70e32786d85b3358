create type sport as enum ('run', 'ride', 'swim');
create table athletes (id uuid primary key default auth.uid(), nick text not null unique check (nick !~ '\s'));
create table activities (
  id bigint generated always as identity primary key, athlete uuid not null default auth.uid() references athletes on delete cascade,
  sport sport not null, meters numeric not null check (meters > 0), moving interval not null, started timestamptz not null,
  pace numeric generated always as (round((extract(epoch from moving) / 60)::numeric / (meters / 1000), 2)) stored
);
create view leaderboard as
select sport, nick, sum(meters) as meters, row_number() over (partition by sport order by sum(meters) desc, nick) as place
from activities join athletes on athletes.id = athlete group by sport, nick;
create function my_week(from_day date) returns table (day date, meters numeric) language sql stable as $$
  select d::date, coalesce(sum(a.meters), 0)
  from generate_series(from_day, from_day + 6, interval '1 day') d
  left join activities a on a.started >= d and a.started < d + interval '1 day' and a.athlete = auth.uid()
  group by d order by d
$$;
alter table activities enable row level security;
create policy a on activities using (athlete = auth.uid()) with check (athlete = auth.uid());
insert into athletes values ('00000000-0000-4000-8000-000000000001', 'ada'), ('00000000-0000-4000-8000-000000000002', 'bob');
insert into activities (athlete, sport, meters, moving, started) values
  ('00000000-0000-4000-8000-000000000001', 'run', 5000, '25 min', '2024-05-06 07:00Z'),
  ('00000000-0000-4000-8000-000000000002', 'run', 10000, '1:00:00', '2024-05-06 08:00Z'),
  ('00000000-0000-4000-8000-000000000001', 'ride', 20000, 'PT1H', '2024-05-08 08:00Z');
-- expect as anon: GET /leaderboard?sport=eq.run&order=place&select=nick,place => 200 [{"nick":"bob","place":1},{"nick":"ada","place":2}]
-- expect as user 1: GET /activities?select=pace,sport&order=id => 200 [{"pace":5.00,"sport":"run"},{"pace":3.00,"sport":"ride"}]
-- expect as user 1: POST /activities {"sport":"swim","meters":-1,"moving":"10 min","started":"2024-05-06"} => 400
-- expect: select count(*), sum(meters) from my_week('2024-05-06') => [{"count":7,"sum":0}]
