-- Extensions that a project has by itself: their functions exist once for all projects, in schemas of the platform, and their rows
-- are the project's. CREATE and DROP EXTENSION of one change a row of the registry; the SQL gate sends a call of a procedure.
--
-- Hazards that shape this file:
--   * Those of statements.sql: tenants can call all of it with any arguments, and only session_user says who they are.
--   * What an extension keeps for a project stands in tables of the platform, one row per project and thing, with a column
--     schema_name. A table that is not listed in platform_extension outlives the project.

--@ table svc_guard.project_extension
-- What CREATE EXTENSION, or the first use, has noted.
CREATE TABLE IF NOT EXISTS svc_guard.project_extension (
    schema_name text NOT NULL,
    extname name NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (schema_name, extname)
);
REVOKE ALL ON svc_guard.project_extension FROM PUBLIC;

--@ view svc_guard.platform_extension
-- Which there are, with the version whose functions they have. DROP EXTENSION without CASCADE fails while the project has rows in one
-- of the tables "kept"; those in "passing" go with it.
CREATE OR REPLACE VIEW svc_guard.platform_extension AS
SELECT e.oid, e.extname, e.extversion, e.kept, e.passing
FROM (VALUES
    (11::oid, 'pgmq'::name, '1.5.1', '{}'::text[], '{}'::text[]),
    (12::oid, 'supabase_vault'::name, '0.3.1', '{svc_vault.secret}'::text[], '{}'::text[]),
    (13::oid, 'pg_cron'::name, '1.6', '{svc_cron.stored_job}'::text[], '{svc_cron.stored_run}'::text[]),
    (14::oid, 'pg_net'::name, '0.14.0', '{}'::text[], '{svc_net.queued_request,svc_net.stored_response}'::text[])
) AS e (oid, extname, extversion, kept, passing);
REVOKE ALL ON svc_guard.platform_extension FROM PUBLIC;

