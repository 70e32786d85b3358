-- A project's further schemas: CREATE, ALTER, COMMENT ON and DROP SCHEMA and GRANT ON SCHEMA, for which PostgreSQL asks for
-- rights on the database and for the schema's owner; and COMMENT ON of the main schema. The SQL gate sends a call of one of
-- these instead of the statement.
--
-- Hazards that shape this file:
--   * Those of statements.sql: tenants can call all of it with any arguments, and only session_user says who they are.
--   * A schema is the project's when its name is (schema_of), so a name is judged before anything is made of it. Here names
--     come as applications write them; those of other projects, of companions and of the platform cannot be written so.
--   * Between the mark in exempt_command and its end runs one command, and no code of the tenant.
--   * GRANT to PUBLIC would let the logins of all projects in.

--@ function svc_guard.require_schema_name(text)
-- For a schema that is made or gets a name.
CREATE OR REPLACE FUNCTION svc_guard.require_schema_name(schema_alias text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF schema_alias IN ('public', 'auth', 'storage', 'realtime', 'extensions', 'information_schema', 'graphql', 'graphql_public',
                 'cron', 'net', 'supabase_functions', 'vault')
        OR schema_alias ~ '^(pg|svc|proj)_'
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'reserved_name',
            MESSAGE = format('unacceptable schema name "%s"', schema_alias),
            DETAIL = 'The platform uses this name, or may come to use it.',
            HINT = 'Choose another name.';
    ELSIF (schema_alias COLLATE "C" ~ '^[a-z_][a-z0-9_]{0,23}$') IS NOT TRUE THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_name',
            MESSAGE = format('unacceptable schema name %s', coalesce('"' || left(schema_alias, 63) || '"', 'NULL')),
            HINT = 'A schema name has 1 to 24 characters: a to z, digits, underscores, and no digit at its beginning.';
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_schema_name(text) FROM PUBLIC;

--@ function svc_guard.require_schema(text)
-- The quoted real name of a further schema of the session's project.
CREATE OR REPLACE FUNCTION svc_guard.require_schema(schema_alias text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    actual name;
BEGIN
    SELECT f.nspname INTO actual FROM svc_guard.further_schemas(own) f WHERE f.alias = require_schema.schema_alias;
    IF actual IS NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_schema_name',
            MESSAGE = format('schema "%s" does not exist', coalesce(left(schema_alias, 63), 'NULL'));
    END IF;
    RETURN quote_ident(actual);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_schema(text) FROM PUBLIC;

--@ function svc_guard.run_on_schema(text)
CREATE OR REPLACE FUNCTION svc_guard.run_on_schema(command text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    INSERT INTO svc_guard.exempt_command (backend) VALUES (pg_backend_pid());
    EXECUTE command;
    DELETE FROM svc_guard.exempt_command WHERE backend = pg_backend_pid();
END $body$;
REVOKE ALL ON FUNCTION svc_guard.run_on_schema(text) FROM PUBLIC;

--@ function svc_statements.make_schema(text,boolean)
-- The main schema's rights for the owner. Others get none but EXECUTE on functions, which PostgreSQL gives to PUBLIC: what a
-- policy calls there works without a grant, and USAGE on the schema decides who can name it.
CREATE OR REPLACE FUNCTION svc_statements.make_schema(schema_alias text, if_not_exists boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    actual text;
BEGIN
    PERFORM svc_guard.require_schema_name(schema_alias);
    actual := svc_guard.schema_of(own, schema_alias);
    -- Two that count at once would both find room.
    PERFORM pg_advisory_xact_lock(hashtextextended('schemas of ' || own, 0));
    IF EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = actual::name) THEN
        IF if_not_exists THEN
            RAISE NOTICE 'schema "%" already exists, skipping', schema_alias;
            RETURN actual;
        END IF;
        RAISE EXCEPTION USING ERRCODE = 'duplicate_schema', MESSAGE = format('schema "%s" already exists', schema_alias);
    END IF;
    -- Those of queues, which an extension asks for, have their place besides.
    IF schema_alias NOT IN ('pgmq', 'pgmq_public')
        AND (SELECT count(*) FROM svc_guard.further_schemas(own) f WHERE f.alias NOT IN ('pgmq', 'pgmq_public')) >= 20
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a project may have 20 schemas of its own',
            HINT = 'Drop one that is not needed, or put the tables into one of the others.';
    END IF;
    PERFORM svc_guard.run_on_schema(format('CREATE SCHEMA %I AUTHORIZATION svc_companion', actual));
    EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO %I', actual, own || '_owner');
    EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT EXECUTE ON FUNCTIONS TO %I, %I, %I',
        own || '_owner', actual, own || '_anon', own || '_authenticated', own || '_service');
    RETURN actual;
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.make_schema(text, boolean) TO PUBLIC;

--@ function svc_statements.create_schema(text,boolean,text[])
-- With the elements of CREATE SCHEMA, which run with the caller's rights, unqualified names in the new schema first.
CREATE OR REPLACE PROCEDURE svc_statements.create_schema(schema_alias text, if_not_exists boolean, elements text[])
LANGUAGE plpgsql AS $body$
DECLARE
    path constant text := pg_catalog.current_setting('search_path');
    actual constant text := svc_statements.make_schema(schema_alias, if_not_exists);
    element text;
BEGIN
    IF pg_catalog.cardinality(elements) OPERATOR(pg_catalog.>) 0 THEN
        PERFORM pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', pg_catalog.quote_ident(actual),
            CASE WHEN pg_catalog.length(path) OPERATOR(pg_catalog.>) 0 THEN path END), true);
        FOREACH element IN ARRAY elements LOOP
            EXECUTE element;
        END LOOP;
        PERFORM pg_catalog.set_config('search_path', path, true);
    END IF;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.create_schema(text, boolean, text[]) TO PUBLIC;

