-- Jobs of pg_cron, as Supabase's documentation makes them
create extension if not exists pg_cron with schema pg_catalog;
grant usage on schema cron to postgres;
grant all privileges on all tables in schema cron to postgres;
create table sessions (id int generated always as identity primary key, expires_at timestamptz not null);
alter table sessions enable row level security;
create function purge_sessions() returns void language sql security definer set search_path = '' as $$
  delete from public.sessions where expires_at < now();
$$;
select cron.schedule('purge', '*/5 * * * *', 'select public.purge_sessions()');
select cron.schedule('nightly', '0 3 * * *', $$ vacuum public.sessions $$);
select cron.schedule('@hourly', 'select 1');
do $$
begin
  if exists (select 1 from cron.job where jobname = 'nightly') then
    perform cron.unschedule('nightly');
  end if;
  execute format('select cron.schedule(%L, %L, %L)', 'built', '30 seconds', 'select 2');
end $$;
select cron.unschedule(jobid) from cron.job where jobname is null;
select cron.alter_job(job_id := (select jobid from cron.job where jobname = 'purge'), schedule := '0 4 * * *');
select cron.schedule('cleanup', '0 0 * * *', $$delete from cron.job_run_details where end_time < now() - interval '7 days'$$);
select cron.unschedule('cleanup');
-- expect: select jobname, schedule from cron.job order by jobname => [{"jobname":"built","schedule":"30 seconds"},{"jobname":"purge","schedule":"0 4 * * *"}]
-- expect: select count(*) from pg_extension where extname = 'pg_cron' => 1
