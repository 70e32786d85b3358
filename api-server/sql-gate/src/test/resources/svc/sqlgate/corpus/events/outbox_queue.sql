-- Job queue with SKIP LOCKED, retries with backoff
create type job_state as enum ('queued', 'running', 'failed', 'finished');
create unlogged table job_stats (queue text primary key, finished bigint default 0);
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null default 'default',
  payload jsonb not null,
  state job_state not null default 'queued',
  attempts int not null default 0,
  max_attempts int not null default 3,
  run_at timestamptz not null default now(),
  locked_by text
);
create index jobs_next on jobs (queue, run_at) where state = 'queued';
create or replace function take_jobs(p_queue text, p_worker text, p_limit int default 10)
returns setof jobs language sql as $$
  update jobs set state = 'running', attempts = attempts + 1, locked_by = p_worker
  where id in (
    select id from jobs where queue = p_queue and state = 'queued' and run_at <= now()
    order by run_at, id limit p_limit for update skip locked)
  returning *
$$;
create or replace function fail_job(p_id bigint) returns job_state language plpgsql as $$
declare result job_state;
begin
  update jobs set
    state = case when attempts < max_attempts then 'queued'::job_state else 'failed' end,
    run_at = now() + (2 ^ attempts) * interval '1 minute', locked_by = null
  where id = p_id and state = 'running'
  returning state into result;
  if result is null then raise no_data_found using message = 'job is not running'; end if;
  return result;
end $$;
insert into jobs (payload) select jsonb_build_object('n', n) from generate_series(1, 5) n;
-- expect: select count(*) from take_jobs('default', 'w1', 2) => 2
-- expect: select fail_job(1) => "queued"
-- expect: select fail_job(5) => error P0002
-- expect: select state, count(*) from jobs group by 1 order by 1 => [{"state":"queued","count":4},{"state":"running","count":1}]
-- expect: select run_at > now() from jobs where id = 1 => true
