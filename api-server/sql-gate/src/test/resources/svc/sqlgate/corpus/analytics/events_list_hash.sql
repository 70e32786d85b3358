create table events (
  tenant int not null, kind text not null, payload jsonb
) partition by list (kind);
create table events_click partition of events for values in ('click', 'tap');
create table events_other partition of events default partition by hash (tenant);
create table events_other_0 partition of events_other for values with (modulus 2, remainder 0);
create table events_other_1 partition of events_other for values with (modulus 2, remainder 1);
create index on events using gin (payload);
alter table events enable row level security;
create policy e on events for select using (kind <> 'secret');
insert into events select i, (array['click', 'view', 'secret'])[1 + i % 3], jsonb_build_object('n', i, 'tags', jsonb_build_array('t' || i)) from generate_series(1, 9) i;
-- expect: select count(*) from events_click => 3
-- expect: select (select count(*) from events_other_0) + (select count(*) from events_other_1) => 6
-- expect as anon: GET /events?select=kind&kind=neq.click => 200 [{"kind":"view"},{"kind":"view"},{"kind":"view"}]
-- expect: select tenant from events where payload @> '{"tags": ["t4"]}' => 4
