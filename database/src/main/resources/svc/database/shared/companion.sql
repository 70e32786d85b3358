-- The shared bodies of the companions' functions, once per database, and of the triggers that keep the rows which an owner
-- writes. In a database of one project a companion's function is one call of these; in a shared one, common.sql has the functions.
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
REVOKE ALL ON FUNCTION svc_functions.storage_protect_delete() FROM PUBLIC;

--@ function svc_functions.storage_keep_version()
-- A trigger on storage.objects: in a bucket with versioning, what a file was stays as a row of storage.object_versions when the
-- file is replaced or deleted, in the transaction that does it and whichever way it is done. Up to ten for each name; bytes
-- that no row names are swept.
--
-- Hazard: it runs with the rights of the platform, because callers may not write versions. It touches two tables of the
-- companion, in the schema of the table that it is on; a tenant can have no trigger on the one it writes, and may not call it.
CREATE OR REPLACE FUNCTION svc_functions.storage_keep_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    versioned boolean;
BEGIN
    IF OLD.version IS NULL OR TG_OP = 'UPDATE' AND NEW.version IS NOT DISTINCT FROM OLD.version THEN
        RETURN NULL;
    END IF;
    EXECUTE format('SELECT b.versioning_status = ''ENABLED'' FROM %I.buckets b WHERE b.id = $1', TG_TABLE_SCHEMA)
        INTO versioned USING OLD.bucket_id;
    IF versioned THEN
        EXECUTE format('INSERT INTO %I.object_versions (object_id, bucket_id, name, version, owner, owner_id, metadata,'
                ' user_metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)', TG_TABLE_SCHEMA)
            USING OLD.id, OLD.bucket_id, OLD.name, OLD.version, OLD.owner, OLD.owner_id, OLD.metadata,
                OLD.user_metadata, OLD.updated_at;
        EXECUTE format('DELETE FROM %1$I.object_versions d WHERE d.id IN (SELECT v.id FROM %1$I.object_versions v'
                ' WHERE v.bucket_id = $1 AND v.name = $2 ORDER BY v.archived_at DESC, v.id OFFSET 10)',
                TG_TABLE_SCHEMA)
            USING OLD.bucket_id, OLD.name;
    END IF;
    RETURN NULL;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.storage_keep_version() FROM PUBLIC;
--@ function svc_functions.storage_queue_events()
-- A trigger on storage.objects: queues the events for webhooks, in the transaction that changes a file and whichever way
-- it is changed. The service says in the setting storage.webhooks what they want; without it nothing is queued.
--
-- Hazard: it runs with the rights of the platform, because callers may not write events. A tenant's SQL can set the setting,
-- too, and send its own changes to up to five webhooks of its own project.
CREATE OR REPLACE FUNCTION svc_functions.storage_queue_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    webhooks text := current_setting('storage.webhooks', true);
    operation text := coalesce(current_setting('storage.operation', true), '');
    moved boolean := false;
    events jsonb[] := '{}';
