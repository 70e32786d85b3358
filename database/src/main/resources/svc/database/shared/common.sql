-- The functions of auth, storage and realtime, once for all projects of a shared database: PostgreSQL loads every function of
-- a name, in all schemas, before it chooses one, so that a function per project would make the first call of a session linear in
-- projects. The gate writes these schemas where a script says auth, storage and realtime.
--
-- Hazards that shape this file: those of companion.sql. The names must stay Supabase's: a call without an alias names its column.

--@ function svc_auth.uid()
CREATE OR REPLACE FUNCTION svc_auth.uid() RETURNS uuid LANGUAGE sql STABLE RETURN svc_functions.auth_uid();
GRANT EXECUTE ON FUNCTION svc_auth.uid() TO PUBLIC;

--@ function svc_auth.jwt()
CREATE OR REPLACE FUNCTION svc_auth.jwt() RETURNS jsonb LANGUAGE sql STABLE RETURN svc_functions.auth_jwt();
GRANT EXECUTE ON FUNCTION svc_auth.jwt() TO PUBLIC;

--@ function svc_auth.role()
CREATE OR REPLACE FUNCTION svc_auth.role() RETURNS text LANGUAGE sql STABLE RETURN svc_functions.auth_role();
GRANT EXECUTE ON FUNCTION svc_auth.role() TO PUBLIC;

--@ function svc_auth.email()
CREATE OR REPLACE FUNCTION svc_auth.email() RETURNS text LANGUAGE sql STABLE RETURN svc_functions.auth_email();
GRANT EXECUTE ON FUNCTION svc_auth.email() TO PUBLIC;

--@ function svc_storage.foldername(text)
CREATE OR REPLACE FUNCTION svc_storage.foldername(name text) RETURNS text[] LANGUAGE sql IMMUTABLE
RETURN svc_functions.storage_foldername(name);
GRANT EXECUTE ON FUNCTION svc_storage.foldername(text) TO PUBLIC;

--@ function svc_storage.filename(text)
CREATE OR REPLACE FUNCTION svc_storage.filename(name text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN svc_functions.storage_filename(name);
GRANT EXECUTE ON FUNCTION svc_storage.filename(text) TO PUBLIC;

--@ function svc_storage.extension(text)
CREATE OR REPLACE FUNCTION svc_storage.extension(name text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN svc_functions.storage_extension(name);
GRANT EXECUTE ON FUNCTION svc_storage.extension(text) TO PUBLIC;

--@ function svc_storage.operation()
CREATE OR REPLACE FUNCTION svc_storage.operation() RETURNS text LANGUAGE sql STABLE RETURN svc_functions.storage_operation();
GRANT EXECUTE ON FUNCTION svc_storage.operation() TO PUBLIC;

--@ function svc_realtime.topic()
CREATE OR REPLACE FUNCTION svc_realtime.topic() RETURNS text LANGUAGE sql STABLE RETURN svc_functions.realtime_topic();
GRANT EXECUTE ON FUNCTION svc_realtime.topic() TO PUBLIC;

--@ function svc_realtime.send(jsonb,text,text,boolean)
CREATE OR REPLACE FUNCTION svc_realtime.send(payload jsonb, event text, topic text, private boolean DEFAULT true) RETURNS void
LANGUAGE sql VOLATILE RETURN svc_functions.realtime_send(payload, event, topic, private);
GRANT EXECUTE ON FUNCTION svc_realtime.send(jsonb, text, text, boolean) TO PUBLIC;

--@ function svc_realtime.send_binary(bytea,text,text,boolean)
CREATE OR REPLACE FUNCTION svc_realtime.send_binary(payload bytea, event text, topic text, private boolean DEFAULT true) RETURNS void
LANGUAGE sql VOLATILE RETURN svc_functions.realtime_send_binary(payload, event, topic, private);
GRANT EXECUTE ON FUNCTION svc_realtime.send_binary(bytea, text, text, boolean) TO PUBLIC;

--@ function svc_realtime.broadcast_changes(text,text,text,text,text,record,record,text)
-- Called by tenants' triggers of rows. The schema is the one that applications name.
CREATE OR REPLACE FUNCTION svc_realtime.broadcast_changes(
    topic_name text, event_name text, operation text, table_name text, table_schema text,
    new record, old record, level text DEFAULT 'ROW') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF level = 'STATEMENT' THEN
        RAISE EXCEPTION 'function can only be triggered for each row, not for each statement';
    END IF;
    PERFORM svc_functions.realtime_send(
        jsonb_build_object(
            'schema', svc_functions.realtime_schema_alias(table_schema), 'table', table_name, 'operation', operation,
            'record', to_jsonb(new), 'old_record', to_jsonb(old)),
        event_name, topic_name, true);
END $body$;
GRANT EXECUTE ON FUNCTION svc_realtime.broadcast_changes(text, text, text, text, text, record, record, text) TO PUBLIC;
