create table metrics (id int, value text, flags text, seen text, kind text default 'a');
insert into metrics values (1, '1.50', 't,f', '2024-01-02 03:04', 'a'), (2, ' 2 ', '', null, 'b');
-- next call
alter table metrics alter value type numeric(10, 2) using trim(value)::numeric;
alter table metrics alter flags type text[] using case when flags = '' then '{}' else string_to_array(flags, ',') end;
alter table metrics alter seen type timestamptz using (seen || '+00')::timestamptz;
alter table metrics alter id type bigint, alter id set not null;
-- next call
create type kind as enum ('a', 'b');
alter table metrics alter kind drop default, alter kind type kind using kind::kind, alter kind set default 'b';
alter table metrics add primary key (id);
create sequence metrics_id_seq owned by metrics.id;
select setval('metrics_id_seq', (select max(id) from metrics));
alter table metrics alter id set default nextval('metrics_id_seq');
-- expect: insert into metrics (value) values (3) returning id, kind => [{"id":3,"kind":"b"}]
-- expect: select value, flags, seen = '2024-01-02T03:04Z' as s from metrics where id = 1 => [{"value":1.50,"flags":["t","f"],"s":true}]
-- expect: insert into metrics (kind) values ('c') => error 22P02
