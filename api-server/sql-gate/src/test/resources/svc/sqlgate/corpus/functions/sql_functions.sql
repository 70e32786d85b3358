-- SQL functions in all their forms
create table people (id int primary key, name text not null, born date);
insert into people values (1, 'Ada', '1815-12-10'), (2, 'Alan', '1912-06-23'), (3, 'Grace', '1906-12-09');

create function add(a int, b int default 1) returns int language sql immutable strict parallel safe as 'select a + b';
create function add(a text, b text) returns text language sql immutable return a || b;
create function names() returns setof text language sql stable as $$ select name from people order by id $$;
create function older_than(p_year int) returns table (person_id int, person_name text) stable language sql rows 10 as $$
  select id, name from people where extract(year from born) < p_year order by born
$$;
create function person(int) returns people language sql stable begin atomic
  select * from people where id = $1;
end;
create function everybody() returns setof people language sql stable as 'select * from public.people order by id';
create function min_max(out lo date, out hi date) language sql stable as 'select min(born), max(born) from people';
create function scaled(inout n numeric, in factor numeric default 2) language sql as $$ select n * factor $$;
create function total(variadic nums numeric[]) returns numeric language sql immutable as $$ select sum(x) from unnest(nums) x $$;
create function first_of(anyarray) returns anyelement language sql immutable as 'select $1[1]';
create function pick(cond boolean, a anycompatible, b anycompatible) returns anycompatible language sql immutable as 'select case when cond then a else b end';
create function as_json(anyelement) returns json language sql stable as $$ select row_to_json($1) $$;
create function rename_person(p int, n text) returns void language sql volatile as 'update people set name = n where id = p';
create function record_out() returns record language sql as $$ select 1, 'x'::text $$;
create function is_adult(p people, at date default current_date) returns boolean language sql stable as $$ select p.born <= at - interval '18 years' $$;
-- expect: select add(1) as a, add(2, 3) as b, add('x', 'y') as c, add(b => 10, a => 1) as d => [{"a":2,"b":5,"c":"xy","d":11}]
-- expect: select * from older_than(1910) => [{"person_id":1,"person_name":"Ada"},{"person_id":3,"person_name":"Grace"}]
-- expect: select (person(2)).name => "Alan"
-- expect: select * from min_max() => [{"lo":"1815-12-10","hi":"1912-06-23"}]
-- expect: select scaled(3) as a, total(1, 2, 3) as b, total(variadic array[4, 5]) as c, first_of(array['q', 'r']) as d => [{"a":6,"b":6,"c":9,"d":"q"}]
-- expect: select pick(true, 1, 2.5) as a, as_json(p) ->> 'name' as b from people p where id = 1 => [{"a":1,"b":"Ada"}]
-- expect: select * from record_out() as (a int, b text) => [{"a":1,"b":"x"}]
-- expect: select rename_person(1, 'Augusta') => null
-- expect as anon: GET /people?select=name,is_adult&id=eq.1 => 200 [{"name":"Augusta","is_adult":true}]
-- expect as anon: POST /rpc/older_than {"p_year":1900} => 200 [{"person_id":1,"person_name":"Augusta"}]
-- expect as anon: GET /rpc/names => 200 ["Augusta","Alan","Grace"]
