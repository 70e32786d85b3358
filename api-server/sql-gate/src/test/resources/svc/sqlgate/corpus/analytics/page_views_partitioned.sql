-- Partitions by month, a default partition, rollup into a summary
create table public.page_views (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  path text not null,
  visitor uuid,
  duration_ms int,
  primary key (at, id)
) partition by range (at);
create table public.page_views_2024_01 partition of public.page_views for values from ('2024-01-01') to ('2024-02-01');
create table public.page_views_2024_02 partition of public.page_views for values from ('2024-02-01') to ('2024-03-01');
create table public.page_views_rest partition of public.page_views default;
create index page_views_path on public.page_views (path, at);

insert into public.page_views (at, path, duration_ms)
select '2024-01-30'::timestamptz + i * interval '1 day', (array['/', '/pricing'])[1 + i % 2], i * 100
from generate_series(0, 5) i;
insert into public.page_views (at, path) values ('2030-01-01', '/future');

create table public.daily_stats as
  select at::date as day, path, count(*) as views, percentile_cont(0.5) within group (order by duration_ms) as median_ms
  from public.page_views group by cube (1, 2) with no data;
insert into public.daily_stats select at::date, path, count(*), percentile_cont(0.5) within group (order by duration_ms)
  from public.page_views group by 1, 2;

create table public.page_views_2024_03 (like public.page_views including defaults including constraints);
alter table public.page_views attach partition public.page_views_2024_03 for values from ('2024-03-01') to ('2024-04-01');
alter table public.page_views detach partition public.page_views_2024_01;
-- expect: select count(*) from page_views => 5
-- expect: select count(*) from page_views_2024_01 => 2
-- expect: select tableoid::regclass = 'public.page_views_rest'::regclass from page_views where path = '/future' => true
-- expect: select count(*), sum(views) from daily_stats => [{"count":7,"sum":7}]
-- expect as anon: GET /page_views?path=eq./future&select=path => 200 [{"path":"/future"}]
-- expect: select count(*) from pg_inherits where inhparent = 'public.page_views'::regclass => 3
