-- Errors: caught by name and by code, raised with details, stacked diagnostics, rolled-back parts
create type public.outcome as enum ('done', 'skipped', 'failed');
create type attempt_result as (outcome public.outcome, code text, message text);
create domain short_name as text check (length(value) <= 5);
create table jobs (id int primary key, name short_name unique, outcome public.outcome, attempts int not null default 0);
create table notes_of_errors (id int generated always as identity, code text, message text);

create function add_job(p_id int, p_name text) returns attempt_result language plpgsql as $$
declare r attempt_result; v_id jobs.id%type; v_name short_name;
begin
  insert into jobs (id, name) values (p_id, p_name) returning id, name into v_id, v_name;
  r := row('done', null, v_id || v_name);
  return r;
exception
  when unique_violation then
    r.outcome := 'skipped';
    get stacked diagnostics r.code = returned_sqlstate, r.message = constraint_name;
    return r;
  when check_violation or not_null_violation then
    select 'failed', sqlstate, sqlerrm into r.outcome, r.code, r.message;
    return r;
end $$;

create function run_all(p_names text[]) returns table (name text, result outcome) language plpgsql as $$
declare n text; i int := 100; r attempt_result;
begin
  foreach n in array p_names loop
    i := i + 1;
    r := add_job(i, n);
    select n, r.outcome into name, result;
    return next;
  end loop;
end $$;

create function part_is_undone() returns int language plpgsql as $$
declare kept jobs.id%type; o outcome;
begin
  insert into jobs values (50, 'keep', 'done') returning id, outcome into kept, o;
  begin
    insert into jobs values (51, 'gone', 'failed');
    raise exception 'undo' using errcode = 'ZZ001';
  exception when sqlstate 'ZZ001' then
    insert into notes_of_errors (code, message) values (sqlstate, sqlerrm);
  end;
  return (select count(*) from jobs where id in (50, 51));
end $$;

create function all_details() returns jsonb language plpgsql as $$
declare a text; b text; c text; d text; e text; f text; g text; h text;
begin
  raise exception 'message %', 1 using errcode = 'AB123', detail = 'd', hint = 'h', column = 'c', constraint = 'k', datatype = 't', table = 'r', schema = 's';
exception when others then
  get stacked diagnostics a = returned_sqlstate, b = message_text, c = pg_exception_detail, d = pg_exception_hint,
    e = column_name, f = constraint_name, g = pg_datatype_name, h = table_name;
  return jsonb_build_array(a, b, c, d, e, f, g, h);
end $$;

create function rethrow(p_code text) returns text language plpgsql as $$
declare o outcome := 'done';
begin
  begin
    if p_code <> '' then raise sqlstate '22012' using message = p_code; end if;
  exception when division_by_zero then
    o := 'failed';
    if sqlerrm = 'again' then raise; end if;
  end;
  return o;
end $$;

create function strict_reads(p_id int) returns text language plpgsql stable as $$
declare v_name short_name; v_outcome outcome;
begin
  select name, outcome into strict v_name, v_outcome from jobs where id >= p_id;
  return v_name || coalesce(v_outcome::text, '-');
exception
  when no_data_found then return 'none';
  when too_many_rows then return 'many';
end $$;

create function checked(p int) returns outcome language plpgsql immutable as $$
begin
  assert p > 0, format('%s is not positive', p);
  return 'done';
exception when assert_failure then return 'failed';
end $$;

create function safe_cast(p text, p_default outcome) returns outcome language plpgsql immutable as $$
declare v outcome;
begin
  begin
    v := p::outcome;
  exception when invalid_text_representation then v := p_default;
  end;
  return v;
end $$;

create function retry(p_fail_until int) returns int language plpgsql as $$
declare n jobs.attempts%type := 0; o outcome;
begin
  loop
    begin
      n := n + 1;
      if n < p_fail_until then raise exception using errcode = 'serialization_failure', message = 'try again'; end if;
      update jobs set attempts = n, outcome = 'done' where id = 50 returning attempts, outcome into n, o;
      return n;
    exception when serialization_failure then
      continue when n < 10;
      raise;
    end;
  end loop;
end $$;

create function divide(a numeric, b numeric, out q numeric, out problem text) language plpgsql immutable as $$
begin
  q := a / b;
exception when division_by_zero then
  select null, sqlstate into q, problem;
end $$;

create function levels() returns void language plpgsql as $$
begin
  raise debug 'a %', 1;
  raise log 'b';
  raise info 'c %%';
  raise notice 'd %', 'outcome'::text;
  raise warning 'e' using hint = 'nothing is wrong';
end $$;
-- expect: select j.* from add_job(1, 'one') j => [{"outcome": "done", "code": null, "message": "1one"}]
-- expect: select (a).outcome, (a).code, (a).message from (select add_job(2, 'one') a) q => [{"outcome": "skipped", "code": "23505", "message": "jobs_name_key"}]
-- expect: select * from run_all('{one,two,much too long}') => [{"name": "one", "result": "skipped"}, {"name": "two", "result": "done"}, {"name": "much too long", "result": "failed"}]
-- expect: select part_is_undone() a, all_details() b, rethrow('') c, rethrow('once') d => [{"a": 1, "b": ["AB123", "message 1", "d", "h", "c", "k", "t", "r"], "c": "done", "d": "failed"}]
-- expect: select rethrow('again') => error 22012
-- expect: select strict_reads(200) a, strict_reads(102) b, strict_reads(1) c, checked(1) d, checked(0) e, safe_cast('x', 'skipped') f, safe_cast('failed', 'done') g => [{"a": "none", "b": "two-", "c": "many", "d": "done", "e": "failed", "f": "skipped", "g": "failed"}]
-- expect: select retry(3) a, (divide(1, 0)).problem b, (divide(1, 4)).q c, levels() is null d => [{"a": 3, "b": "22012", "c": 0.25000000000000000000, "d": false}]
