-- What watches over the DDL of a database that holds one project. Nobody else is in it, so nothing has to be hidden and an
-- owner is held by its grants alone; what remains of the guard of shared databases is that the data plane has no DDL.
-- Every "--@" line begins one object, as in shared/guard.sql, whose hazards are those of this file as well.

--@ function svc_statements.companion_schema(text,text)
CREATE OR REPLACE FUNCTION svc_statements.companion_schema(own text, service text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN service;
GRANT EXECUTE ON FUNCTION svc_statements.companion_schema(text, text) TO PUBLIC;

--@ function svc_guard.check_command()
-- Also tells the schema caches, on the channel that PostgREST's users know: a hint, truth is the catalog.
CREATE OR REPLACE FUNCTION svc_guard.check_command() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text ~ '^proj_[0-9a-f]{32}_(api|service|system)$' THEN
        PERFORM svc_guard.refuse_data_plane();
    END IF;
    PERFORM pg_notify('pgrst', '');
END $body$;
REVOKE ALL ON FUNCTION svc_guard.check_command() FROM PUBLIC;
