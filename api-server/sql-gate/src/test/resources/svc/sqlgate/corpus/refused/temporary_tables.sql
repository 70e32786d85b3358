create temporary table import_buffer (a int);
insert into import_buffer values (1);
-- refused: sql_forbidden_statement, hint "WITH query"
create table total as with import_buffer (a) as (values (1), (2)) select sum(a) from import_buffer;
-- expect: select sum from total => 3
