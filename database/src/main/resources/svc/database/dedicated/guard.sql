-- The DDL guard of a database with one project. There are no other tenants, so grants alone restrict the owner and nothing is
-- hidden; of the guard of shared databases only the ban on DDL of the data plane remains.
-- Every "--@" line begins one object, as in shared/guard.sql, whose hazards apply here too.

--@ function svc_statements.companion_schema(text,text)
CREATE OR REPLACE FUNCTION svc_statements.companion_schema(own text, service text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN service;
GRANT EXECUTE ON FUNCTION svc_statements.companion_schema(text, text) TO PUBLIC;

--@ function svc_guard.check_command()
-- Also notifies the schema caches on PostgREST's channel: a hint, the catalog is authoritative.
CREATE OR REPLACE FUNCTION svc_guard.check_command() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text ~ '^proj_[0-9a-f]{32}_(api|service|system)$' THEN
        PERFORM svc_guard.refuse_data_plane();
    ELSIF session_user::text ~ '^proj_[0-9a-f]{32}_owner$' THEN
        PERFORM svc_guard.refuse_taken_role();
    END IF;
    PERFORM pg_notify('pgrst', '');
END $body$;
REVOKE ALL ON FUNCTION svc_guard.check_command() FROM PUBLIC;
