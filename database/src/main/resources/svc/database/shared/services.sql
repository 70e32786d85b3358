-- How a service says that a project uses it for the first time, so that the operator makes the tables it needs.
--
-- Hazards that shape this file:
--   * The data plane has no DDL (DESIGN 4, rule 2), not even through a function of the platform: it leaves a wish, a row,
--     and the operator, which owns nothing of a tenant and runs none of its code, does the rest.
--   * Only the login of our own services passes, and for its own project: session_user decides, which no tenant can choose.

--@ table svc_guard.service_wish
CREATE TABLE IF NOT EXISTS svc_guard.service_wish (
    schema_name text NOT NULL,
    service text NOT NULL CHECK (service IN ('auth', 'storage', 'realtime')),
    PRIMARY KEY (schema_name, service)
);
REVOKE ALL ON svc_guard.service_wish FROM PUBLIC;

--@ function svc_statements.wish_for_service(text)
CREATE OR REPLACE FUNCTION svc_statements.wish_for_service(service text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_system$' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'only the services of a project may ask for their tables';
    END IF;
    INSERT INTO svc_guard.service_wish (schema_name, service)
    VALUES (substr(session_user::text, 1, 37), wish_for_service.service)
    ON CONFLICT DO NOTHING;
    PERFORM pg_notify('svc_service_wish', '');
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.wish_for_service(text) TO PUBLIC;
