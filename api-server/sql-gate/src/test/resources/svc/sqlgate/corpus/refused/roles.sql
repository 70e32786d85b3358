create role app_user nologin;
-- refused: sql_forbidden_statement, hint "Grant rights to these"
alter role authenticated set search_path = 'private';
-- refused: sql_forbidden_statement, hint "statement_timeout and lock_timeout of anon and authenticated"
alter role service_role set statement_timeout = '60s';
-- refused: sql_forbidden_statement, hint "statement_timeout and lock_timeout of anon and authenticated"
alter role authenticator set pgrst.db_pre_request = 'public.check_request';
-- refused: sql_forbidden_statement, hint "PATCH /v1/projects/{ref}/postgrest"
alter role authenticator set statement_timeout = '8s';
-- refused: sql_forbidden_statement, hint "platform"
alter role all set statement_timeout = '8s';
-- refused: sql_forbidden_statement, hint ""
alter database postgres set timezone = 'UTC';
-- refused: sql_forbidden_statement, hint "names with a dot"
alter database other set "app.k" = 'v';
-- refused: sql_forbidden_statement, hint ""
grant authenticated to anon;
-- refused: sql_forbidden_statement, hint "roles are fixed"
set role service_role;
-- refused: sql_forbidden_statement, hint "may take the roles anon and authenticated"
-- expect: select current_user = 'postgres' => true
