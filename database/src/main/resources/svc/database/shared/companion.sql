-- The shared bodies of the companions' functions, once per database: a companion's function is one call of these, which
-- takes a tenth of the catalog space of a full body.
--
-- Hazards that shape this file:
--   * Tenants' policies run these for every row. Both levels must inline: no SET clause, not SECURITY DEFINER, STABLE or
--     IMMUTABLE, and no argument used twice by anything expensive.
--   * They run with the caller's privileges, so they may call only functions of the allow-list (catalog-functions.txt), and
--     EXECUTE must stay with PUBLIC.
--   * Bodies are bound when the function is created; a tenant's search_path changes nothing.
--   * Projects' functions depend on these: replace them, never drop them. A change applies to all projects immediately.

--@ function svc_functions.auth_uid()
CREATE OR REPLACE FUNCTION svc_functions.auth_uid() RETURNS uuid LANGUAGE sql STABLE
RETURN coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;
ALTER FUNCTION svc_functions.auth_uid() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.auth_uid() TO PUBLIC;

--@ function svc_functions.auth_jwt()
CREATE OR REPLACE FUNCTION svc_functions.auth_jwt() RETURNS jsonb LANGUAGE sql STABLE
RETURN coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), ''))::jsonb;
ALTER FUNCTION svc_functions.auth_jwt() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.auth_jwt() TO PUBLIC;

--@ function svc_functions.auth_role()
CREATE OR REPLACE FUNCTION svc_functions.auth_role() RETURNS text LANGUAGE sql STABLE
RETURN coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role');
ALTER FUNCTION svc_functions.auth_role() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.auth_role() TO PUBLIC;

--@ function svc_functions.auth_email()
CREATE OR REPLACE FUNCTION svc_functions.auth_email() RETURNS text LANGUAGE sql STABLE
RETURN coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email');
ALTER FUNCTION svc_functions.auth_email() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.auth_email() TO PUBLIC;

--@ function svc_functions.storage_foldername(text)
CREATE OR REPLACE FUNCTION svc_functions.storage_foldername(name text) RETURNS text[] LANGUAGE sql IMMUTABLE
RETURN (string_to_array(name, '/'))[:array_length(string_to_array(name, '/'), 1) - 1];
ALTER FUNCTION svc_functions.storage_foldername(text) OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.storage_foldername(text) TO PUBLIC;

--@ function svc_functions.storage_filename(text)
CREATE OR REPLACE FUNCTION svc_functions.storage_filename(name text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN split_part(name, '/', -1);
ALTER FUNCTION svc_functions.storage_filename(text) OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.storage_filename(text) TO PUBLIC;

--@ function svc_functions.storage_extension(text)
CREATE OR REPLACE FUNCTION svc_functions.storage_extension(name text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN split_part(split_part(name, '/', -1), '.', -1);
ALTER FUNCTION svc_functions.storage_extension(text) OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.storage_extension(text) TO PUBLIC;

--@ function svc_functions.storage_operation()
CREATE OR REPLACE FUNCTION svc_functions.storage_operation() RETURNS text LANGUAGE sql STABLE
RETURN nullif(current_setting('storage.operation', true), '');
ALTER FUNCTION svc_functions.storage_operation() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.storage_operation() TO PUBLIC;

--@ function svc_functions.storage_protect_delete()
-- A trigger on the tables of Storage: SQL that deletes rows would leave the files behind for a while. The setting is
-- Supabase's, and the service sets it.
CREATE OR REPLACE FUNCTION svc_functions.storage_protect_delete() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF coalesce(current_setting('storage.allow_delete_query', true), '') <> 'true' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'Direct deletion from storage tables is not allowed. Use the Storage API instead.',
            HINT = 'This prevents accidental data loss from orphaned objects.';
    END IF;
    RETURN NULL;
END $body$;
ALTER FUNCTION svc_functions.storage_protect_delete() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.storage_protect_delete() TO PUBLIC;

--@ function svc_functions.realtime_topic()
CREATE OR REPLACE FUNCTION svc_functions.realtime_topic() RETURNS text LANGUAGE sql STABLE
RETURN nullif(current_setting('realtime.topic', true), '');
ALTER FUNCTION svc_functions.realtime_topic() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_topic() TO PUBLIC;
