create table meetings (
  id int primary key, starts timestamptz not null, length interval not null default interval '1 hour 30 minutes',
  zone text not null default 'Europe/Berlin' check (now() at time zone zone is not null),
  ends timestamptz, local_day date
);
create function meetings_times() returns trigger language plpgsql as $$
begin
  new.ends := new.starts + new.length;
  new.local_day := (new.starts at time zone new.zone)::date;
  return new;
end $$;
create trigger meetings_times before insert or update on meetings for each row execute function meetings_times();
insert into meetings (id, starts, zone) values
  (1, '2024-03-30 23:30:00+00', default), (2, timestamptz '2024-03-30 23:30:00+00', 'America/New_York');
-- expect: select id, local_day, ends at time zone zone as e from meetings order by id => [{"id":1,"local_day":"2024-03-31","e":"2024-03-31T03:00:00"},{"id":2,"local_day":"2024-03-30","e":"2024-03-30T21:00:00"}]
-- expect: select extract(isodow from date '2024-02-29') as d, date_trunc('quarter', timestamp '2024-05-05')::date as q, make_interval(days => 3)::text as i, justify_hours('30 hours')::text as j => [{"d":4,"q":"2024-04-01","i":"3 days","j":"1 day 06:00:00"}]
-- expect: insert into meetings (id, starts, zone) values (3, now(), 'Mars/Base') => error 22023
-- expect: select to_char(timestamp '2024-02-03 04:05:06', 'YYYY-MM-DD"T"HH24:MI') as t, to_timestamp(0) at time zone 'UTC' as z, (timestamp '2024-01-31' + interval '1 month')::date as m => [{"t":"2024-02-03T04:05","z":"1970-01-01T00:00:00","m":"2024-02-29"}]
