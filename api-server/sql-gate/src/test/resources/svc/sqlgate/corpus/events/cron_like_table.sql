-- Scheduled tasks: the application asks every minute what is due
create table schedules (
  name text primary key,
  every interval not null check (every >= interval '1 minute'),
  next_run timestamptz not null,
  enabled boolean not null default true,
  last_result text
);
create function due(at timestamptz default now()) returns setof text language plpgsql as $$
declare
  s schedules%rowtype;
begin
  for s in select * from schedules where enabled and next_run <= at order by name for update loop
    while s.next_run <= at loop
      s.next_run := s.next_run + s.every;
    end loop;
    update schedules set next_run = s.next_run, last_result = 'started' where name = s.name;
    return next s.name;
  end loop;
  return;
end $$;
insert into schedules (name, every, next_run) values
  ('digest', '1 day', '2024-01-01 06:00Z'), ('cleanup', '5 minutes', '2024-01-01 00:00Z'), ('later', '1 hour', '2099-01-01 00:00Z');
-- expect: select array_agg(d) from due('2024-01-02 06:02Z') d => [{"array_agg":["cleanup","digest"]}]
-- expect: select name, next_run = '2024-01-02 06:05Z' as n from schedules where name = 'cleanup' => [{"name":"cleanup","n":true}]
-- expect: select count(*) from due('2024-01-02 06:02Z') => 0
-- expect: insert into schedules values ('x', '1 second', now()) => error 23514
