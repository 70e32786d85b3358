-- What stands behind statements that a tenant may write and its own rights do not reach: policies and triggers on the
-- companions' tables, and the realtime publication. The SQL gate sends a call of one of these instead of the statement.
--
-- Hazards that shape this file:
--   * Tenants can call all of it with any arguments, from dynamic SQL: nothing here trusts what the gate has checked.
--   * The project is judged by session_user alone, and only its owner's login passes.
--   * What runs with a superuser's rights has a pinned search_path, qualified names, and no backslash in any literal.
--   * A condition of a policy is text. Put into CREATE POLICY as a superuser it could close the parenthesis and go on with
--     statements of its own, and its constants would be read by input functions, which run the CHECK of a tenant's domain
--     with a superuser's rights. So it is read with the tenant's own rights first, as the WHERE of a view of its own; what
--     the superuser uses is the server's own writing of that view, and only when no type in it has code of the tenant.

--@ function svc_guard.require_owner()
CREATE OR REPLACE FUNCTION svc_guard.require_owner() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_owner$' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'only the owner of a project may do this',
            HINT = 'Use POST /v1/projects/{ref}/database/query.';
    END IF;
    PERFORM svc_guard.refuse_taken_role();
    RETURN substr(session_user::text, 1, 37);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_owner() FROM PUBLIC;

