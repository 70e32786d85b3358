-- Only a superuser can create event triggers, or its substitute on managed servers. Without them grants alone stop DDL of the
-- data plane, unless a SECURITY DEFINER function of the tenant runs it as the owner.

--@ event trigger svc_guard_command
-- ALWAYS: session_replication_role = replica must not switch it off.
DROP EVENT TRIGGER IF EXISTS svc_guard_command;
CREATE EVENT TRIGGER svc_guard_command ON ddl_command_end EXECUTE FUNCTION svc_guard.check_command();
ALTER EVENT TRIGGER svc_guard_command ENABLE ALWAYS;

--@ event trigger svc_guard_drop
DROP EVENT TRIGGER IF EXISTS svc_guard_drop;
CREATE EVENT TRIGGER svc_guard_drop ON sql_drop EXECUTE FUNCTION svc_guard.check_command();
ALTER EVENT TRIGGER svc_guard_drop ENABLE ALWAYS;
