create function js() returns int language plv8 as $$ return 1 $$;
-- refused: sql_forbidden_statement, hint "sql or plpgsql"
create extension if not exists plpython3u;
-- refused: sql_forbidden_object, hint "Available are"
create function one() returns int language sql as 'select 1';
-- expect: select one() => 1
