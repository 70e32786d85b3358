-- Changing a table under its views: drop and make again in one migration
create table t (id int primary key, amount int);
create view v1 as select id, amount from t;
create view v2 as select id, amount * 2 as twice from v1;
insert into t values (1, 5);
-- next call
alter table t alter column amount type bigint;
-- refused: sql_error, hint ""
drop view v1 cascade;
alter table t alter column amount type numeric(10, 2);
create view v1 with (security_invoker) as select id, amount from t;
create view v2 with (security_invoker) as select id, amount * 2 as twice from v1;
-- expect as anon: GET /v2 => 200 [{"id":1,"twice":10.00}]
-- expect: select count(*) from pg_views where schemaname = 'public' => 2
