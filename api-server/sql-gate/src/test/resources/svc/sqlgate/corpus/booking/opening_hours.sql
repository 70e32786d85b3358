create type weekday as enum ('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun');
create type timerange as range (subtype = time, multirange_type_name = timemultirange);

create table opening_hours (
  day weekday primary key,
  open timemultirange not null
);
insert into opening_hours values
  ('mon', '{[09:00, 12:00), [13:00, 18:00)}'),
  ('sat', timemultirange(timerange('10:00', '14:00'))),
  ('sun', '{}');

create function is_open(d weekday, t time) returns boolean language sql stable
begin atomic
  select coalesce((select open @> t from opening_hours where day = d), false);
end;

create function slots(d weekday, every interval default '1 hour') returns table (slot time) language sql stable as $$
  select s::time
  from opening_hours o,
       unnest(o.open) r,
       generate_series('2000-01-01'::date + lower(r), '2000-01-01'::date + upper(r) - every, every) s
  where o.day = d
  order by 1
$$;
-- expect: select is_open('mon', '12:30') as lunch, is_open('mon', '13:00') as after, is_open('tue', '10:00') as tue => [{"lunch":false,"after":true,"tue":false}]
-- expect: select count(*) from slots('mon') => 8
-- expect: select array_agg(day order by day) from opening_hours where not isempty(open) => [{"array_agg":["mon","sat"]}]
-- expect as anon: POST /rpc/is_open {"d":"sat","t":"13:59"} => 200 true
