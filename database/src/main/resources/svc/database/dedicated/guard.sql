-- The DDL guard of a database with one project. There are no other tenants, so grants alone restrict the owner and nothing is
-- hidden; of the guard of shared databases only the ban on DDL of the data plane remains.
-- Every "--@" line begins one object, as in shared/guard.sql, whose hazards apply here too.

--@ function svc_statements.companion_schema(text,text)
CREATE OR REPLACE FUNCTION svc_statements.companion_schema(own text, service text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN service;
GRANT EXECUTE ON FUNCTION svc_statements.companion_schema(text, text) TO PUBLIC;

--@ function svc_statements.further_schema(text,text)
CREATE OR REPLACE FUNCTION svc_statements.further_schema(own text, schema_alias text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN schema_alias;
GRANT EXECUTE ON FUNCTION svc_statements.further_schema(text, text) TO PUBLIC;

--@ function svc_guard.schema_of(text,text)
CREATE OR REPLACE FUNCTION svc_guard.schema_of(own text, alias text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN alias;
REVOKE ALL ON FUNCTION svc_guard.schema_of(text, text) FROM PUBLIC;

--@ function svc_guard.further_schemas(text)
-- What the owner of companions owns besides those and the main schema.
CREATE OR REPLACE FUNCTION svc_guard.further_schemas(own text) RETURNS TABLE (oid oid, nspname name, alias text)
LANGUAGE sql STABLE ROWS 2 SET search_path = pg_catalog, pg_temp AS $body$
    SELECT n.oid, n.nspname, n.nspname::text
    FROM pg_catalog.pg_namespace n
    WHERE n.nspowner OPERATOR(pg_catalog.=) pg_catalog.to_regrole('svc_companion')::oid
      AND n.nspname::text OPERATOR(pg_catalog.<>) ALL (ARRAY[own, 'auth', 'storage', 'realtime']);
$body$;
REVOKE ALL ON FUNCTION svc_guard.further_schemas(text) FROM PUBLIC;

--@ function svc_guard.is_of_owner(name,text)
CREATE OR REPLACE FUNCTION svc_guard.is_of_owner(schema name, own text) RETURNS boolean
LANGUAGE sql STABLE
RETURN schema::text = own OR EXISTS (SELECT FROM svc_guard.further_schemas(own) f WHERE f.nspname = schema);
REVOKE ALL ON FUNCTION svc_guard.is_of_owner(name, text) FROM PUBLIC;

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
