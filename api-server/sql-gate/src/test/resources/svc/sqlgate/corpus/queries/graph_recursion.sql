create table edges (a text, b text, cost int, primary key (a, b));
insert into edges values ('A', 'B', 1), ('B', 'C', 2), ('A', 'C', 9), ('C', 'D', 1), ('D', 'A', 1);
create or replace function shortest(p_from text, p_to text) returns table (path text[], cost bigint) language sql stable as $$
  with recursive walk as (
    select array[e.a, e.b] as path, e.cost::bigint as cost, e.b as at from edges e where e.a = p_from
    union all
    select w.path || e.b, w.cost + e.cost, e.b
    from walk w join edges e on e.a = w.at
    where e.b <> all (w.path) and w.at <> p_to
  )
  select path, cost from walk where at = p_to order by cost limit 1
$$;
create view reachable as
with recursive r(origin, node) as (
  select a, b from edges union select r.origin, e.b from r join edges e on e.a = r.node
) cycle node set is_cycle using visited
select distinct origin, node from r where not is_cycle;
-- expect: select * from shortest('A', 'D') => [{"path":["A","B","C","D"],"cost":4}]
-- expect: select count(*) from reachable where origin = 'A' and node <> 'A' => 3
-- expect as anon: GET /edges?a=eq.A&order=b&select=b,cost => 200 [{"b":"B","cost":1},{"b":"C","cost":9}]
