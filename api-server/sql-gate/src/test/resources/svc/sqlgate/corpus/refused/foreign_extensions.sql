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
create extension if not exists "supabase_vault" with schema "vault";
-- refused: sql_forbidden_object, hint "functions/secrets"
create extension vault;
-- refused: sql_forbidden_object, hint "Available are"
select cron.schedule('nightly', '0 3 * * *', 'select 1');
-- refused: sql_forbidden_object, hint "from a scheduled job outside"
create function tell() returns void language plpgsql as $$ begin perform net.http_post('https://example.com', '{}'::jsonb); end $$;
-- refused: sql_forbidden_object, hint "from an edge function"
select vault.create_secret('x', 'y');
-- refused: sql_forbidden_object, hint "functions/secrets"
drop extension pg_net;
-- refused: sql_forbidden_statement, hint "IF EXISTS"
drop extension if exists pg_net, pgcrypto;
-- refused: sql_forbidden_statement, hint "Leave the statement out"
drop extension pgcrypto;
-- refused: sql_forbidden_statement, hint "Leave the statement out"
-- expect: select count(*) from pg_extension where extname = 'pgcrypto' => 1
