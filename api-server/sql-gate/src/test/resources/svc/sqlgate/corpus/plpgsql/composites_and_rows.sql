-- Composite types, row types of tables, records: fields, nested fields, assignments, results
create type public.point3 as (x int, y int, z int);
create type line as (a public.point3, b point3, label text);
create table public.people (id int primary key, name text not null, born date, home point3, tags text[] not null default '{}');
insert into people values (1, 'Ada', '1815-12-10', (1, 2, 3), '{math}'), (2, 'Bob', null, null, '{}'), (3, 'Cyd', '1922-03-08', (0, 0, 1), '{dance,film}');

create function make_line(p_x int, p_label text) returns line language plpgsql immutable as $$
declare
  v line;
  p public.point3 := row(p_x, 0, 0);
begin
  v.a := p;
  v.b.x := p_x + 1;
  v.b.y := 5;
  v.label := p_label;
  return v;
end $$;

create function length_of(p line) returns int language plpgsql immutable as $$
declare from_ point3 := p.a; to_ point3; d int;
begin
  to_ := p.b;
  d := abs(to_.x - from_.x);
  return d + coalesce(to_.y, 0);
end $$;

create function person_text(p_id int) returns text language plpgsql stable as $$
declare r public.people%rowtype;
begin
  select * into r from people where id = p_id;
  if r.id is null then return 'nobody'; end if;
  r.name := upper(r.name);
  return r.name || coalesce(' ' || (r.home).x, '') || ' ' || cardinality(r.tags);
end $$;

create function person_of_table_type(p_id int) returns public.people language plpgsql stable as $$
declare v people;
begin
  select p.* into v from people p where p.id = p_id;
  v.born := coalesce(v.born, '2000-01-01');
  return v;
end $$;

create function names_of_rows() returns setof text language plpgsql stable as $$
declare r record;
begin
  for r in select p.name, p.born is null as unknown from people p order by p.id loop
    return next case when r.unknown then r.name || '?' else r.name end;
  end loop;
end $$;

create function all_people(p_min int) returns setof people language plpgsql stable as $$
declare r people%rowtype;
begin
  for r in select * from people where id >= p_min order by id loop
    r.tags := r.tags || 'seen'::text;
    return next r;
  end loop;
  return;
end $$;

create function anonymous(out n int, out who record) language plpgsql stable as $$
begin
  n := 2;
  select 'Ada' as name, 36 as age into who;
end $$;

create function fields_into(p_id int) returns text language plpgsql stable as $$
declare r people; other text; p point3;
begin
  select name, home into r.name, r.home from people where id = p_id;
  select (home).x, 'o' || id into p.x, other from people where id = p_id;
  return r.name || ' ' || coalesce(p.x::text, '-') || ' ' || other;
end $$;

create function array_of_composites() returns jsonb language plpgsql immutable as $$
declare all_ point3[] := '{}'; p point3; sum_ int := 0;
begin
  for i in 1..3 loop
    p := row(i, i * i, null);
    all_ := all_ || p;
  end loop;
  all_[2].z := 9;
  foreach p in array all_ loop sum_ := sum_ + p.y; end loop;
  return jsonb_build_object('sum', sum_, 'second', to_jsonb(all_[2]));
end $$;

create function swap(inout a point3, inout b point3) language plpgsql immutable as $$
declare t point3;
begin
  t := a; a := b; b := t;
end $$;

create function upsert_person(p people) returns people language plpgsql as $$
declare saved people;
begin
  insert into people values (p.*) on conflict (id) do update set name = excluded.name returning * into saved;
  return saved;
end $$;

create function record_default() returns text language plpgsql stable as $$
declare
  r record := (select p from (select 7 as n, 'seven' as word) p);
  q people := (select p from public.people p where id = 3);
begin
  return r.n || r.word || q.name;
end $$;

create function compare_rows(p_a int, p_b int) returns boolean language plpgsql stable as $$
declare a people; b people;
begin
  select * into a from people where id = p_a;
  select * into b from people where id = p_b;
  return a is not distinct from b;
end $$;
-- expect: select make_line(3, 'l') a, length_of(make_line(3, 'l')) b => [{"a": {"a": {"x": 3, "y": 0, "z": 0}, "b": {"x": 4, "y": 5, "z": null}, "label": "l"}, "b": 6}]
-- expect: select person_text(1) a, person_text(2) b, person_text(9) c => [{"a": "ADA 1 1", "b": "BOB 0", "c": "nobody"}]
-- expect: select name, born from person_of_table_type(2) => [{"name": "Bob", "born": "2000-01-01"}]
-- expect: select array_agg(n) n from names_of_rows() n => [{"n": ["Ada", "Bob?", "Cyd"]}]
-- expect: select id, tags from all_people(2) => [{"id": 2, "tags": ["seen"]}, {"id": 3, "tags": ["dance", "film", "seen"]}]
-- expect: select (anonymous()).n => 2
-- expect: select fields_into(1) a, fields_into(2) b, array_of_composites() c, record_default() d => [{"a": "Ada 1 o1", "b": "Bob - o2", "c": {"sum": 14, "second": {"x": 2, "y": 4, "z": 9}}, "d": "7sevenCyd"}]
-- expect: select a, b from swap(row(1, 1, 1)::point3, row(2, 2, 2)::point3) => [{"a": {"x": 2, "y": 2, "z": 2}, "b": {"x": 1, "y": 1, "z": 1}}]
-- expect: select (upsert_person(row(2, 'Bea', null, null, '{}')::people)).name => "Bea"
-- expect: select compare_rows(1, 1) a, compare_rows(1, 2) b => [{"a": true, "b": false}]
