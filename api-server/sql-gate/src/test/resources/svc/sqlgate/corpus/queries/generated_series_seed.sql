-- Large seeds made by queries
create table users_seed (id int primary key, name text, email text unique, score numeric, joined date, tags text[]);
insert into users_seed
select i, initcap(md5(i::text)), format('user%s@example.com', i), round((random() * 100)::numeric, 2),
       date '2020-01-01' + (i % 365), (array['a', 'b', 'c'])[1 : 1 + i % 3]
from generate_series(1, 5000) as i;
create table orders_seed as
select row_number() over () as id, u.id as user_id, o.n as no, (u.id * o.n % 97)::numeric as total
from users_seed u cross join lateral generate_series(1, 1 + u.id % 2) as o(n);
alter table orders_seed add primary key (id), add foreign key (user_id) references users_seed;
create index on orders_seed (user_id);
analyze users_seed, orders_seed;
-- expect: select count(*) from orders_seed => 7500
-- expect as anon: GET /users_seed?id=eq.4999&select=email,tags,orders_seed(no)&orders_seed.order=no => 200 [{"email":"user4999@example.com","tags":["a","b"],"orders_seed":[{"no":1},{"no":2}]}]
-- expect: select count(distinct email) from users_seed => 5000
