-- Everything that PL/pgSQL can say
create table log (n int, line text);
create type pair as (k text, v int);
create or replace function tour(p_limit int, variadic p_words text[] default '{}')
returns table (step text, val text)
language plpgsql
as $tour$
<<outer_block>>
declare
  i int := 0;
  c constant text not null default 'constant';
  r record;
  p pair;
  arr int[] := array[3, 1, 2];
  cur cursor (lim int) for select g from generate_series(1, lim) g;
  ref refcursor;
  n int;
  t log.line%type;
  row_ log%rowtype;
  alias_ alias for $1;
begin
  -- loops
  loop
    i := i + 1;
    exit when i >= 3;
    continue when i = 1;
    insert into log values (i, 'loop');
  end loop;
  while i > 0 loop i := i - 1; end loop;
  for n in reverse 3..1 by 2 loop insert into log values (n, 'reverse'); end loop;
  for r in select * from log order by log.n, line loop
    step := 'row'; val := r.n || r.line; return next;
  end loop;
  foreach n in array arr loop perform 1; end loop;
  for r in execute 'select $1::int as q' using 5 loop step := 'execute'; val := r.q::text; return next; end loop;
  for r in cur(2) loop null; end loop;
  -- cursors
  open ref scroll for select 1 union select 2 order by 1;
  fetch last from ref into n;
  move first in ref;
  close ref;
  step := 'cursor'; val := n::text; return next;
  -- assignment, records, arrays
  p := row('key', 7);
  p.v := p.v + 1;
  arr[2] := 9;
  select l.line into strict t from log l where l.n = 2 limit 1;
  get diagnostics n = row_count;
  step := 'pair'; val := p.k || p.v || arr[2] || t || n || alias_; return next;
  -- conditions
  case when cardinality(p_words) = 0 then val := 'none';
       when p_words[1] = 'a' then val := 'a';
       else val := 'other';
  end case;
  if found and val is not null then step := 'if'; elsif false then step := '?'; else step := 'else'; end if;
  return next;
  -- errors
  begin
    raise exception 'oops %', 1 using errcode = 'ZX001', detail = 'd', hint = 'h';
  exception
    when division_by_zero or unique_violation then null;
    when sqlstate 'ZX001' then
      get stacked diagnostics t = message_text, val = returned_sqlstate;
      step := t; return next;
    when others then raise;
  end;
  begin
    assert 1 = 2, 'not equal';
  exception when assert_failure then step := sqlerrm; val := sqlstate; return next;
  end;
  raise notice 'done % %', outer_block.i, c;
  return query select 'query', g::text from generate_series(1, p_limit) g;
  return query execute 'select $1, $2' using 'dynamic'::text, format('%I %L %s', 'Q', 'it''s', 1);
  return;
end outer_block;
$tour$;
-- expect: select * from tour(2, 'a', 'b') => [{"step":"row","val":"1reverse"},{"step":"row","val":"2loop"},{"step":"row","val":"3reverse"},
--     {"step":"execute","val":"5"},{"step":"cursor","val":"2"},{"step":"pair","val":"key89loop12"},{"step":"if","val":"a"},
--     {"step":"oops 1","val":"ZX001"},{"step":"not equal","val":"P0004"},{"step":"query","val":"1"},{"step":"query","val":"2"},
--     {"step":"dynamic","val":"\"Q\" 'it''s' 1"}]
