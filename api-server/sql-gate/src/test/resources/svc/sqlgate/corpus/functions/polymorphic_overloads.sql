-- Overloads, defaults and named notation, as an API over RPC
create function public.greet() returns text language sql immutable as $$ select 'hello' $$;
create function public.greet(name text) returns text language sql immutable as $$ select 'hello ' || name $$;
create function public.greet(name text, times int) returns text language sql immutable as $$ select repeat('hello ' || name || ' ', times) $$;
create function public.search_items(q text default null, max_results int default 10, sort_desc boolean default false)
returns setof json language plpgsql stable as $$
begin
  return query execute format(
    'select json_build_object(''n'', n) from generate_series(1, 5) n where ($1 is null or n::text = $1) order by n %s limit $2',
    case when sort_desc then 'desc' else 'asc' end)
  using q, max_results;
end $$;
create function public.array_sum(variadic ints int[]) returns bigint language sql immutable as $$ select coalesce(sum(i), 0) from unnest(ints) i $$;
create function public.echo(payload jsonb) returns jsonb language sql immutable as $$ select payload || '{"seen": true}' $$;
-- expect as anon: POST /rpc/greet {"name":"Ada"} => 200 "hello Ada"
-- expect as anon: POST /rpc/greet {} => 200 "hello"
-- expect as anon: GET /rpc/search_items?max_results=2&sort_desc=true => 200 [{"n":5},{"n":4}]
-- expect as anon: POST /rpc/echo {"payload":{"a":1}} => 200 {"a":1,"seen":true}
-- expect: select greet('x', times => 2) as g, array_sum(1, 2, 3) as s => [{"g":"hello x hello x ","s":6}]
