-- Tables that only the server may touch, and a view that shows a part
create table internal_jobs (id int generated always as identity primary key, payload jsonb, done boolean default false);
alter table internal_jobs enable row level security;
revoke all on internal_jobs from public, anon, authenticated;
create view job_stats with (security_invoker = off) as select count(*) filter (where done)::int as done, count(*)::int as total from internal_jobs;
revoke all on job_stats from anon;
grant select on job_stats to anon;
create function enqueue(p jsonb) returns int language sql security definer set search_path = public as 'insert into internal_jobs (payload) values (p) returning id';
revoke execute on function enqueue from public, anon, authenticated;
-- expect as service: POST /internal_jobs?select=id {"payload":{"a":1},"done":true} => 201 [{"id":1}]
-- expect as anon: GET /internal_jobs => 401
-- expect as user 1: GET /internal_jobs => 403
-- expect as anon: GET /job_stats => 200 [{"done":1,"total":1}]
-- expect: select enqueue('{}') => 2
