-- Retention cohorts, funnels and sessions in plain SQL
create table app_events (user_id int, name text, at timestamp);
insert into app_events values
  (1, 'signup', '2024-01-01 10:00'), (1, 'login', '2024-01-01 10:05'), (1, 'login', '2024-01-08 09:00'), (1, 'buy', '2024-01-08 09:10'),
  (2, 'signup', '2024-01-02 12:00'), (2, 'login', '2024-01-02 12:40'),
  (3, 'signup', '2024-01-09 08:00');

create view sessions as
with marked as (
  select *, case when at - lag(at) over (partition by user_id order by at) <= interval '30 minutes' then 0 else 1 end as starts
  from app_events
), numbered as (
  select *, sum(starts) over (partition by user_id order by at) as session from marked
)
select user_id, session, min(at) as began, max(at) - min(at) as length, array_agg(name order by at) as names
from numbered group by user_id, session;

create view cohorts as
select date_trunc('week', s.at)::date as week, (e.at::date - s.at::date) / 7 as week_no, count(distinct e.user_id) as users
from app_events s join app_events e using (user_id)
where s.name = 'signup'
group by 1, 2;

create view funnel as
select count(*) filter (where signup) as signup, count(*) filter (where signup and login) as login, count(*) filter (where signup and login and buy) as buy
from (select user_id, bool_or(name = 'signup') signup, bool_or(name = 'login') login, bool_or(name = 'buy') buy from app_events group by 1) u;
-- expect: select * from funnel => [{"signup":3,"login":2,"buy":1}]
-- expect: select count(*) from sessions => 5
-- expect: select names from sessions where user_id = 1 and session = 2 => [{"names":["login","buy"]}]
-- expect as anon: GET /cohorts?order=week,week_no => 200 [{"week":"2024-01-01","week_no":0,"users":2},{"week":"2024-01-01","week_no":1,"users":1},{"week":"2024-01-08","week_no":0,"users":1}]
