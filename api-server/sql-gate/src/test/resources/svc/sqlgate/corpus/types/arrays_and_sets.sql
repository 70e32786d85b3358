create table matrices (id int primary key, m int[][] check (array_ndims(m) = 2), names text[] not null default array['a', 'b']);
insert into matrices (id, m) values (1, '{{1,2,3},{4,5,6}}'), (2, array[[7, 8], [9, 10]]);
update matrices set names[3] = 'c', m[1][1] = 100 where id = 1;
update matrices set names = array_remove(array_prepend('z', names), 'b') where id = 2;
create function array_intersect(a anyarray, b anyarray) returns anyarray language sql immutable as $$
  select array(select unnest(a) intersect select unnest(b) order by 1)
$$;
create function array_distinct(anyarray) returns anyarray language sql immutable as $$ select array_agg(distinct x order by x) from unnest($1) t(x) $$;
-- expect: select m[1:2][2:3] as s, names from matrices where id = 1 => [{"s":[[2,3],[5,6]],"names":["a","b","c"]}]
-- expect: select names from matrices where 'z' = any (names) => [{"names":["z","a"]}]
-- expect: select array_intersect(array[3, 1, 2], array[2, 3, 9]) as i, array_distinct('{b,a,b}'::text[]) as d => [{"i":[2,3],"d":["a","b"]}]
-- expect: select u, o from unnest(array['x', 'y']) with ordinality t(u, o) where o = 2 => [{"u":"y","o":2}]
-- expect: select width_bucket(5, array[1, 4, 10]) as w, array_position(array['p', 'q'], 'q') as p, array_to_string('{1,NULL,3}'::int[], '-', '*') as s => [{"w":2,"p":2,"s":"1-*-3"}]