--@ function svc_guard.note_extension(text,text)
-- For functions of the platform that a project uses without CREATE EXTENSION.
CREATE OR REPLACE FUNCTION svc_guard.note_extension(own text, extension text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $body$
    INSERT INTO svc_guard.project_extension (schema_name, extname) VALUES (own, extension) ON CONFLICT DO NOTHING;
$body$;
REVOKE ALL ON FUNCTION svc_guard.note_extension(text, text) FROM PUBLIC;

--@ function svc_statements.register_extension(text)
CREATE OR REPLACE FUNCTION svc_statements.register_extension(extension text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
BEGIN
    -- A database of one project has not all of them.
    IF NOT EXISTS (
        SELECT FROM svc_guard.platform_extension p
        WHERE p.extname = extension
          AND NOT EXISTS (SELECT FROM unnest(p.kept || p.passing) k (name) WHERE to_regclass(k.name) IS NULL))
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'feature_not_supported',
            MESSAGE = format('extension "%s" is not available', left(extension, 63));
    END IF;
    PERFORM svc_guard.note_extension(own, extension);
    IF extension = 'pgmq' AND to_regnamespace(quote_ident(svc_statements.further_schema(own, extension))) IS NULL THEN
        PERFORM svc_statements.make_schema(extension, true);
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.register_extension(text) TO PUBLIC;

--@ function svc_statements.create_extension(text)
-- With the caller's rights, so that the list of queues belongs to the project's owner. One that is there already is no error, as for
-- the extensions that every project has.
CREATE OR REPLACE PROCEDURE svc_statements.create_extension(extension text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_statements.register_extension(extension);
    IF extension = 'pgmq' THEN
        PERFORM svc_pgmq.make_meta();
    END IF;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.create_extension(text) TO PUBLIC;

--@ function svc_statements.refuse_extension(text,text)
-- When the statement is reached, and not before: a migration may stand in a block that catches it.
CREATE OR REPLACE PROCEDURE svc_statements.refuse_extension(extension text, hint text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'feature_not_supported',
        MESSAGE = format('extension "%s" is not available', left(extension, 63)),
        HINT = left(coalesce(hint, ''), 1000);
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.refuse_extension(text, text) TO PUBLIC;

--@ function svc_guard.extension_in_use(text,text)
-- Whether DROP EXTENSION would take along what the project has put there.
CREATE OR REPLACE FUNCTION svc_guard.extension_in_use(own text, extension text) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    schema_name constant text := svc_guard.schema_of(own, extension);
    kept_table text;
    in_use boolean;
BEGIN
    FOR kept_table IN
        SELECT k.name FROM svc_guard.platform_extension p CROSS JOIN LATERAL unnest(p.kept) k (name)
        WHERE p.extname = extension AND to_regclass(k.name) IS NOT NULL
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s t WHERE t.schema_name = $1)', kept_table::regclass) INTO in_use USING own;
        IF in_use THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN extension = 'pgmq' AND EXISTS (
        SELECT FROM pg_depend d
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = to_regnamespace(quote_ident(schema_name)) AND d.deptype = 'n'
          AND (d.classid <> 'pg_class'::regclass OR d.objid IS DISTINCT FROM to_regclass(format('%I.meta', schema_name))::oid));
END $body$;
REVOKE ALL ON FUNCTION svc_guard.extension_in_use(text, text) FROM PUBLIC;

--@ function svc_guard.forget_extension(text,text)
-- The rows that an extension keeps for a project.
CREATE OR REPLACE FUNCTION svc_guard.forget_extension(own text, extension text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    kept_table text;
BEGIN
    FOR kept_table IN
        SELECT k.name FROM svc_guard.platform_extension p CROSS JOIN LATERAL unnest(p.kept || p.passing) k (name)
        WHERE p.extname = extension AND to_regclass(k.name) IS NOT NULL
    LOOP
        EXECUTE format('DELETE FROM %s t WHERE t.schema_name = $1', kept_table::regclass) USING own;
    END LOOP;
    DELETE FROM svc_guard.project_extension e WHERE e.schema_name = own AND e.extname = extension;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.forget_extension(text, text) FROM PUBLIC;

--@ function svc_guard.forget_extensions(text)
-- For a project that is deleted.
CREATE OR REPLACE FUNCTION svc_guard.forget_extensions(own text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_guard.forget_extension(own, p.extname) FROM svc_guard.platform_extension p;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.forget_extensions(text) FROM PUBLIC;

--@ function svc_statements.drop_extensions(text[],boolean,boolean)
CREATE OR REPLACE PROCEDURE svc_statements.drop_extensions(extensions text[], if_exists boolean, with_objects boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    named text;
BEGIN
    FOREACH named IN ARRAY extensions LOOP
        IF NOT EXISTS (SELECT FROM svc_guard.project_extension e WHERE e.schema_name = own AND e.extname = named) THEN
            IF if_exists IS NOT TRUE THEN
                RAISE EXCEPTION USING
                    ERRCODE = 'undefined_object', MESSAGE = format('extension "%s" does not exist', left(named, 63));
            END IF;
            RAISE NOTICE 'extension "%" does not exist, skipping', left(named, 63);
            CONTINUE;
        END IF;
        IF with_objects IS NOT TRUE AND svc_guard.extension_in_use(own, named) THEN
            RAISE EXCEPTION USING
                ERRCODE = 'dependent_objects_still_exist',
                MESSAGE = format('cannot drop extension %s because the project has rows or tables of it', named),
                HINT = 'Use DROP EXTENSION ... CASCADE to remove them too.';
        END IF;
        -- By the list: in a database of one project, a schema of that name may be another's.
        IF named = 'pgmq' AND EXISTS (SELECT FROM svc_guard.further_schemas(own) f WHERE f.alias = named) THEN
            PERFORM svc_guard.run_on_schema(format('DROP SCHEMA %I CASCADE', svc_guard.schema_of(own, named)));
        END IF;
        PERFORM svc_guard.forget_extension(own, named);
    END LOOP;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.drop_extensions(text[], boolean, boolean) TO PUBLIC;
