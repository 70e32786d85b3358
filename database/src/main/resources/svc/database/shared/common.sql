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
