create table orders (id int generated always as identity primary key, customer text, amount numeric, at date default '2024-01-01');
insert into orders (customer, amount) values ('a', 10), ('a', 5), ('b', 7);
create materialized view if not exists revenue as
  select customer, sum(amount) as total from orders group by customer
with data;
create unique index revenue_customer on revenue (customer);
create materialized view public.big as select customer from revenue where total > 10 with no data;
refresh materialized view public.big with data;
comment on materialized view revenue is 'refreshed by hand';
grant select on revenue to anon;
insert into orders (customer, amount) values ('c', 100);
-- expect as anon: GET /revenue?order=customer => 200 [{"customer":"a","total":15},{"customer":"b","total":7}]
refresh materialized view concurrently public.revenue;
-- expect as anon: GET /revenue?customer=eq.c&select=total => 200 [{"total":100}]
create or replace function refresh_all() returns void language plpgsql security definer set search_path = public as $$
begin
  refresh materialized view concurrently revenue;
  refresh materialized view big;
end $$;
insert into orders (customer, amount) values ('d', 50);
select refresh_all();
-- expect: select count(*) from big => 3
-- expect: select matviewname, ispopulated from pg_matviews where schemaname = 'public' order by 1 => [{"matviewname":"big","ispopulated":true},{"matviewname":"revenue","ispopulated":true}]
