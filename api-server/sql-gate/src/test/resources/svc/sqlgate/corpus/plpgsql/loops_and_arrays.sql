-- Loops of every kind, arrays of enums, composites and domains, slices, matrices
create type public.color as enum ('red', 'green', 'blue');
create type span as (low int, high int);
create domain positive as int check (value > 0);
create table cells (x int, y int, color public.color not null, primary key (x, y));
insert into cells select x, y, (enum_range(null::color))[1 + (x + y) % 3] from generate_series(1, 3) x, generate_series(1, 2) y;

create function count_colors() returns jsonb language plpgsql stable as $$
declare c public.color; n int; result jsonb := '{}';
begin
  for c, n in select color, count(*) from cells group by color order by color loop
    result := result || jsonb_build_object(c, n);
  end loop;
  return result;
end $$;

create function rows_of_grid() returns setof text language plpgsql stable as $$
declare line color[]; v_y cells.y%type; v_text text;
begin
  for v_y, line in select y, array_agg(color order by x) from cells group by y order by y loop
    select v_y || ':' || array_to_string(line, ','), line[1] into v_text, line[1];
    return next v_text;
  end loop;
end $$;

create function matrix_sum(p int[][]) returns int[] language plpgsql immutable as $$
declare line int[]; sums int[] := '{}'; v int; s int;
begin
  foreach line slice 1 in array p loop
    s := 0;
    foreach v in array line loop s := s + v; end loop;
    sums := sums || s;
  end loop;
  return sums;
end $$;

create function transpose(p int[][]) returns int[][] language plpgsql immutable as $$
declare t int[][];
begin
  t := array_fill(0, array[array_length(p, 2), array_length(p, 1)]);
  for i in array_lower(p, 1)..array_upper(p, 1) loop
    for j in array_lower(p, 2)..array_upper(p, 2) loop
      t[j][i] := p[i][j];
    end loop;
  end loop;
  return t;
end $$;

create function merge_spans(p span[]) returns span[] language plpgsql immutable as $$
declare s span; merged span[] := '{}'; last_ span;
begin
  for s in select (u).* from unnest(p) u order by (u).low loop
    if cardinality(merged) > 0 and s.low <= (merged[cardinality(merged)]).high then
      last_ := merged[cardinality(merged)];
      last_.high := greatest(last_.high, s.high);
      merged[cardinality(merged)] := last_;
    else
      merged := merged || s;
    end if;
  end loop;
  return merged;
end $$;

create function sieve(p_limit positive) returns positive[] language plpgsql immutable as $$
declare composite_ boolean[] := array_fill(false, array[p_limit::int]); primes positive[]; p positive;
begin
  <<candidates>>
  for n in 2..p_limit loop
    continue candidates when composite_[n];
    p := n;
    primes := primes || p;
    for m in n * n..p_limit by n loop composite_[m] := true; end loop;
  end loop;
  return primes;
end $$;

create function countdown(p positive) returns text language plpgsql immutable as $$
declare t text := '';
begin
  for i in reverse p..1 by 2 loop t := t || i || ' '; end loop;
  loop
    exit when length(t) > 10;
    t := t || '.';
  end loop;
  return t;
end $$;

create function labelled() returns int language plpgsql immutable as $$
declare hits positive; n int := 0;
begin
  <<outer_loop>>
  for i in 1..5 loop
    <<inner_loop>>
    for j in 1..5 loop
      continue outer_loop when j > i;
      n := n + 1;
      exit outer_loop when n = 7;
    end loop inner_loop;
  end loop outer_loop;
  hits := n;
  return hits;
end $$;

create function remove_color(p color[], p_gone color) returns color[] language plpgsql immutable as $$
declare kept color[] := '{}'; c color;
begin
  if p is null then return kept; end if;
  foreach c in array p loop
    if c <> p_gone then kept := array_append(kept, c); end if;
  end loop;
  return kept;
end $$;

create function next_color(p color, p_steps int default 1) returns color language plpgsql immutable as $$
declare all_ constant color[] := enum_range(null::color); at int;
begin
  at := array_position(all_, p) - 1;
  return all_[1 + (at + p_steps) % cardinality(all_)];
end $$;

create function paint(p_spans span[], p_color color) returns int language plpgsql as $$
declare s span; n int; total int := 0;
begin
  foreach s in array p_spans loop
    update cells set color = p_color where x between s.low and s.high and color <> p_color;
    get diagnostics n = row_count;
    total := total + n;
  end loop;
  return total;
end $$;

create function slices(p text[]) returns jsonb language plpgsql immutable as $$
declare middle text[]; head text; tail text[];
begin
  select p[1], p[2:] into head, tail;
  middle := p[2:cardinality(p) - 1];
  middle[1:1] := array[upper(middle[1])];
  return jsonb_build_object('head', head, 'tail', tail, 'middle', middle);
end $$;

create function bubble_sort(p anyarray) returns anyarray language plpgsql immutable as $$
declare swapped boolean := true; a alias for $1; t p%type;
begin
  t := a;
  while swapped loop
    swapped := false;
    for i in 1..cardinality(t) - 1 loop
      if t[i] > t[i + 1] then
        t[i:i + 1] := array[t[i + 1], t[i]];
        swapped := true;
      end if;
    end loop;
  end loop;
  return t;
end $$;
-- expect: select count_colors() a, array(select rows_of_grid()) b => [{"a": {"red": 2, "green": 2, "blue": 2}, "b": ["1:blue,red,green", "2:red,green,blue"]}]
-- expect: select matrix_sum('{{1,2},{3,4}}') a, transpose('{{1,2},{3,4},{5,6}}') b => [{"a": [3, 7], "b": [[1, 3, 5], [2, 4, 6]]}]
-- expect: select merge_spans(array[(5, 8), (1, 3), (2, 4)]::span[]) a, sieve(12) b => [{"a": [{"low": 1, "high": 4}, {"low": 5, "high": 8}], "b": [2, 3, 5, 7, 11]}]
-- expect: select countdown(5) a, labelled() b, remove_color('{red,blue,red}', 'red') c, next_color('blue') d => [{"a": "5 3 1 .....", "b": 7, "c": ["blue"], "d": "red"}]
-- expect: select paint(array[(1, 2)]::span[], 'green') => 3
-- expect: select slices('{a,b,c,d}') a, bubble_sort('{3,1,2}'::int[]) b, bubble_sort('{blue,red}'::color[]) c => [{"a": {"head": "a", "tail": ["b", "c", "d"], "middle": ["B", "c"]}, "b": [1, 2, 3], "c": ["red", "blue"]}]
