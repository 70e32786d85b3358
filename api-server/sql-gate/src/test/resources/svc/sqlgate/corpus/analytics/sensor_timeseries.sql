create table sensors (id smallint primary key, name text, location point, box box, area polygon);
create table readings (
  sensor_id smallint references sensors, at timestamptz, celsius real, humidity double precision,
  primary key (sensor_id, at)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
create index readings_at on readings using brin (at) with (pages_per_range = 32);
alter table readings alter column celsius set statistics 500;
create statistics readings_stats (dependencies, ndistinct) on sensor_id, at from readings;
insert into sensors values (1, 'roof', '(13.4,52.5)', '((0,0),(1,1))', '((0,0),(4,0),(4,3))'), (2, 'cellar', point(1, 2), null, null);
insert into readings
select s, timestamptz '2024-01-01 00:00Z' + m * interval '10 minutes', 20 + s + m % 6, null
from generate_series(1, 2) s, generate_series(0, 143) m;
analyze readings;
create function buckets(width interval) returns table (bucket timestamptz, sensor smallint, avg_c numeric, n bigint) stable language sql as $$
  select date_bin(width, at, '2024-01-01 00:00Z'), sensor_id, round(avg(celsius)::numeric, 2), count(*) from readings group by 1, 2 order by 1, 2
$$;
-- expect: select count(*), min(n), max(avg_c) from buckets('6 hours') => [{"count":8,"min":36,"max":24.50}]
-- expect: select count(*) from buckets('1 hour') where sensor = 2 => 24
-- expect: select location <-> point '(13.4,51.5)' as d, area(path(area)) as a from sensors where id = 1 => [{"d":1,"a":6}]
-- expect: select reloptions from pg_class where relname = 'readings' => [{"reloptions":["fillfactor=90","autovacuum_vacuum_scale_factor=0.05"]}]
