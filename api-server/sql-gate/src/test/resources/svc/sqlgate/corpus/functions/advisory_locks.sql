-- One at a time: migrations, jobs, and a function that two callers may run at once
select pg_advisory_xact_lock(hashtext('migrations'));
do $$
begin
  if not pg_try_advisory_lock(72707369) then
    raise exception 'another migration runs';
  end if;
  perform pg_advisory_xact_lock(1, 2);
  perform pg_catalog.pg_advisory_unlock(72707369);
end $$;
create table counters (name text primary key, value int not null default 0);
create function next_value(p_name text) returns int language plpgsql as $$
declare result int;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_name, 0));
  insert into counters (name, value) values (p_name, 1)
    on conflict (name) do update set value = counters.value + 1 returning value into result;
  return result;
end $$;
create function run_job(p_job bigint) returns text language plpgsql security definer set search_path = '' as $$
begin
  if not pg_try_advisory_lock(p_job) then
    return 'busy';
  end if;
  perform pg_advisory_unlock(p_job);
  return 'done';
end $$;
create function in_sql(k int) returns boolean language sql as 'select pg_try_advisory_xact_lock_shared(k, 7)';
-- expect: select next_value('orders') + next_value('orders') => 3
-- expect: select run_job(5) => "done"
-- expect: select in_sql(1) => true
-- expect as anon: POST /rpc/run_job {"p_job": 5} => 200 "done"
-- expect as anon: POST /rpc/run_job {"p_job": 5} => 200 "done"
-- expect: select pg_try_advisory_lock(5), pg_advisory_unlock(5) => [{"pg_try_advisory_lock":true,"pg_advisory_unlock":true}]