--@ function svc_statements.drop_schemas(text[],boolean,boolean)
CREATE OR REPLACE PROCEDURE svc_statements.drop_schemas(aliases text[], if_exists boolean, with_objects boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    named text;
    targets text;
BEGIN
    FOREACH named IN ARRAY aliases LOOP
        IF if_exists AND NOT EXISTS (SELECT FROM svc_guard.further_schemas(own) f WHERE f.alias = named) THEN
            RAISE NOTICE 'schema "%" does not exist, skipping', named;
        ELSE
            targets := concat_ws(', ', targets, svc_guard.require_schema(named));
        END IF;
    END LOOP;
    IF targets IS NOT NULL THEN
        PERFORM svc_guard.run_on_schema(
            format('DROP SCHEMA %s %s', targets, CASE WHEN with_objects THEN 'CASCADE' ELSE 'RESTRICT' END));
    END IF;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.drop_schemas(text[], boolean, boolean) TO PUBLIC;

--@ function svc_statements.rename_schema(text,text)
CREATE OR REPLACE PROCEDURE svc_statements.rename_schema(schema_alias text, new_alias text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    actual constant text := svc_guard.require_schema(schema_alias);
    new_name text;
BEGIN
    PERFORM svc_guard.require_schema_name(new_alias);
    -- They do not count among the schemas of a project: under another name one would.
    IF schema_alias IN ('pgmq', 'pgmq_public') OR new_alias IN ('pgmq', 'pgmq_public') THEN
        RAISE EXCEPTION USING ERRCODE = 'reserved_name', MESSAGE = 'the schemas pgmq and pgmq_public keep their names';
    END IF;
    new_name := svc_guard.schema_of(svc_guard.require_owner(), new_alias);
    IF EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = new_name::name) THEN
        RAISE EXCEPTION USING ERRCODE = 'duplicate_schema', MESSAGE = format('schema "%s" already exists', new_alias);
    END IF;
    PERFORM svc_guard.run_on_schema(format('ALTER SCHEMA %s RENAME TO %I', actual, new_name));
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.rename_schema(text, text) TO PUBLIC;

--@ function svc_statements.comment_on_schema(text,text)
-- Also of the main schema. There the platform's note stays behind the comment: without it the next run of the operator would
-- give the first default privileges again, which the tenant may have revoked.
CREATE OR REPLACE PROCEDURE svc_statements.comment_on_schema(schema_alias text, comment text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    note constant text := substring(obj_description(to_regnamespace(own), 'pg_namespace')
        FROM 'svc: default privileges given$');
BEGIN
    IF schema_alias = 'public' THEN
        PERFORM svc_guard.run_on_schema(format('COMMENT ON SCHEMA %I IS %L', own,
            nullif(concat_ws(E'\n', nullif(comment, ''), note), '')));
    ELSE
        PERFORM svc_guard.run_on_schema(
            format('COMMENT ON SCHEMA %s IS %L', svc_guard.require_schema(schema_alias), comment));
    END IF;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.comment_on_schema(text, text) TO PUBLIC;

--@ function svc_statements.keep_schema(text)
-- For a change of owner to what the owner is.
CREATE OR REPLACE PROCEDURE svc_statements.keep_schema(schema_alias text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_guard.require_schema(schema_alias);
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.keep_schema(text) TO PUBLIC;

--@ function svc_statements.grant_on_schemas(text[],text[],boolean)
-- USAGE, the one right on a schema that is not the owner's alone.
CREATE OR REPLACE PROCEDURE svc_statements.grant_on_schemas(aliases text[], roles text[], given boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    named text;
    actual text;
    grantee text;
BEGIN
    FOREACH named IN ARRAY aliases LOOP
        actual := svc_guard.require_schema(named);
        FOREACH grantee IN ARRAY roles LOOP
            IF (grantee IN (own || '_anon', own || '_authenticated', own || '_service', own || '_api', own || '_system'))
                IS NOT TRUE
            THEN
                RAISE EXCEPTION USING
                    ERRCODE = 'insufficient_privilege',
                    MESSAGE = format('role "%s" does not belong to this project', grantee),
                    HINT = 'Grant USAGE to anon, authenticated or service_role of the project.';
            END IF;
            EXECUTE format(CASE WHEN given THEN 'GRANT USAGE ON SCHEMA %s TO %I' ELSE 'REVOKE USAGE ON SCHEMA %s FROM %I' END,
                actual, grantee);
        END LOOP;
    END LOOP;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.grant_on_schemas(text[], text[], boolean) TO PUBLIC;
