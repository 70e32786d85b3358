-- Polymorphic parameters, overloads, defaults, VARIADIC, INOUT, named arguments, aliases
create type public.unit as enum ('g', 'kg', 't');
create type measure as (amount numeric, unit public.unit);
create domain label as text default 'none';

create function first_of(p anyarray) returns anyelement language plpgsql immutable as $$
declare v p%type; r alias for $0;
begin
  v := p;
  r := v[1];
  return r;
end $$;

create function same(a anyelement, b anyelement, out equal boolean, out which anyelement) language plpgsql immutable as $$
begin
  equal := a = b;
  select case when equal then a else b end into which;
end $$;

create function pair_up(a anycompatible, b anycompatible) returns anycompatiblearray language plpgsql immutable as $$
begin
  return array[a, b];
end $$;

create function describe(p int) returns text language plpgsql immutable as $$ begin return 'int ' || p; end $$;
create function describe(p unit) returns text language plpgsql immutable as $$ declare v unit; w text; begin select p, 'unit' into v, w; return w || ' ' || v; end $$;
create function describe(p measure) returns text language plpgsql immutable as $$ begin return p.amount || p.unit::text; end $$;
create function describe(p unit[]) returns text language plpgsql immutable as $$
declare u unit; t text := 'units';
begin
  foreach u in array p loop t := t || ' ' || u; end loop;
  return t;
end $$;

create function convert_to_unit(p measure, p_unit unit default 'kg') returns measure language plpgsql immutable as $$
declare factors constant numeric[] := '{1,1000,1000000}'; units constant unit[] := enum_range(null::unit); result measure;
begin
  result.unit := p_unit;
  result.amount := p.amount * factors[array_position(units, p.unit)] / factors[array_position(units, p_unit)];
  return result;
end $$;

create function total_weight(variadic p_all measure[]) returns numeric language plpgsql immutable as $$
declare m measure; sum_ numeric := 0;
begin
  foreach m in array p_all loop
    sum_ := sum_ + (convert_to_unit(m, 'g')).amount;
  end loop;
  return trim_scale(sum_);
end $$;

create function greet(p_name label default null, p_greeting text default 'Hello', p_mark "char" default '!') returns text language plpgsql immutable as $$
declare who label := coalesce(p_name, 'you');
begin
  return p_greeting || ', ' || who || p_mark::text;
end $$;

create function bump(inout value int, inout unit unit, by_ int default 1) language plpgsql immutable as $$
begin
  select bump.value + by_, case when bump.value + by_ > 10 then 'kg'::unit else bump.unit end into value, unit;
end $$;

create function by_position(int, unit, text) returns text language plpgsql immutable as $$
declare n alias for $1; u alias for $2; t text;
begin
  select n || u::text, n into t, n;
  $3 := upper($3);
  return t || $3;
end $$;

create function coalesce_all(variadic p anyarray) returns anyelement language plpgsql immutable as $$
begin
  for i in 1..cardinality(p) loop
    if p[i] is not null then return p[i]; end if;
  end loop;
  return null;
end $$;

create function quoted_names("Order" int, "select" unit, "naïve" text) returns jsonb language plpgsql immutable as $$
declare "Total" int; "a.b" unit; "with ""quotes""" text;
begin
  select "Order" * 2, "select", "naïve" into "Total", "a.b", "with ""quotes""";
  return jsonb_build_array("Total", "a.b", "with ""quotes""");
end $$;

create function scaled(p numeric, p_digits int = 2) returns numeric language plpgsql immutable strict parallel safe cost 5 as $$
begin return round(p, p_digits); end $$;
-- expect: select first_of('{kg,g}'::unit[]) a, first_of('{7,8}'::int[]) b, (same('g'::unit, 'g')).equal c, pair_up(1, 2.5) d => [{"a": "kg", "b": 7, "c": true, "d": [1, 2.5]}]
-- expect: select describe(1) a, describe('kg'::unit) b, describe(row(2, 't')::measure) c, describe('{g,t}'::unit[]) d => [{"a": "int 1", "b": "unit kg", "c": "2t", "d": "units g t"}]
-- expect: select trim_scale((convert_to_unit(row(2, 't'))).amount) a, total_weight(row(1, 'g'), row(2, 'kg')) b, greet() c, greet('Ada', p_mark => '?') d => [{"a": 2000, "b": 2001, "c": "Hello, you!", "d": "Hello, Ada?"}]
-- expect: select * from bump(10, 'g') => [{"value": 11, "unit": "kg"}]
-- expect: select by_position(3, 't', 'x') a, coalesce_all(null, 'b', 'c'::text) b, quoted_names(2, 'g', 'n') c, scaled(1.005) d, scaled(null) e => [{"a": "3tX", "b": "b", "c": [4, "g", "n"], "d": 1.01, "e": null}]
