create table t (id int);
create index concurrently t_id on t (id);
-- refused: sql_forbidden_statement, hint "send it alone"
create table t (id int);
create index t_id on t (id);
-- expect: select to_regclass('public.t_id') is not null => true
