create extension if not exists postgis with schema extensions;
-- refused: sql_error, hint "svc.operator.extensions"
create extension tablefunc;
-- refused: sql_forbidden_object, hint "pgcrypto"
create extension pg_cron;
select cron.schedule('nightly', '0 3 * * *', 'select 1');
-- refused: sql_forbidden_object, hint "from a scheduled job outside"
create extension if not exists pg_net with schema extensions;
-- refused: sql_forbidden_object, hint "from an edge function"
create extension http;
-- refused: sql_forbidden_object, hint "from an edge function"
create extension if not exists pgmq;
-- refused: sql_forbidden_object, hint "SKIP LOCKED"
create extension if not exists "supabase_vault" with schema "vault";
-- refused: sql_forbidden_object, hint "functions/secrets"
create extension if not exists pg_stat_statements with schema extensions;
-- refused: sql_forbidden_object, hint "EXPLAIN"
create extension vault;
-- refused: sql_forbidden_object, hint "Available are"
drop extension pgcrypto;
-- refused: sql_forbidden_statement, hint "Leave the statement out"
-- expect: select count(*) from pg_extension where extname = 'pgcrypto' => 1
