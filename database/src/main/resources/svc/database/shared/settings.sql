-- Settings of a project's roles, as ALTER ROLE and ALTER DATABASE of a migration ask for them.
--
-- Hazards: those of statements.sql. A role's setting holds for each request in that role, so only what a request may set for itself is
-- kept: how long it may run and wait, and names with a dot, to which the server gives no meaning. The limits of the platform's own clock
-- stay above all of them.

--@ function svc_guard.is_own_setting(text)
-- A name that belongs to applications. Those of claims and headers are set by each request.
CREATE OR REPLACE FUNCTION svc_guard.is_own_setting(name text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN strpos(name, '.') > 1 AND split_part(name, '.', 1) NOT IN ('svc', 'plpgsql', 'request', 'pgrst', 'response');
REVOKE ALL ON FUNCTION svc_guard.is_own_setting(text) FROM PUBLIC;

--@ function svc_guard.is_role_setting(text)
-- Whether a setting of a project's role is the project's to make; the operator leaves these as they are.
CREATE OR REPLACE FUNCTION svc_guard.is_role_setting(name text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN name IN ('statement_timeout', 'lock_timeout') OR svc_guard.is_own_setting(name);
REVOKE ALL ON FUNCTION svc_guard.is_role_setting(text) FROM PUBLIC;

--@ function svc_guard.is_setting_of_module(text)
-- Whether the server, or a module that it may load later, gives the name a meaning that is an administrator's to choose. Hazard: this
-- role may set everything, and what a role has set holds at its logins as if an administrator had set it.
CREATE OR REPLACE FUNCTION svc_guard.is_setting_of_module(name text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN split_part($1, '.', 1) IN (
        'auth_delay', 'auto_explain', 'bdr', 'citus', 'credcheck', 'cron', 'pg_cron', 'pg_hint_plan', 'pg_net', 'pg_partman_bgw', 'pg_qualstats',
        'pg_stat_kcache', 'pg_stat_monitor', 'pg_stat_statements', 'pg_wait_sampling', 'pgaudit', 'pglogical', 'pgsodium', 'plperl', 'plpython',
        'pltcl', 'plv8', 'powa', 'sepgsql', 'set_user', 'supautils', 'timescaledb')
    OR EXISTS (
        SELECT FROM pg_settings s
        WHERE starts_with(lower(s.name), split_part($1, '.', 1) || '.') AND s.context <> 'user');
REVOKE ALL ON FUNCTION svc_guard.is_setting_of_module(text) FROM PUBLIC;

--@ function svc_statements.set_for_roles(text[],text,text)
-- NULL takes a setting back. For the owner and service_role, which log in, only names with a dot: the platform sets the rest of their logins.
CREATE OR REPLACE PROCEDURE svc_statements.set_for_roles(roles text[], setting text, new_value text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
    named constant text := lower(setting);
    grantee text;
BEGIN
    IF octet_length(named) > 63 OR octet_length(new_value) > 900 THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a setting of a role has a name of at most 63 bytes and a value of at most 900';
    END IF;
    -- Two that change a role at once fail.
    PERFORM pg_advisory_xact_lock(hashtextextended('settings of ' || own, 0));
    FOREACH grantee IN ARRAY roles LOOP
        IF (grantee IN (own || '_anon', own || '_authenticated') AND svc_guard.is_role_setting(named)
            OR grantee IN (own || '_owner', own || '_service') AND svc_guard.is_own_setting(named)) IS NOT TRUE
            OR strpos(named, '.') > 0 AND svc_guard.is_setting_of_module(named)
        THEN
            RAISE EXCEPTION USING
                ERRCODE = 'insufficient_privilege',
                MESSAGE = format('the setting "%s" of the role "%s" belongs to the platform', named, grantee),
                HINT = 'Set statement_timeout or lock_timeout of anon or authenticated, or a name with a dot that is no module''s of the server.';
        END IF;
        IF new_value IS NULL THEN
            EXECUTE format('ALTER ROLE %I RESET %I', grantee, named);
        ELSE
            EXECUTE format('ALTER ROLE %I SET %I = %L', grantee, named, new_value);
        END IF;
        IF (SELECT cardinality(s.setconfig) > 40 FROM pg_db_role_setting s
            WHERE s.setrole = to_regrole(grantee) AND s.setdatabase = 0)
        THEN
            RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded',
                MESSAGE = format('the role "%s" would have more than 40 settings', grantee);
        END IF;
    END LOOP;
    -- The schema caches of the data plane have the roles' settings: a command of the schema tells them that something has changed.
    PERFORM svc_guard.run_on_schema(format('COMMENT ON SCHEMA %I IS %L', own, obj_description(to_regnamespace(own), 'pg_namespace')));
END $body$;
GRANT EXECUTE ON PROCEDURE svc_statements.set_for_roles(text[], text, text) TO PUBLIC;
