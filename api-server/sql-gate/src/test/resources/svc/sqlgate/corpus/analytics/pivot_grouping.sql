create table sales (region text, product text, quarter int check (quarter between 1 and 4), amount int);
insert into sales values ('north', 'a', 1, 10), ('north', 'a', 2, 20), ('north', 'b', 1, 5), ('south', 'a', 1, 7), ('south', 'b', 4, 8);
create view sales_pivot as
select region,
  sum(amount) filter (where quarter = 1) as q1,
  sum(amount) filter (where quarter = 2) as q2,
  coalesce(sum(amount) filter (where quarter = 4), 0) as q4
from sales group by region;
create view sales_totals as
select coalesce(region, '*') as region, coalesce(product, '*') as product, sum(amount) as amount
from sales group by grouping sets ((region, product), (region), ()) ;
create view top_sellers as
select region, product, amount from (
  select region, product, sum(amount) as amount, dense_rank() over (partition by region order by sum(amount) desc) as r
  from sales group by region, product) t
where r = 1
union all
select 'nowhere', null, 0
except
select 'nowhere', null, 0
order by 1;
-- expect: select * from sales_pivot order by 1 => [{"region":"north","q1":15,"q2":20,"q4":0},{"region":"south","q1":7,"q2":null,"q4":8}]
-- expect: select amount from sales_totals where region = '*' => 50
-- expect: select product from top_sellers => [{"product":"a"},{"product":"b"}]
-- expect: table sales order by region desc, amount limit 1 offset 1 => [{"region":"south","product":"b","quarter":4,"amount":8}]
