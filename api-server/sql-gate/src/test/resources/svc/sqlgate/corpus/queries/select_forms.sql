create table n (x int, grp text);
insert into n select i, case when i % 2 = 0 then 'even' else 'odd' end from generate_series(1, 10) i;
create view q1 as select grp, count(*), sum(x) filter (where x > 3) as big from n group by grp having count(*) > 1 order by grp;
create view q2 as select distinct on (grp) grp, x from n order by grp, x desc;
create view q3 as select x from n where x = any (array(select 2)) union all (select 99 limit 1) intersect select 99 order by 1;
create view q4 as select a.x, b.y from n a left join lateral (select a.x * 10 as y where a.x > 8) b on true natural join (values (9), (10)) v (x);
create view q5 as select x, ntile(2) over w as half, cume_dist() over w as d, nth_value(x, 2) over (w rows between unbounded preceding and unbounded following exclude current row) as nth from n where x < 5 window w as (order by x);
create view q6 as select * from generate_series(1, 3) with ordinality as g(v, o) cross join rows from (unnest(array['p', 'q']), generate_series(5, 6)) as r(a, b);
create view q7 as select x from n order by x offset 2 rows fetch next 3 rows with ties;
create view q8 as with recursive t(i, path) as materialized (select 1, array[1] union all select i + 1, path || i + 1 from t where i < 3) search depth first by i set ord select i, path from t;
create view q9 as select case grp when 'odd' then 1 else 0 end as o, coalesce(nullif(x, 1), -1) as c, greatest(x, 5) as g, x between symmetric 3 and 1 as b, (x, grp) is not distinct from (1, 'odd') as r from n where x <= 2 order by x;
create view q10 as select grp, string_agg(x::text, ',' order by x desc) as s, mode() within group (order by x % 3) as m, jsonb_object_agg(x, grp) ->> '1' as j from n group by rollup (grp);
create view q11 as select t.* from n t tablesample system (100) where exists (select 1) and t.x not in (select 1) and t.grp ilike 'E%' and t.grp similar to '(even|odd)' and t.x::text ~ '^\d$';
create view q12 as select jt.* from json_table('[{"a": 1, "b": "x"}, {"a": 2}]', '$[*]' columns (a int path '$.a', b text path '$.b' default 'none' on empty)) jt;
-- expect: select * from q1 => [{"grp":"even","count":5,"big":28},{"grp":"odd","count":5,"big":21}]
-- expect: select * from q2 => [{"grp":"even","x":10},{"grp":"odd","x":9}]
-- expect: select * from q4 order by x => [{"x":9,"y":90},{"x":10,"y":100}]
-- expect: select x, half, nth from q5 where x in (1, 4) => [{"x":1,"half":1,"nth":3},{"x":4,"half":2,"nth":2}]
-- expect: select count(*) from q6 => 6
-- expect: select array_agg(x) from q7 => [{"array_agg":[3,4,5]}]
-- expect: select path from q8 where i = 3 => [{"path":[1,2,3]}]
-- expect: select * from q9 => [{"o":1,"c":-1,"g":5,"b":true,"r":true},{"o":0,"c":2,"g":5,"b":true,"r":false}]
-- expect: select s from q10 where grp = 'odd' => "9,7,5,3,1"
-- expect: select count(*) from q11 => 4
-- expect as anon: GET /q12?order=a => 200 [{"a":1,"b":"x"},{"a":2,"b":"none"}]
