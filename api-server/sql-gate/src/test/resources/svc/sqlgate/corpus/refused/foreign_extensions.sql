create extension if not exists postgis;
-- refused: sql_forbidden_object, hint "pgcrypto"
create extension pg_cron;
select cron.schedule('nightly', '0 3 * * *', 'select 1');
-- refused: sql_forbidden_object, hint "Available are"
create extension if not exists pg_net with schema extensions;
-- refused: sql_forbidden_object, hint "Available are"
drop extension pgcrypto;
-- refused: sql_forbidden_statement, hint "Leave the statement out"
-- expect: select count(*) from pg_extension where extname = 'pgcrypto' => 1
