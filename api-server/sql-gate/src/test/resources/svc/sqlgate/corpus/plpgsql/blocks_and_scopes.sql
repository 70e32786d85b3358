-- Nested blocks, labels, shadowed names, DO blocks, constants, dynamic SQL, procedures
create type public.phase as enum ('one', 'two', 'three');
create domain step_number as int check (value between 1 and 99);
create table steps (n step_number primary key, phase public.phase not null, note text);
create table log_lines (id int generated always as identity, line text);

create function shadows() returns text language plpgsql immutable as $$
<<outermost>>
declare v public.phase := 'one'; n step_number := 1;
begin
  declare v public.phase := 'two'; t text;
  begin
    <<inner_one>>
    declare v step_number := 42;
    begin
      select outermost.v, inner_one.v into outermost.v, inner_one.v;
      t := format('%s%s', outermost.v, inner_one.v);
    end;
    select 'three', n + 1 into outermost.v, n;
    return t || v || outermost.v || n;
  end;
end outermost $$;

create function labelled_by_name(p phase) returns phase language plpgsql immutable as $$
declare q phase;
begin
  select labelled_by_name.p, labelled_by_name.p into q, labelled_by_name.p;
  return q;
end $$;

create function constants() returns step_number language plpgsql immutable as $$
declare
  first_ constant step_number := 3;
  second_ constant step_number not null := first_ * 2;
  third_ phase default 'three';
  kept step_number = first_ + second_;
begin
  if third_ = 'three' then return kept; end if;
  return first_;
end $$;

create function dynamic_into(p_table text, p_n int) returns jsonb language plpgsql stable as $$
declare v_phase phase; v_note steps.note%type; r record; s steps;
begin
  execute format('select phase, note from %I where n = $1', p_table) into v_phase, v_note using p_n;
  execute format('select * from %I where n = $1', p_table) into r using p_n;
  execute 'select s.* from steps s where n = $1' into strict s using p_n;
  return jsonb_build_array(v_phase, v_note, r.n, s.phase);
end $$;

create function conflict(n int) returns text language plpgsql stable as $$
#variable_conflict use_variable
declare phase phase; note text;
begin
  select s.phase, s.note into phase, note from steps s where s.n = n;
  return n || phase::text;
end $$;

create procedure add_step(p_n step_number, inout p_phase phase default 'one', inout p_count int default null) language plpgsql as $$
declare v_n steps.n%type;
begin
  insert into steps values (p_n, p_phase, 'by call') returning n, phase into v_n, p_phase;
  select count(*), max(phase) into p_count, p_phase from steps;
end $$;

create function calls() returns text language plpgsql as $$
declare p phase := 'two'; c int; d steps.n%type := 12;
begin
  call add_step(11, p, c);
  call add_step(d, p_count => c, p_phase => p);
  return format('%s%s', p, c);
end $$;

create procedure log_line(variadic p_parts text[]) language plpgsql as $$
declare part text; line log_lines.line%type := '';
begin
  foreach part in array p_parts loop line := line || part; end loop;
  insert into log_lines (line) values (line);
end $$;

do $$
declare p phase; n step_number := 1; r record; m steps.n%type;
begin
  foreach p in array enum_range(null::phase) loop
    insert into steps values (n, p, null) returning steps.n, steps.phase into n, p;
    n := n + 1;
  end loop;
  for r in select * from steps loop
    call log_line(r.n::text, ':', r.phase::text);
  end loop;
  for m, p in update steps set note = 'seen' where steps.n > 1 returning steps.n, steps.phase loop
    call log_line('updated ', m::text, p::text);
  end loop;
end $$;

do language plpgsql $outer$
declare wanted phase[] := '{two,three}'; w phase;
begin
  if not exists (select 1 from pg_proc where proname = 'made_by_do') then
    create function made_by_do(p phase) returns text language plpgsql immutable as $inner$
    declare q phase; t text;
    begin
      select p, 'made' into q, t;
      return t || q;
    end $inner$;
  end if;
  foreach w in array wanted loop
    execute format('create view %I as select * from steps where phase = %L', 'steps_' || w, w);
  end loop;
end $outer$;

create function goto_free(p int) returns text language plpgsql immutable as $$
begin
  <<work>>
  begin
    if p = 0 then exit work; end if;
    if p < 0 then return 'negative'; end if;
    return 'positive';
  end work;
  return 'zero';
end $$;

create function case_forms(p phase, n step_number) returns text language plpgsql immutable as $$
declare t text;
begin
  case p when 'one', 'two' then t := 'early'; when 'three' then t := 'late'; end case;
  case when n < 10 then t := t || ' small'; when n >= 10 then t := t || ' big'; end case;
  t := t || case p when 'one' then '1' else '' end;
  case n when 7 then t := t || ' lucky'; else null; end case;
  return t;
end $$;

create function security_path() returns phase language plpgsql security definer set search_path = '' as $$
declare v public.phase; n public.steps.n%type;
begin
  select s.phase, s.n into v, n from public.steps s order by s.n desc limit 1;
  return v;
end $$;
-- expect: select shadows() a, labelled_by_name('two') b, constants() c, goto_free(0) || goto_free(1) d, case_forms('one', 7) e, case_forms('three', 20) f => [{"a": "one42twothree2", "b": "two", "c": 9, "d": "zeropositive", "e": "early small1 lucky", "f": "late big"}]
-- expect: select dynamic_into('steps', 2) a, conflict(3) b, made_by_do('one') c, security_path() d, (select count(*) from steps_two) e => [{"a": ["two", "seen", 2, "two"], "b": "3three", "c": "madeone", "d": "three", "e": 1}]
-- expect: select string_agg(line, ' ' order by id) from log_lines => "1:one 2:two 3:three updated 2two updated 3three"
-- expect: select calls() => "three5"
