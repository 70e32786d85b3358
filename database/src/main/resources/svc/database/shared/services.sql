-- The queue in which a service requests the tables it needs when a project first uses it. The operator creates them.
--
-- Hazards that shape this file:
--   * The data plane has no DDL (DESIGN 4, rule 2), not even through a function of the platform: it inserts a request, and
--     the operator, which owns nothing of a tenant and runs none of its code, creates the tables.
--   * Only the login of the platform's own services may insert, and the owner's while the tables are not there; each only for
--     its own project: session_user decides, which no tenant can choose.

--@ table svc_guard.service_request
CREATE TABLE IF NOT EXISTS svc_guard.service_request (
    schema_name text NOT NULL,
    service text NOT NULL CHECK (service IN ('auth', 'storage', 'realtime')),
    PRIMARY KEY (schema_name, service)
);
REVOKE ALL ON svc_guard.service_request FROM PUBLIC;

--@ function svc_statements.request_service(text)
CREATE OR REPLACE FUNCTION svc_statements.request_service(service text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_system$' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'only the services of a project may request their tables';
    END IF;
    INSERT INTO svc_guard.service_request (schema_name, service)
    VALUES (substr(session_user::text, 1, 37), request_service.service)
    ON CONFLICT DO NOTHING;
    PERFORM pg_notify('svc_service_request', '');
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.request_service(text) TO PUBLIC;

--@ function svc_statements.prepare_auth()
-- Whether the tables of the auth service are there; requests them otherwise. For scripts of the owner that name them.
CREATE OR REPLACE FUNCTION svc_statements.prepare_auth() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
BEGIN
    -- The operator makes them in one transaction: one tells of all.
    IF to_regclass(format('%I.audit_log_entries', own || '_auth')) IS NOT NULL THEN
        RETURN true;
    END IF;
    INSERT INTO svc_guard.service_request (schema_name, service) VALUES (own, 'auth') ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM pg_notify('svc_service_request', '');
    END IF;
    RETURN false;
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.prepare_auth() TO PUBLIC;
