-- Cursors: bound, unbound, with arguments of own types, scrolling, updates at the current row, returned to the caller
create type public.state as enum ('open', 'busy', 'closed');
create table tickets (id int primary key, state public.state not null default 'open', weight int not null default 1);
insert into tickets select i, (enum_range(null::state))[1 + i % 3], i from generate_series(1, 7) i;

create function sum_of(p_state public.state) returns int language plpgsql stable as $$
declare
  c cursor (wanted state, least_ tickets.weight%type) for select id, weight from tickets where state = wanted and weight >= least_;
  s int := 0;
begin
  for r in c(p_state, 2) loop
    s := s + r.weight;
  end loop;
  return s;
end $$;

create function named_arguments() returns int language plpgsql stable as $$
declare c cursor (low int, high int) for select count(*)::int from tickets where id between low and high; n int;
begin
  open c(high := 5, low := 2);
  fetch c into n;
  close c;
  return n;
end $$;

create function first_and_last() returns text language plpgsql stable as $$
declare c scroll cursor for select id, state from tickets order by id; a tickets.id%type; b state; x tickets.id%type; y state;
begin
  open c;
  fetch first from c into a, b;
  fetch last from c into x, y;
  move absolute 2 from c;
  fetch relative 1 from c into x;
  close c;
  return a || b::text || ' ' || x || y::text;
end $$;

create function close_the_busy() returns int language plpgsql as $$
declare c cursor for select * from tickets where state = 'busy' for update; t tickets%rowtype; n int := 0;
begin
  open c;
  loop
    fetch c into t;
    exit when not found;
    update tickets set state = 'closed', weight = t.weight * 10 where current of c;
    n := n + 1;
  end loop;
  close c;
  return n;
end $$;

create function dynamic_cursor(p_table text, p_state state) returns text language plpgsql stable as $$
declare c refcursor; v_id int; v_state state; t text := '';
begin
  open c for execute format('select id, state from %I where state = $1 order by id', p_table) using p_state;
  loop
    fetch next from c into v_id, v_state;
    exit when v_id is null;
    t := t || v_id || left(v_state::text, 1);
  end loop;
  close c;
  return t;
end $$;

create function unbound(p_desc boolean) returns state language plpgsql stable as $$
declare c refcursor; s state; n int;
begin
  if p_desc then open c for select state, id from tickets order by id desc;
  else open c no scroll for select state, id from tickets order by id; end if;
  fetch c into s, n;
  close c;
  return s;
end $$;

create function in_batches(p_size int) returns int[] language plpgsql stable as $$
declare c cursor for select weight from tickets order by id; w tickets.weight%type; batch int := 0; n int := 0; sums int[] := '{}';
begin
  open c;
  loop
    fetch c into w;
    if n = p_size or not found then sums := sums || batch; batch := 0; n := 0; end if;
    exit when w is null;
    batch := batch + w; n := n + 1;
  end loop;
  return sums;
end $$;

create function handed_over(p_cursor refcursor) returns refcursor language plpgsql stable as $$
begin
  open p_cursor for select id from tickets where state = 'open' order by id;
  return p_cursor;
end $$;

create function taken() returns int language plpgsql stable as $$
declare c refcursor := 'handed'; n int; s int := 0; same refcursor;
begin
  same := handed_over(c);
  loop
    fetch same into n;
    exit when not found;
    s := s + n;
  end loop;
  close c;
  return s;
end $$;

create function open_twice() returns text language plpgsql stable as $$
declare c cursor for select 1;
begin
  open c;
  open c;
  return 'twice';
exception when duplicate_cursor then return 'once';
end $$;
-- expect: select sum_of('open') a, named_arguments() b, first_and_last() c => [{"a": 9, "b": 4, "c": "1busy 3busy"}]
-- expect: select dynamic_cursor('tickets', 'open') a, unbound(true) b, unbound(false) c, in_batches(3) d, taken() e, open_twice() f => [{"a": "3o6o", "b": "busy", "c": "busy", "d": [6, 15, 7], "e": 9, "f": "once"}]
-- expect: select close_the_busy() => 3
-- expect: select sum(weight) from tickets where state = 'closed' => 127
