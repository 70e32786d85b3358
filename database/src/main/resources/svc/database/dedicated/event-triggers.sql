-- Only a superuser makes event triggers, and on managed servers who stands for one. Without them the database still serves:
-- then the data plane's DDL is stopped by grants, unless a function of the tenant's own lends it the owner's.

--@ event trigger svc_guard_command
-- ALWAYS: session_replication_role = replica must not switch it off.
DROP EVENT TRIGGER IF EXISTS svc_guard_command;
CREATE EVENT TRIGGER svc_guard_command ON ddl_command_end EXECUTE FUNCTION svc_guard.check_command();
ALTER EVENT TRIGGER svc_guard_command ENABLE ALWAYS;

--@ event trigger svc_guard_drop
DROP EVENT TRIGGER IF EXISTS svc_guard_drop;
CREATE EVENT TRIGGER svc_guard_drop ON sql_drop EXECUTE FUNCTION svc_guard.check_command();
ALTER EVENT TRIGGER svc_guard_drop ENABLE ALWAYS;
