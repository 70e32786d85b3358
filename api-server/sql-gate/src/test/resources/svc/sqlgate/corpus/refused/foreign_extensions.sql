create extension if not exists postgis with schema extensions;
-- refused: sql_error, hint "svc.operator.extensions"
create extension tablefunc;
-- refused: sql_forbidden_object, hint "pgcrypto"
create extension http;
-- refused: sql_forbidden_object, hint "net.http_post"
create extension vault;
-- refused: sql_forbidden_object, hint "Its name is supabase_vault"
create extension if not exists pgjwt with schema extensions;
-- refused: sql_forbidden_object, hint "Tokens are issued by /auth/v1"
drop extension pg_repack;
-- refused: sql_forbidden_statement, hint "IF EXISTS"
drop extension if exists pg_repack, pgcrypto;
-- refused: sql_forbidden_statement, hint "Leave the statement out"
drop extension pgcrypto;
-- refused: sql_forbidden_statement, hint "Leave the statement out"
-- expect: select count(*) from pg_extension where extname = 'pgcrypto' => 1