--@ function svc_guard.companion_table(text)
-- The qualified, quoted name of a table of the session's own companions.
CREATE OR REPLACE FUNCTION svc_guard.companion_table(relation text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    service constant text := CASE relation
        WHEN 'users' THEN 'auth' WHEN 'objects' THEN 'storage' WHEN 'buckets' THEN 'storage'
        WHEN 'messages' THEN 'realtime' END;
BEGIN
    IF service IS NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('table %L of the platform is closed to changes', relation);
    END IF;
    RETURN format('%I.%I', svc_statements.companion_schema(own, service), relation);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.companion_table(text) FROM PUBLIC;

--@ function svc_guard.require_own_name(text,text)
-- Policies and triggers of the platform's own begin with svc_.
CREATE OR REPLACE FUNCTION svc_guard.require_own_name(kind text, name text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF name IS NULL OR left(name, 4) = 'svc_' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('%s %s belongs to the platform', kind, coalesce(quote_ident(name), 'without a name')),
            HINT = 'Names that begin with svc_ are the platform''s on its tables.';
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_own_name(text, text) FROM PUBLIC;

--@ function svc_guard.policy_condition(text,text)
-- The condition of the view svc_policy_<part> in the session's own schema, as the server writes it: whole tokens with
-- balanced parentheses, whatever view the tenant has put there.
CREATE OR REPLACE FUNCTION svc_guard.policy_condition(part text, companion_table text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    head constant text := format(' SELECT%s   FROM %s%s  WHERE', chr(10), companion_table, chr(10));
    condition_view oid;
    definition text;
    foreign_type text;
BEGIN
    -- Against another session of the same tenant: the view may not be replaced between these reads of it.
    EXECUTE format('COMMENT ON VIEW %I.%I IS NULL', own, 'svc_policy_' || part);
    condition_view := to_regclass(format('%I.%I', own, 'svc_policy_' || part));
    -- Input functions of these run no code of the tenant: the server's types, those of extensions, enums.
    SELECT format_type(t.oid, NULL) INTO foreign_type
    FROM pg_rewrite r
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_type'::regclass
    JOIN pg_type t ON t.oid = d.refobjid
    LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
    WHERE r.ev_class = condition_view AND t.oid >= 16384
      AND t.typnamespace <> (SELECT n.oid FROM pg_namespace n WHERE n.nspname = 'extensions')
      AND coalesce(e.typtype, t.typtype) <> 'e'
    LIMIT 1;
    IF foreign_type IS NOT NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'feature_not_supported',
            MESSAGE = format('a policy on %s cannot name the type %s', companion_table, foreign_type),
            HINT = 'Cast to a type of PostgreSQL or to an enum, or put the cast into a function.';
    END IF;
    definition := pg_get_viewdef(condition_view);
    IF left(definition, length(head)) <> head OR right(definition, 1) <> ';' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'syntax_error',
            MESSAGE = 'the condition of a policy is one expression';
    END IF;
    RETURN format('(%s)', substr(definition, length(head) + 1, length(definition) - length(head) - 1));
END $body$;
REVOKE ALL ON FUNCTION svc_guard.policy_condition(text, text) FROM PUBLIC;

--@ function svc_guard.policy_roles(text[])
CREATE OR REPLACE FUNCTION svc_guard.policy_roles(roles text[]) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    stranger text;
BEGIN
    SELECT r.name INTO stranger
    FROM unnest(roles) r (name)
    WHERE (r.name IN ('public', own || '_anon', own || '_authenticated', own || '_service', own || '_owner', own || '_api',
                      own || '_system')) IS NOT TRUE
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('role "%s" does not belong to this project', stranger),
            HINT = 'Policies may name anon, authenticated and service_role of the project, or PUBLIC.';
    END IF;
    RETURN (SELECT string_agg(CASE r.name WHEN 'public' THEN 'PUBLIC' ELSE quote_ident(r.name) END, ', ')
            FROM unnest(roles) r (name));
END $body$;
REVOKE ALL ON FUNCTION svc_guard.policy_roles(text[]) FROM PUBLIC;

--@ function svc_statements.apply_policy(text,text,text,text,text,text[],boolean,boolean)
-- Makes or alters a policy from the views that write_policy has made.
CREATE OR REPLACE FUNCTION svc_statements.apply_policy(
    verb text, relation text, policy text, kind text, command text, roles text[], has_using boolean, has_check boolean)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off
AS $body$
DECLARE
    target constant text := svc_guard.companion_table(relation);
    role_list constant text := svc_guard.policy_roles(roles);
    statement text;
BEGIN
    PERFORM svc_guard.require_own_name('policy', policy);
    IF relation = 'users' OR (verb IN ('CREATE', 'ALTER')) IS NOT TRUE
        OR kind NOT IN ('PERMISSIVE', 'RESTRICTIVE') OR command NOT IN ('ALL', 'SELECT', 'INSERT', 'UPDATE', 'DELETE')
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('no policy of this kind can be made on %s', target);
    END IF;
    statement := format('%s POLICY %I ON %s', verb, policy, target);
    IF verb = 'CREATE' THEN
        statement := statement || format(' AS %s FOR %s', coalesce(kind, 'PERMISSIVE'), coalesce(command, 'ALL'));
    END IF;
    IF role_list IS NOT NULL THEN
        statement := statement || ' TO ' || role_list;
    END IF;
    IF has_using THEN
        statement := statement || ' USING ' || svc_guard.policy_condition('using', target);
    END IF;
    IF has_check THEN
        statement := statement || ' WITH CHECK ' || svc_guard.policy_condition('check', target);
    END IF;
    EXECUTE statement;
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.apply_policy(text, text, text, text, text, text[], boolean, boolean) TO PUBLIC;

--@ function svc_statements.write_policy(text,text,text,text,text,text[],text,text)
-- Runs with the caller's rights, and reads the conditions with them: in the caller's search_path, as the WHERE of views in
-- its own schema, which are gone at the end. A null leaves out the part.
CREATE OR REPLACE PROCEDURE svc_statements.write_policy(
    verb text, relation text, policy text, kind text, command text, roles text[], using_text text, check_text text)
LANGUAGE plpgsql AS $body$
DECLARE
    own constant text := pg_catalog.substr(session_user::text, 1, 37);
    -- Every operator and function by its schema: the caller's path may hold others of these names.
    companion constant text := svc_statements.companion_schema(own,
        CASE WHEN relation OPERATOR(pg_catalog.=) 'messages' THEN 'realtime' ELSE 'storage' END);
    make constant text := 'CREATE VIEW %I.svc_policy_%s AS SELECT FROM %I.%I WHERE (%s%s)';
BEGIN
    IF using_text IS NOT NULL THEN
        EXECUTE pg_catalog.format(make, own, 'using', companion, relation, using_text, pg_catalog.chr(10));
    END IF;
    IF check_text IS NOT NULL THEN
        EXECUTE pg_catalog.format(make, own, 'check', companion, relation, check_text, pg_catalog.chr(10));
    END IF;
    PERFORM svc_statements.apply_policy(
        verb, relation, policy, kind, command, roles, using_text IS NOT NULL, check_text IS NOT NULL);
    IF using_text IS NOT NULL THEN
        EXECUTE pg_catalog.format('DROP VIEW %I.svc_policy_using', own);
    END IF;
    IF check_text IS NOT NULL THEN
        EXECUTE pg_catalog.format('DROP VIEW %I.svc_policy_check', own);
    END IF;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.write_policy(text, text, text, text, text, text[], text, text) TO PUBLIC;

--@ function svc_statements.rename_policy(text,text,text)
CREATE OR REPLACE PROCEDURE svc_statements.rename_policy(relation text, policy text, new_name text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_guard.require_own_name('policy', policy);
    PERFORM svc_guard.require_own_name('policy', new_name);
    EXECUTE format('ALTER POLICY %I ON %s RENAME TO %I', policy, svc_guard.companion_table(relation), new_name);
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.rename_policy(text, text, text) TO PUBLIC;

--@ function svc_statements.drop_policy(text,text,boolean)
CREATE OR REPLACE PROCEDURE svc_statements.drop_policy(relation text, policy text, if_exists boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_guard.require_own_name('policy', policy);
    EXECUTE format('DROP POLICY %s %I ON %s',
        CASE WHEN if_exists THEN 'IF EXISTS' ELSE '' END, policy, svc_guard.companion_table(relation));
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.drop_policy(text, text, boolean) TO PUBLIC;

--@ function svc_guard.own_trigger(text,text)
-- Whether a trigger of that name on a companion's table is there and calls a function of the project: those are the
-- tenant's.
CREATE OR REPLACE FUNCTION svc_guard.own_trigger(relation text, trigger text) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
BEGIN
    PERFORM svc_guard.require_own_name('trigger', trigger);
    RETURN EXISTS (
        SELECT FROM pg_trigger t
        JOIN pg_proc p ON p.oid = t.tgfoid
        JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE t.tgrelid = to_regclass(svc_guard.companion_table(relation)) AND t.tgname = trigger
          AND NOT t.tgisinternal AND svc_guard.is_of_owner(n.nspname, own));
END $body$;
REVOKE ALL ON FUNCTION svc_guard.own_trigger(text, text) FROM PUBLIC;

--@ function svc_guard.require_trigger(text,text)
CREATE OR REPLACE FUNCTION svc_guard.require_trigger(relation text, trigger text) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF NOT svc_guard.own_trigger(relation, trigger) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'undefined_object',
            MESSAGE = format('trigger "%s" for table "%s" does not exist', trigger, relation);
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_trigger(text, text) FROM PUBLIC;

--@ function svc_statements.drop_trigger(text,text,boolean)
CREATE OR REPLACE PROCEDURE svc_statements.drop_trigger(relation text, trigger text, if_exists boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF if_exists AND NOT svc_guard.own_trigger(relation, trigger) THEN
        RAISE NOTICE 'trigger "%" for relation "%" does not exist, skipping', trigger, relation;
        RETURN;
    END IF;
    PERFORM svc_guard.require_trigger(relation, trigger);
    EXECUTE format('DROP TRIGGER %I ON %s', trigger, svc_guard.companion_table(relation));
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.drop_trigger(text, text, boolean) TO PUBLIC;

--@ function svc_statements.rename_trigger(text,text,text)
CREATE OR REPLACE PROCEDURE svc_statements.rename_trigger(relation text, trigger text, new_name text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_guard.require_trigger(relation, trigger);
    PERFORM svc_guard.require_own_name('trigger', new_name);
    EXECUTE format('ALTER TRIGGER %I ON %s RENAME TO %I', trigger, svc_guard.companion_table(relation), new_name);
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.rename_trigger(text, text, text) TO PUBLIC;

--@ function svc_statements.switch_trigger(text,text,boolean)
CREATE OR REPLACE PROCEDURE svc_statements.switch_trigger(relation text, trigger text, enabled boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_guard.require_trigger(relation, trigger);
    -- Between the mark and its end runs this one command, and no code of the tenant.
    INSERT INTO svc_guard.exempt_command (backend) VALUES (pg_backend_pid());
    EXECUTE format('ALTER TABLE %s %s TRIGGER %I',
        svc_guard.companion_table(relation), CASE WHEN enabled THEN 'ENABLE' ELSE 'DISABLE' END, trigger);
    DELETE FROM svc_guard.exempt_command WHERE backend = pg_backend_pid();
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.switch_trigger(text, text, boolean) TO PUBLIC;

--@ function svc_statements.comment_on(text,text,text,text)
CREATE OR REPLACE PROCEDURE svc_statements.comment_on(kind text, relation text, name text, comment text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_guard.require_own_name(kind, name);
    IF kind = 'trigger' THEN
        PERFORM svc_guard.require_trigger(relation, name);
    END IF;
    EXECUTE format('COMMENT ON %s %I ON %s IS %L',
        CASE kind WHEN 'trigger' THEN 'TRIGGER' ELSE 'POLICY' END, name, svc_guard.companion_table(relation), comment);
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.comment_on(text, text, text, text) TO PUBLIC;

--@ function svc_guard.publishable(text,text)
-- A table of a project that a publication can hold.
CREATE OR REPLACE FUNCTION svc_guard.publishable(own text, table_name text) RETURNS oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    found record;
BEGIN
    SELECT c.oid, c.relkind, c.relpersistence INTO found
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = own AND c.relname = table_name;
    IF found.oid IS NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'undefined_table', MESSAGE = format('relation "%s" does not exist', table_name);
    ELSIF found.relkind NOT IN ('r', 'p') OR found.relpersistence <> 'p' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('cannot add relation "%s" to publication', table_name),
            DETAIL = 'Only ordinary and partitioned tables that are logged can be published.';
    END IF;
    RETURN found.oid;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.publishable(text, text) FROM PUBLIC;

--@ function svc_statements.publish(text,text,text[])
-- The project's list of published tables. A worker of the platform applies it after the commit, so that no tenant's open
-- transaction holds a lock on the publication that all share. Zero in place of a table stands for every table.
CREATE OR REPLACE PROCEDURE svc_statements.publish(action text, publication text, tables text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    table_name text;
BEGIN
    IF (action IN ('ADD', 'DROP', 'SET', 'ALL', 'CLEAR')) IS NOT TRUE THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('no action %L', action);
    END IF;
    IF action IN ('SET', 'CLEAR') THEN
        DELETE FROM svc_guard.realtime_publication p WHERE p.schema_name = own;
    ELSIF action = 'ALL' THEN
        INSERT INTO svc_guard.realtime_publication (schema_name, table_oid) VALUES (own, 0) ON CONFLICT DO NOTHING;
    END IF;
    FOREACH table_name IN ARRAY coalesce(tables, '{}') LOOP
        IF action IN ('ADD', 'SET') THEN
            INSERT INTO svc_guard.realtime_publication (schema_name, table_oid)
            VALUES (own, svc_guard.publishable(own, table_name)) ON CONFLICT DO NOTHING;
            IF NOT FOUND AND action = 'ADD' THEN
                RAISE EXCEPTION USING
                    ERRCODE = 'duplicate_object',
                    MESSAGE = format('relation "%s" is already member of publication "%s"', table_name, publication);
            END IF;
        ELSIF action = 'DROP' THEN
            DELETE FROM svc_guard.realtime_publication p
            WHERE p.schema_name = own AND p.table_oid = svc_guard.publishable(own, table_name);
            IF NOT FOUND THEN
                RAISE EXCEPTION USING
                    ERRCODE = 'undefined_object',
                    MESSAGE = format('relation "%s" is not part of the publication', table_name);
            END IF;
        END IF;
    END LOOP;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.publish(text, text, text[]) TO PUBLIC;

--@ publication svc_realtime
-- What the realtime services read. The tables in it are the projects', kept by the worker.
DO $make$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_publication p WHERE p.pubname = 'svc_realtime') THEN
        CREATE PUBLICATION svc_realtime;
    END IF;
END $make$;
ALTER PUBLICATION svc_realtime OWNER TO CURRENT_USER;
-- Changes of partitions are those of their root, whose name and policies applications know.
ALTER PUBLICATION svc_realtime SET (publish = 'insert, update, delete, truncate', publish_via_partition_root = true);
DO $options$ BEGIN
    -- A server before 18 does not log them: the realtime service reads them from the table.
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 180000 THEN
        ALTER PUBLICATION svc_realtime SET (publish_generated_columns = 'stored');
    END IF;
END $options$;

--@ function svc_statements.probe_messages(text,uuid,uuid)
-- Rows of which a channel's caller then sees those that its policies let it see. The realtime service rolls them back; a tenant
-- that calls this itself adds rows without a payload to its own table, which nothing sends.
-- Only the data plane of a project may, and only for its own: session_user decides. No code of a tenant runs here: its roles have
-- neither triggers nor generated values on the table, and its policies do not apply to the owner of the table.
CREATE OR REPLACE FUNCTION svc_statements.probe_messages(topic text, broadcast uuid, presence uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_api$' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'only the data plane of a project may probe its channels';
    END IF;
    EXECUTE format(
        'INSERT INTO %I.messages (id, topic, extension, private) VALUES ($1, $2, $3, true), ($4, $2, $5, true)',
        svc_statements.companion_schema(substr(session_user::text, 1, 37), 'realtime'))
        USING broadcast, topic, 'broadcast', presence, 'presence';
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.probe_messages(text, uuid, uuid) TO PUBLIC;

--@ publication svc_realtime_messages
-- The projects' tables of broadcast messages. Only what is inserted is sent on.
DO $make$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_publication p WHERE p.pubname = 'svc_realtime_messages') THEN
        CREATE PUBLICATION svc_realtime_messages;
    END IF;
END $make$;
ALTER PUBLICATION svc_realtime_messages OWNER TO CURRENT_USER;
ALTER PUBLICATION svc_realtime_messages SET (publish = 'insert', publish_via_partition_root = true);

--@ function svc_statements.require_extension(text)
-- For CREATE EXTENSION of one that only an administrator installs.
CREATE OR REPLACE PROCEDURE svc_statements.require_extension(extension text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extname = extension) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'feature_not_supported',
            MESSAGE = format('the extension %I is not installed', extension),
            HINT = 'An administrator of the platform installs it in a shared database by the setting svc.operator.extensions'
                ' where the server has its files. A database of its own has it where its server does.';
    END IF;
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.require_extension(text) TO PUBLIC;
