create role app_user nologin;
-- refused: sql_forbidden_statement, hint "Grant rights to these"
alter role authenticated set statement_timeout = '5s';
-- refused: sql_forbidden_statement, hint "anon, authenticated and service_role"
grant authenticated to anon;
-- refused: sql_forbidden_statement, hint "roles are fixed"
set role service_role;
-- refused: sql_forbidden_statement, hint "may take the roles anon and authenticated"
-- expect: select current_user = 'postgres' => true