BEGIN
    IF coalesce(webhooks, '') = '' OR octet_length(webhooks) > 65536 OR webhooks IS NOT JSON ARRAY THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        moved := (NEW.bucket_id, NEW.name) IS DISTINCT FROM (OLD.bucket_id, OLD.name);
    END IF;
    IF TG_OP <> 'INSERT' AND (moved OR TG_OP = 'DELETE') AND OLD.version IS NOT NULL THEN
        events := events || jsonb_strip_nulls(jsonb_build_object(
            'event', CASE WHEN moved THEN 'ObjectRemoved:Move' ELSE 'ObjectRemoved:Delete' END,
            'bucket', OLD.bucket_id, 'name', OLD.name, 'version', OLD.version, 'owner', left(OLD.owner_id, 256)));
    END IF;
    IF TG_OP <> 'DELETE' AND (moved OR NEW.version IS DISTINCT FROM OLD.version) AND NEW.version IS NOT NULL THEN
        events := events || jsonb_strip_nulls(jsonb_build_object(
            'event', 'ObjectCreated:' || CASE
                WHEN moved THEN 'Move'
                WHEN operation IN ('storage.object.copy', 'storage.s3.object.copy') THEN 'Copy'
                WHEN starts_with(operation, 'storage.tus.') OR operation = 'storage.s3.upload.complete_multipart'
                    THEN 'CompleteMultipartUpload'
                WHEN operation = 'storage.s3.upload' AND current_setting('request.method', true) = 'POST' THEN 'Post'
                ELSE 'Put' END,
            'bucket', NEW.bucket_id, 'name', NEW.name, 'version', NEW.version, 'owner', left(NEW.owner_id, 256),
            'size', CASE WHEN jsonb_typeof(NEW.metadata -> 'size') = 'number' THEN NEW.metadata -> 'size' END,
            'etag', left(NEW.metadata ->> 'eTag', 256), 'type', left(NEW.metadata ->> 'mimetype', 256)));
    END IF;
    EXECUTE format('INSERT INTO %I.object_events (webhook, event)'
            ' SELECT w.item ->> ''name'', e.event FROM unnest($2) e(event) CROSS JOIN'
            ' (SELECT i.item FROM jsonb_array_elements($1) i(item) LIMIT 5) w'
            ' WHERE jsonb_typeof(w.item -> ''name'') = ''string'''
            ' AND coalesce(w.item ->> ''bucket'', e.event ->> ''bucket'') = e.event ->> ''bucket'''
            ' AND starts_with(e.event ->> ''name'', coalesce(w.item ->> ''prefix'', ''''))'
            ' AND (w.item -> ''events'' @> (e.event -> ''event'')'
            ' OR w.item -> ''events'' @> to_jsonb(split_part(e.event ->> ''event'', '':'', 1) || '':*''))',
            TG_TABLE_SCHEMA)
        USING webhooks::jsonb, events;
    RETURN NULL;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.storage_queue_events() FROM PUBLIC;

--@ function svc_functions.storage_protect_content()
-- A trigger after each row of storage.objects that is written: which bytes a row names, and how many they are, the service
-- alone says. A caller who could would read what no policy shows it, have it deleted, or count its files for nothing.
CREATE OR REPLACE FUNCTION svc_functions.storage_protect_content() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    -- session_user decides, which no tenant can choose; in maintenance, where it is a superuser, the role with whose rights it runs.
    IF session_user::text !~ '^proj_[0-9a-f]{32}_system$'
        AND (session_user::text ~ '^proj_[0-9a-f]{32}_' OR current_user::text ~ '^proj_[0-9a-f]{32}_')
    THEN
        IF TG_OP = 'INSERT' AND NEW.version IS NOT NULL
            OR TG_OP = 'UPDATE' AND (NEW.version IS DISTINCT FROM OLD.version
                OR NEW.metadata -> 'size' IS DISTINCT FROM OLD.metadata -> 'size')
        THEN
            RAISE EXCEPTION USING
                ERRCODE = 'insufficient_privilege',
                MESSAGE = 'The version and the size of a file are written by the Storage API alone.';
        END IF;
    END IF;
    RETURN NULL;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.storage_protect_content() FROM PUBLIC;

--@ function svc_functions.realtime_topic()
CREATE OR REPLACE FUNCTION svc_functions.realtime_topic() RETURNS text LANGUAGE sql STABLE
RETURN nullif(current_setting('realtime.topic', true), '');
ALTER FUNCTION svc_functions.realtime_topic() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_topic() TO PUBLIC;

--@ function svc_functions.realtime_schema_alias(text)
-- What applications call a schema of the session's project.
CREATE OR REPLACE FUNCTION svc_functions.realtime_schema_alias(schema text) RETURNS text LANGUAGE sql STABLE
RETURN CASE
    WHEN schema = substr(session_user::text, 1, 37) THEN 'public'
    WHEN starts_with(schema, substr(session_user::text, 1, 37) || '__') THEN substr(schema, 40)
    ELSE schema END;
ALTER FUNCTION svc_functions.realtime_schema_alias(text) OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_schema_alias(text) TO PUBLIC;

--@ function svc_functions.realtime_insert(uuid,text,text,jsonb,bytea,boolean)
-- With the rights of the caller, whose policies decide; the project is the session's, which no tenant can choose. A message
-- that cannot be sent never fails the transaction that it is about.
CREATE OR REPLACE FUNCTION svc_functions.realtime_insert(
    id uuid, topic text, event text, payload jsonb, binary_payload bytea, private boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' THEN
        RAISE EXCEPTION 'the session belongs to no project';
    END IF;
    PERFORM set_config('realtime.topic', coalesce(topic, ''), true);
    EXECUTE format(
        'INSERT INTO %I.messages (id, topic, event, payload, binary_payload, private, extension) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        svc_statements.companion_schema(substr(session_user::text, 1, 37), 'realtime'))
        USING id, topic, event, payload, binary_payload, coalesce(private, true), 'broadcast';
EXCEPTION WHEN OTHERS THEN
    RAISE WARNING 'WarnSendingBroadcastMessage: %', SQLERRM;
END $body$;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_insert(uuid, text, text, jsonb, bytea, boolean) TO PUBLIC;

--@ function svc_functions.realtime_send(jsonb,text,text,boolean)
CREATE OR REPLACE FUNCTION svc_functions.realtime_send(payload jsonb, event text, topic text, private boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    id constant uuid := gen_random_uuid();
BEGIN
    PERFORM svc_functions.realtime_insert(
        id, topic, event,
        CASE WHEN jsonb_typeof(payload) = 'object' AND payload -> 'id' IS NULL
            THEN jsonb_set(payload, ARRAY['id'], to_jsonb(id)) ELSE payload END,
        NULL, private);
END $body$;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_send(jsonb, text, text, boolean) TO PUBLIC;

--@ function svc_functions.realtime_send_binary(bytea,text,text,boolean)
CREATE OR REPLACE FUNCTION svc_functions.realtime_send_binary(payload bytea, event text, topic text, private boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_functions.realtime_insert(gen_random_uuid(), topic, event, NULL, payload, private);
END $body$;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_send_binary(bytea, text, text, boolean) TO PUBLIC;

--@ function svc_functions.require_size(text,text,integer)
CREATE OR REPLACE FUNCTION svc_functions.require_size(named text, given text, most integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF octet_length(given) > most THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = format('%s is longer than %s bytes', named, most);
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_functions.require_size(text, text, integer) TO PUBLIC;

--@ function svc_functions.require_plain(text,jsonb,integer)
-- JSON that every reader of it can bear: not long, not deep, no endless key or number.
CREATE OR REPLACE FUNCTION svc_functions.require_plain(named text, given jsonb, most integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_functions.require_size(named, given::text, most);
    IF jsonb_path_exists(given, '$.**{100}')
        OR jsonb_path_exists(given, '$.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "^(.{250}){4}")')
        OR given::text ~ '([0-9]{250}){4}'
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = format('%s is nested deeper than 100 levels, or has a key or number of 1000 characters', named);
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_functions.require_plain(text, jsonb, integer) TO PUBLIC;

--@ function svc_functions.keep_user()
-- Before a row of auth.users is written by anyone but the auth service: by the owner's scripts and functions. What the service
-- looks users up by gets the form in which it writes it; what it would have to carry around stays small; and no row makes its
-- user an administrator. What does not change is not judged: the service may have written it.
CREATE OR REPLACE FUNCTION svc_functions.keep_user() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF current_user::text ~ '^proj_[0-9a-f]{32}_system$' THEN
        RETURN NEW;
    END IF;
    NEW.email := nullif(lower(NEW.email), '');
    NEW.phone := nullif(ltrim(NEW.phone, '+'), '');
    NEW.aud := coalesce(nullif(NEW.aud, ''), 'authenticated');
    NEW.role := coalesce(nullif(NEW.role, ''), 'authenticated');
    IF NEW.role IS DISTINCT FROM OLD.role AND NEW.role IN ('service_role', 'supabase_admin') THEN
        RAISE EXCEPTION USING
            ERRCODE = 'check_violation',
            MESSAGE = format('a user cannot have the role %s', NEW.role),
            HINT = 'Put what a user may do into raw_app_meta_data, and read it in policies with auth.jwt().';
    END IF;
    IF NEW.email ~ '[[:space:][:cntrl:]]' OR NEW.email_change ~ '[[:space:][:cntrl:]]' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'check_violation',
            MESSAGE = 'an address has no blanks and no control characters';
    END IF;
    IF NEW.raw_app_meta_data IS DISTINCT FROM OLD.raw_app_meta_data THEN
        PERFORM svc_functions.require_plain('raw_app_meta_data', NEW.raw_app_meta_data, 262144);
    END IF;
    IF NEW.raw_user_meta_data IS DISTINCT FROM OLD.raw_user_meta_data THEN
        PERFORM svc_functions.require_plain('raw_user_meta_data', NEW.raw_user_meta_data, 262144);
    END IF;
    PERFORM svc_functions.require_size('phone', NEW.phone, 255);
    PERFORM svc_functions.require_size('phone_change', NEW.phone_change, 255);
    RETURN NEW;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.keep_user() FROM PUBLIC;

--@ function svc_functions.keep_identity()
-- The same for auth.identities: every answer about a user carries all of its identities.
CREATE OR REPLACE FUNCTION svc_functions.keep_identity() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    others bigint;
BEGIN
    IF current_user::text ~ '^proj_[0-9a-f]{32}_system$' THEN
        RETURN NEW;
    END IF;
    IF NEW.identity_data IS DISTINCT FROM OLD.identity_data THEN
        PERFORM svc_functions.require_plain('identity_data', NEW.identity_data, 65536);
    END IF;
    PERFORM svc_functions.require_size('provider', NEW.provider, 255);
    PERFORM svc_functions.require_size('provider_id', NEW.provider_id, 1024);
    EXECUTE format('SELECT count(*) FROM %I.%I i WHERE i.user_id = $1 AND i.id <> $2', TG_TABLE_SCHEMA, TG_TABLE_NAME)
        INTO others USING NEW.user_id, NEW.id;
    IF others >= 20 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a user has at most 20 identities';
    END IF;
    RETURN NEW;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.keep_identity() FROM PUBLIC;
