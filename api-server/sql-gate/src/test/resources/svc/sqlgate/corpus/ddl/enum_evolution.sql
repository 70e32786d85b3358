-- Values come and go over time
create type status as enum ('new', 'open', 'closed');
create table tickets (id serial primary key, status status not null default 'new');
insert into tickets (status) values ('new'), ('open'), ('closed');
-- next call
alter type status add value 'waiting' before 'closed';
alter type status add value if not exists 'waiting';
alter type status add value 'archived' after 'closed';
-- next call
update tickets set status = 'waiting' where status = 'open';
-- next call
-- A value cannot be dropped: swap the type
alter table tickets alter column status drop default;
alter type status rename to status_old;
create type status as enum ('fresh', 'waiting', 'closed');
alter table tickets alter column status type status
  using (case status::text when 'new' then 'fresh' else status::text end)::status;
alter table tickets alter column status set default 'fresh';
drop type status_old;
-- expect: select status from tickets order by id => [{"status":"fresh"},{"status":"waiting"},{"status":"closed"}]
-- expect: insert into tickets default values returning status => "fresh"
-- expect: select array_agg(e.enumlabel order by e.enumsortorder) from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typname = 'status' => [{"array_agg":["fresh","waiting","closed"]}]
-- expect: insert into tickets (status) values ('open') => error 22P02
