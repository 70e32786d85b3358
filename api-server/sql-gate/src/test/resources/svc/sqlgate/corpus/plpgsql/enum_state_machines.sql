-- Enums as states: variables, parameters and results of enum types, read several at a time
create type public.order_status as enum ('draft', 'placed', 'paid', 'shipped', 'cancelled');
create type priority as enum ('low', 'normal', 'high');
create table public.orders (
  id int primary key, status public.order_status not null default 'draft', priority priority not null default 'normal',
  total numeric(10, 2) not null default 0, placed_at date, history public.order_status[] not null default '{}');
insert into orders (id, status, priority, total) values (1, 'draft', 'low', 10), (2, 'placed', 'high', 20.5), (3, 'paid', 'normal', 30);

create function next_status(p_from public.order_status) returns public.order_status language plpgsql immutable as $$
declare
  v_next public.order_status;
begin
  case p_from
    when 'draft' then v_next := 'placed';
    when 'placed' then v_next := 'paid';
    when 'paid' then v_next := 'shipped';
    else v_next := null;
  end case;
  return v_next;
end $$;

create function advance(p_id int) returns text language plpgsql as $$
declare
  v_status order_status;
  v_priority priority;
  v_total orders.total%type;
begin
  select status, priority, total into v_status, v_priority, v_total from orders where id = p_id for update;
  if not found then raise exception 'no order %', p_id using errcode = 'P0002'; end if;
  if next_status(v_status) is null then return format('%s stays %s', p_id, v_status); end if;
  update orders set status = next_status(v_status), history = history || v_status
  where id = p_id returning status, history[cardinality(history)] into v_status, v_status;
  select status into strict v_status from orders where id = p_id;
  return format('%s is %s, %s, %s', p_id, v_status, v_priority, v_total);
end $$;

create function place(p_id int, p_priority priority default 'high') returns table (was order_status, became order_status)
language plpgsql as $$
begin
  select o.status into was from orders o where o.id = p_id;
  update orders o set status = 'placed', priority = p_priority where o.id = p_id returning o.status into became;
  return next;
end $$;

create function insert_order(p_id int, out o_status order_status, out o_priority priority, out o_total public.orders.total%type)
language plpgsql as $$
begin
  insert into orders (id) values (p_id) returning status, priority, total into o_status, o_priority, o_total;
end $$;

create function count_by_status() returns setof text language plpgsql as $$
declare
  s order_status;
  n bigint;
begin
  for s, n in select status, count(*) from orders group by status order by status loop
    return next s || ':' || n;
  end loop;
end $$;

create function each_status() returns text language plpgsql immutable as $$
declare
  s order_status;
  seen text := '';
begin
  foreach s in array enum_range(null::order_status) loop
    continue when s = 'cancelled';
    seen := seen || left(s::text, 1);
  end loop;
  return seen;
end $$;

create function highest(variadic p_all priority[]) returns priority language plpgsql immutable as $$
declare
  best priority := p_all[1];
  one priority;
begin
  foreach one in array p_all loop
    if one > best then best := one; end if;
  end loop;
  return best;
end $$;

create function status_of(p_id int) returns order_status language plpgsql stable as $$
declare v order_status; p priority;
begin
  execute 'select status, priority from orders where id = $1' into v, p using p_id;
  return v;
end $$;

create function fetch_two() returns text language plpgsql as $$
declare
  c cursor (wanted priority) for select status, priority from orders where priority = wanted order by id;
  s order_status; p priority; out text := '';
begin
  open c('normal');
  loop
    fetch c into s, p;
    exit when not found;
    out := out || s || '/' || p || ' ';
  end loop;
  close c;
  return rtrim(out);
end $$;

create function history_of(p_id int) returns order_status[] language plpgsql stable as $$
declare
  h order_status[]; s order_status;
begin
  select history, status into h, s from orders where id = p_id;
  h[cardinality(h) + 1] := s;
  return h;
end $$;

create function guard_transition() returns trigger language plpgsql as $$
declare
  allowed public.order_status[] := array['draft', 'placed']::public.order_status[];
  before public.order_status := old.status;
begin
  if new.status = 'cancelled' and not before = any (allowed) then
    raise exception 'a % order cannot be cancelled', before using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guard_transition before update of status on orders for each row execute function guard_transition();

create function cancel(p_id int) returns text language plpgsql as $$
declare v_status order_status; v_message text; v_state text;
begin
  update orders set status = 'cancelled' where id = p_id returning status into strict v_status;
  return v_status;
exception
  when check_violation then
    get stacked diagnostics v_message = message_text, v_state = returned_sqlstate;
    return v_state || ' ' || v_message;
  when no_data_found then return 'nothing';
end $$;
-- expect: select next_status('draft') a, next_status('shipped') b, each_status() c, highest('low', 'high', 'normal') d => [{"a": "placed", "b": null, "c": "dpps", "d": "high"}]
-- expect: select advance(1) a, advance(2) b, advance(3) c => [{"a": "1 is placed, low, 10.00", "b": "2 is paid, high, 20.50", "c": "3 is shipped, normal, 30.00"}]
-- expect: select * from place(1) => [{"was": "placed", "became": "placed"}]
-- expect: select * from insert_order(4) => [{"o_status": "draft", "o_priority": "normal", "o_total": 0.00}]
-- expect: select array_agg(c) c from count_by_status() c => [{"c": ["draft:1", "placed:1", "paid:1", "shipped:1"]}]
-- expect: select status_of(2) a, fetch_two() b, history_of(3) c, history_of(2) d => [{"a": "paid", "b": "shipped/normal draft/normal", "c": ["paid", "shipped"], "d": ["placed", "paid"]}]
-- expect: select cancel(4) a, cancel(3) b, cancel(9) c => [{"a": "cancelled", "b": "23514 a shipped order cannot be cancelled", "c": "nothing"}]
