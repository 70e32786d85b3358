-- Functions that return sets: RETURN NEXT, RETURN QUERY, TABLE, SETOF of types, rows and domains, pages, trees
create type public.role_name as enum ('owner', 'editor', 'viewer');
create domain rank_number as int check (value >= 0);
create table members (id int primary key, parent int references members, name text not null, role public.role_name not null, score rank_number not null default 0);
insert into members values (1, null, 'root', 'owner', 5), (2, 1, 'left', 'editor', 3), (3, 1, 'right', 'viewer', 3), (4, 2, 'leaf', 'viewer', 9);

create function roles_in_use() returns setof public.role_name language plpgsql stable as $$
declare r role_name; n int;
begin
  for r, n in select role, count(*) from members group by role order by role loop
    if n > 0 then return next r; end if;
  end loop;
end $$;

create function members_by(p_role role_name default 'viewer') returns setof members language plpgsql stable rows 10 as $$
begin
  return query select * from members m where m.role = p_role order by m.id;
  if not found then raise exception 'no %', p_role; end if;
end $$;

create function page(p_after members.id%type, p_size int) returns table (id members.id%type, name members.name%type, more boolean) language plpgsql stable as $$
declare n int := 0;
begin
  for id, name in select m.id, m.name from members m where m.id > p_after order by m.id loop
    n := n + 1;
    more := exists (select 1 from members m where m.id > page.id);
    return next;
    exit when n = p_size;
  end loop;
end $$;

create function ranking() returns table (pos rank_number, who text, how role_name, points rank_number) language plpgsql stable as $$
declare last_points rank_number; v_pos rank_number := 0; r members;
begin
  for r in select * from members order by score desc, id loop
    if last_points is distinct from r.score then v_pos := v_pos + 1; last_points := r.score; end if;
    select v_pos, r.name, r.role, r.score into pos, who, how, points;
    return next;
  end loop;
end $$;

create function path_to(p_id int) returns text language plpgsql stable as $$
declare v_name members.name%type; v_parent members.parent%type := p_id; path text := '';
begin
  while v_parent is not null loop
    select name, parent into strict v_name, v_parent from members where id = v_parent;
    path := '/' || v_name || path;
  end loop;
  return path;
end $$;

create function descendants(p_id int, p_depth rank_number default 0) returns table (member int, depth rank_number, role role_name) language plpgsql stable as $$
declare child members%rowtype;
begin
  for child in select * from members m where m.parent = p_id order by m.id loop
    select child.id, p_depth + 1, child.role into member, depth, role;
    return next;
    return query select d.* from descendants(child.id, (p_depth + 1)::rank_number) d;
  end loop;
end $$;

create function dynamic_rows(p_column text) returns setof record language plpgsql stable as $$
begin
  return query execute format('select m.id, m.%I::text from members m order by 1', p_column);
end $$;

create function calendar(p_from date, p_days int) returns table (day date, weekend boolean) language plpgsql immutable as $$
begin
  for day in select generate_series(p_from, p_from + p_days - 1, '1 day')::date loop
    weekend := extract(isodow from day) > 5;
    return next;
  end loop;
end $$;

create function fill_gaps(p_values rank_number[]) returns setof rank_number language plpgsql immutable as $$
declare v rank_number; expected rank_number;
begin
  foreach v in array p_values loop
    expected := coalesce(expected, v);
    while expected < v loop return next expected; expected := expected + 1; end loop;
    return next v;
    expected := v + 1;
  end loop;
end $$;

create function promote_all(p_role role_name) returns table (id int, old_role role_name, new_role role_name) language plpgsql as $$
#variable_conflict use_column
declare r record;
begin
  for r in select id, role from members where role > 'owner' order by id for update loop
    update members m set role = p_role where m.id = r.id returning m.id, r.role, m.role into id, old_role, new_role;
    continue when old_role = new_role;
    return next;
  end loop;
end $$;

create function two_queries() returns setof text language plpgsql stable as $$
declare n bigint;
begin
  return query select name from members where id = 1;
  return query select name from members where id > 100;
  get diagnostics n = row_count;
  return next 'then ' || n;
  return query values ('a'), ('b');
end $$;

create function first_or_null(p_name text) returns members language plpgsql stable as $$
declare m members;
begin
  for m in select * from members where name = p_name limit 1 loop
    return m;
  end loop;
  return null;
end $$;
-- expect: select array(select roles_in_use()) a, array(select name from members_by()) b, array(select name from members_by('owner')) c => [{"a": ["owner", "editor", "viewer"], "b": ["right", "leaf"], "c": ["root"]}]
-- expect: select * from page(1, 2) => [{"id": 2, "name": "left", "more": true}, {"id": 3, "name": "right", "more": true}]
-- expect: select pos, who from ranking() => [{"pos": 1, "who": "leaf"}, {"pos": 2, "who": "root"}, {"pos": 3, "who": "left"}, {"pos": 3, "who": "right"}]
-- expect: select path_to(4) a, array(select member || ':' || depth || ':' || role from descendants(1)) b => [{"a": "/root/left/leaf", "b": ["2:1:editor", "4:2:viewer", "3:1:viewer"]}]
-- expect: select name from dynamic_rows('role') as (id int, name text) where id = 2 => "editor"
-- expect: select array(select day from calendar('2030-03-01', 3) where weekend) a, array(select fill_gaps('{2,5}')) b, array(select two_queries()) c => [{"a": ["2030-03-02", "2030-03-03"], "b": [2, 3, 4, 5], "c": ["root", "then 0", "a", "b"]}]
-- expect: select * from promote_all('editor') => [{"id": 3, "old_role": "viewer", "new_role": "editor"}, {"id": 4, "old_role": "viewer", "new_role": "editor"}]
-- expect: select (first_or_null('leaf')).score a, first_or_null('x') is null b => [{"a": 9, "b": true}]
-- expect: select * from members_by('viewer') => error P0001
