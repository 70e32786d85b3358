-- Aggregates of all kinds
create function concat_step(state text, item text, sep text) returns text language sql immutable as
  $$ select case when state is null then item when item is null then state else state || sep || item end $$;
create aggregate join_text(text, text) (sfunc = concat_step, stype = text);

create type avg_state as (total numeric, n bigint);
create function avg_add(s avg_state, x numeric) returns avg_state language sql immutable as $$ select row(s.total + x, s.n + 1)::avg_state $$;
create function avg_done(s avg_state) returns numeric language sql immutable as $$ select s.total / nullif(s.n, 0) $$;
create function avg_combine(a avg_state, b avg_state) returns avg_state language sql immutable as $$ select row(a.total + b.total, a.n + b.n)::avg_state $$;
create or replace aggregate my_avg(numeric) (
  sfunc = avg_add, stype = avg_state, finalfunc = avg_done, combinefunc = avg_combine, initcond = '(0,0)', parallel = safe
);
create aggregate product_of(numeric) (sfunc = numeric_mul, stype = numeric, initcond = '1');
create aggregate collect(anycompatible) (sfunc = array_append, stype = anycompatiblearray, initcond = '{}');
-- next call
drop aggregate if exists never(int);
-- expect: select join_text(x, '-' order by x) from unnest(array['b', 'a', null]) x => "a-b"
-- expect: select my_avg(x) as a, product_of(x) as p from generate_series(1, 4) x => [{"a":2.5000000000000000,"p":24}]
-- expect: select x, my_avg(x) over (order by x rows 1 preceding) as a from generate_series(1, 2) x => [{"x":1,"a":1.0000000000000000},{"x":2,"a":1.5000000000000000}]
