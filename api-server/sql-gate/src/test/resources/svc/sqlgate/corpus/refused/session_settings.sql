set session_replication_role = replica;
-- refused: sql_forbidden_statement, hint "DISABLE TRIGGER USER"
select set_config('session_replication' || '_role', 'replica', false);
-- refused: sql_forbidden_statement, hint "'app.' || name"
select set_config('svc.' || 'x', 'y', false);
-- refused: sql_forbidden_statement, hint "'app.' || name"
set standard_conforming_strings = off;
-- refused: sql_forbidden_statement, hint ""
set datestyle = 'SQL, DMY';
-- refused: sql_forbidden_statement, hint "Leave it as the platform set it"
select set_config('session_authorization', 'postgres', false);
-- refused: sql_forbidden_statement, hint ""
-- expect: select current_setting('standard_conforming_strings') => "on"
