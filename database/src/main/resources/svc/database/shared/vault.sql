-- Secrets of a project, as Supabase's vault has them. A row keeps the sealed text; the key is the project's, and PostgreSQL never stores it:
-- the platform derives it, and gives it to each session of the project's logins when it begins, as svc.vault_key.
--
-- Hazards that shape this file:
--   * The table belongs to the platform and has the rows of all projects. The views are filtered by session_user, which no tenant can choose,
--     and by current_user, which in a view is the role that reads it: the owner, or a SECURITY DEFINER function of the owner.
--   * A right to change a view as a whole is a right to LOCK it, and with it the table of all projects. So nothing is granted but SELECT and
--     columns, and a row is deleted by an update (delete_secret).
--   * security_barrier keeps a tenant's leaky function from rows of others. What unseals runs with the reader's rights, after the filter.
--   * Every function runs with the rights of its caller and calls only functions of the allow-list and of pgcrypto.
--   * A setting is text that code of the session can read: the key is worth what the project's own secrets are, and nothing else.

--@ table svc_vault.secret
CREATE TABLE IF NOT EXISTS svc_vault.secret (
    schema_name text NOT NULL DEFAULT pg_catalog.substr(session_user::text, 1, 37),
    id uuid NOT NULL,
    name text,
    description text NOT NULL DEFAULT '',
    secret text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    updated_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (schema_name, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS secret_name ON svc_vault.secret (schema_name, name);
REVOKE ALL ON svc_vault.secret FROM PUBLIC;

--@ function svc_guard.keep_secret()
-- A trigger on the table: how much a project may keep. A row whose text becomes null is deleted.
CREATE OR REPLACE FUNCTION svc_guard.keep_secret() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.secret IS NULL THEN
        DELETE FROM svc_vault.secret s WHERE s.schema_name = OLD.schema_name AND s.id = OLD.id;
        RETURN NULL;
    END IF;
    IF octet_length(NEW.secret) > 90000 OR octet_length(NEW.name) > 512 OR octet_length(NEW.description) > 4096 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a secret has 64 KB at most, its name 512 bytes, its description 4096';
    END IF;
    IF TG_OP = 'INSERT' THEN
        -- Two that count at once would both find room.
        PERFORM pg_advisory_xact_lock(hashtextextended('secrets of ' || NEW.schema_name, 0));
        IF (SELECT count(*) FROM svc_vault.secret s WHERE s.schema_name = NEW.schema_name) >= 1000 THEN
            RAISE EXCEPTION USING
                ERRCODE = 'program_limit_exceeded', MESSAGE = 'a project may have 1000 secrets',
                HINT = 'Delete those that are not needed from vault.secrets.';
        END IF;
        PERFORM svc_guard.note_extension(NEW.schema_name, 'supabase_vault');
    END IF;
    RETURN NEW;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.keep_secret() FROM PUBLIC;
CREATE OR REPLACE TRIGGER svc_keep BEFORE INSERT OR UPDATE ON svc_vault.secret
    FOR EACH ROW EXECUTE FUNCTION svc_guard.keep_secret();

--@ view svc_vault.own_secret
-- What create_secret and update_secret write. A row that the reader may not see cannot be written either.
-- Hazard: the server checks that after the unique index, whose answer would tell of another project's names. So there is no column for the
-- project: its default is the session's.
CREATE OR REPLACE VIEW svc_vault.own_secret WITH (security_barrier) AS
SELECT s.id, s.name, s.description, s.secret, s.created_at, s.updated_at
FROM svc_vault.secret s
WHERE s.schema_name = substr(session_user::text, 1, 37)
  AND current_user IN (s.schema_name || '_owner', s.schema_name || '_service')
WITH CASCADED CHECK OPTION;
GRANT SELECT, INSERT (id, name, description, secret), UPDATE (name, description, secret, updated_at)
    ON svc_vault.own_secret TO PUBLIC;

--@ view svc_vault.secrets
CREATE OR REPLACE VIEW svc_vault.secrets WITH (security_barrier) AS
SELECT s.id, s.name, s.description, s.secret, NULL::uuid AS key_id, NULL::bytea AS nonce, s.created_at, s.updated_at
FROM svc_vault.secret s
WHERE s.schema_name = substr(session_user::text, 1, 37)
  AND current_user IN (s.schema_name || '_owner', s.schema_name || '_service');
GRANT SELECT ON svc_vault.secrets TO PUBLIC;

--@ function svc_vault.session_key(text)
-- The key of a version, or the newest: the setting has version:hex, separated by commas, the newest first.
CREATE OR REPLACE FUNCTION svc_vault.session_key(wanted text, OUT version text, OUT key bytea)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    held constant text := coalesce(current_setting('svc.vault_key', true), '');
    item text;
BEGIN
    IF to_regproc('extensions.encrypt_iv') IS NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'feature_not_supported', MESSAGE = 'the vault needs the extension pgcrypto, which this server does not have',
            HINT = 'An administrator of the server installs the package of PostgreSQL''s contrib modules.';
    ELSIF held !~ '^[0-9]+:[0-9a-f]{64}(,[0-9]+:[0-9a-f]{64})*$' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = 'this session has no key of the vault',
            DETAIL = 'The platform gives it to the sessions of the project when they begin.';
    END IF;
    FOREACH item IN ARRAY string_to_array(held, ',') LOOP
        IF wanted IS NULL OR split_part(item, ':', 1) = wanted THEN
            version := split_part(item, ':', 1);
            key := decode(split_part(item, ':', 2), 'hex');
            RETURN;
        END IF;
    END LOOP;
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.session_key(text) TO PUBLIC;

--@ function svc_vault.authentication_of(text,uuid,bytea,bytea)
-- Over the version and the row too, so that no sealed text passes for that of another row.
CREATE OR REPLACE FUNCTION svc_vault.authentication_of(version text, id uuid, body bytea, key bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN extensions.hmac(convert_to(version || ':' || id::text || ':', 'UTF8') || body,
        extensions.hmac('svc vault authentication'::bytea, key, 'sha256'), 'sha256');
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.authentication_of(text, uuid, bytea, bytea) TO PUBLIC;

--@ function svc_vault.seal(uuid,text)
-- AES-256 in CBC mode with a random vector, then HMAC-SHA256 over all of it, under two keys of the session's: version:base64.
CREATE OR REPLACE FUNCTION svc_vault.seal(id uuid, plain text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    held record;
    vector bytea;
    body bytea;
BEGIN
    IF octet_length(plain) > 65536 THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded', MESSAGE = 'a secret has 64 KB at most';
    END IF;
    held := svc_vault.session_key(NULL);
    vector := extensions.gen_random_bytes(16);
    body := vector || extensions.encrypt_iv(convert_to(plain, 'UTF8'),
        extensions.hmac('svc vault encryption'::bytea, held.key, 'sha256'), vector, 'aes-cbc/pad:pkcs');
    RETURN held.version || ':'
        || translate(encode(svc_vault.authentication_of(held.version, id, body, held.key) || body, 'base64'), E'\n', '');
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.seal(uuid, text) TO PUBLIC;

--@ function svc_vault.unseal(uuid,text)
-- Null for a text that is not of this row. One that was sealed under a key that the session does not have is an error: it may be a key that
-- is newer than the session, and nothing may be sent with an empty secret.
CREATE OR REPLACE FUNCTION svc_vault.unseal(id uuid, sealed text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    held record;
    whole bytea;
BEGIN
    IF sealed !~ '^[0-9]+:[A-Za-z0-9+/=]+$' THEN
        RETURN NULL;
    END IF;
    held := svc_vault.session_key(split_part(sealed, ':', 1));
    IF held.key IS NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'object_not_in_prerequisite_state',
            MESSAGE = format('this session does not have version %s of the key of the vault', split_part(sealed, ':', 1)),
            HINT = 'Try again in a new session. A master key that was taken away is needed until every secret was updated.';
    END IF;
    whole := decode(split_part(sealed, ':', 2), 'base64');
    IF length(whole) < 64
        OR substr(whole, 1, 32) <> svc_vault.authentication_of(held.version, id, substr(whole, 33), held.key)
    THEN
        RETURN NULL;
    END IF;
    RETURN convert_from(extensions.decrypt_iv(substr(whole, 49),
        extensions.hmac('svc vault encryption'::bytea, held.key, 'sha256'), substr(whole, 33, 16), 'aes-cbc/pad:pkcs'), 'UTF8');
EXCEPTION WHEN invalid_parameter_value OR external_routine_exception OR external_routine_invocation_exception THEN
    RETURN NULL;
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.unseal(uuid, text) TO PUBLIC;

--@ view svc_vault.decrypted_secrets
-- The owner's, and service_role's.
CREATE OR REPLACE VIEW svc_vault.decrypted_secrets WITH (security_barrier) AS
SELECT s.id, s.name, s.description, s.secret, svc_vault.unseal(s.id, s.secret) AS decrypted_secret,
       NULL::uuid AS key_id, NULL::bytea AS nonce, s.created_at, s.updated_at
FROM svc_vault.secret s
WHERE s.schema_name = substr(session_user::text, 1, 37)
  AND current_user IN (s.schema_name || '_owner', s.schema_name || '_service');
GRANT SELECT ON svc_vault.decrypted_secrets TO PUBLIC;

--@ function svc_vault.require_writer()
CREATE OR REPLACE FUNCTION svc_vault.require_writer() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := substr(session_user::text, 1, 37);
BEGIN
    IF current_user::text NOT IN (own || '_owner', own || '_service') THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege', MESSAGE = 'permission denied for schema vault',
            HINT = 'Secrets are written by the owner, by its SECURITY DEFINER functions, and by service_role.';
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.require_writer() TO PUBLIC;

--@ function svc_vault.create_secret(text,text,text,uuid)
CREATE OR REPLACE FUNCTION svc_vault.create_secret(
    new_secret text, new_name text DEFAULT NULL, new_description text DEFAULT '', new_key_id uuid DEFAULT NULL) RETURNS uuid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    made constant uuid := gen_random_uuid();
BEGIN
    PERFORM svc_vault.require_writer();
    INSERT INTO svc_vault.own_secret (id, name, description, secret)
    VALUES (made, new_name, coalesce(new_description, ''), svc_vault.seal(made, coalesce(new_secret, '')));
    RETURN made;
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.create_secret(text, text, text, uuid) TO PUBLIC;

--@ function svc_vault.update_secret(uuid,text,text,text,uuid)
-- What is null stays. A text that stays is sealed again, under the newest key.
CREATE OR REPLACE FUNCTION svc_vault.update_secret(
    secret_id uuid, new_secret text DEFAULT NULL, new_name text DEFAULT NULL, new_description text DEFAULT NULL,
    new_key_id uuid DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_vault.require_writer();
    UPDATE svc_vault.own_secret s
    SET name = coalesce(new_name, s.name), description = coalesce(new_description, s.description),
        secret = coalesce(svc_vault.seal(s.id, coalesce(new_secret, svc_vault.unseal(s.id, s.secret))), s.secret), updated_at = now()
    WHERE s.id = secret_id;
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.update_secret(uuid, text, text, text, uuid) TO PUBLIC;

--@ function svc_vault.delete_secret(uuid)
-- For DELETE FROM vault.secrets, which would need a right to lock the secrets of all projects.
CREATE OR REPLACE FUNCTION svc_vault.delete_secret(secret_id uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_vault.require_writer();
    UPDATE svc_vault.own_secret s SET secret = NULL WHERE s.id = secret_id;
END $body$;
GRANT EXECUTE ON FUNCTION svc_vault.delete_secret(uuid) TO PUBLIC;
