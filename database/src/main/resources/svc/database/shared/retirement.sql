-- The upgrade of a project that still has functions of its own for what common.sql has once: what calls them is led to the
-- common ones, and those that nothing calls any more are dropped. Run by the operator, never by a tenant.
--
-- Hazards that shape this file:
--   * It runs as a superuser. A statement that is generated from a tenant's expression reads constants again, and the input
--     function of a domain is the tenant's code: so nothing that names such a type is generated again (as in statements.sql).
--   * Bodies kept as text are changed in pg_proc itself: CREATE OR REPLACE would read defaults of arguments, which are
--     expressions as well. A body is only text to the catalog, and changing it runs nothing.
--   * ALTER waits for the tenant's transactions, and transactions after it wait too: it gives up soon, and the next
--     reconciliation tries again. No row of a tenant is read.

--@ function svc_guard.expression_without_code(oid,oid)
-- Whether the constants of an expression, and of what depends with it, are of types whose input is the server's.
CREATE OR REPLACE FUNCTION svc_guard.expression_without_code(class oid, object oid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN NOT EXISTS (
    SELECT FROM pg_depend d
    JOIN pg_type t ON t.oid = d.refobjid
    LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
    WHERE d.classid = class AND d.objid = object AND d.refclassid = 'pg_type'::regclass AND t.oid >= 16384
      AND t.typnamespace <> (SELECT n.oid FROM pg_namespace n WHERE n.nspname = 'extensions')
      AND coalesce(e.typtype, t.typtype) <> 'e');
REVOKE ALL ON FUNCTION svc_guard.expression_without_code(oid, oid) FROM PUBLIC;

--@ function svc_guard.lead_to_common(oid,oid,text,text)
-- Replaces the project's own function by the common one in one policy, default or view. False for anything else.
CREATE OR REPLACE FUNCTION svc_guard.lead_to_common(class oid, object oid, own_call text, common_call text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $body$
DECLARE
    statement text;
BEGIN
    IF NOT svc_guard.expression_without_code(class, object) THEN
        RETURN false;
    END IF;
    CASE class
        WHEN 'pg_policy'::regclass THEN
            SELECT format('ALTER POLICY %I ON %s', p.polname, p.polrelid::regclass)
                || coalesce(' USING (' || replace(pg_get_expr(p.polqual, p.polrelid), own_call, common_call) || ')', '')
                || coalesce(' WITH CHECK ('
                    || replace(pg_get_expr(p.polwithcheck, p.polrelid), own_call, common_call) || ')', '')
            INTO statement FROM pg_policy p WHERE p.oid = object;
        WHEN 'pg_attrdef'::regclass THEN
            SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', d.adrelid::regclass, a.attname,
                    replace(pg_get_expr(d.adbin, d.adrelid), own_call, common_call))
            INTO statement
            FROM pg_attrdef d
            JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum AND a.attgenerated = ''
            JOIN pg_type t ON t.oid = a.atttypid AND t.typtype <> 'd'
            WHERE d.oid = object;
        WHEN 'pg_rewrite'::regclass THEN
            SELECT format('CREATE OR REPLACE VIEW %s%s AS %s', c.oid::regclass,
                    coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', ''),
                    replace(pg_get_viewdef(c.oid), own_call, common_call))
            INTO statement
            FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class AND c.relkind = 'v'
            WHERE r.oid = object AND r.rulename = '_RETURN';
        ELSE
            RETURN false;
    END CASE;
    IF statement IS NULL OR strpos(statement, common_call) = 0 THEN
        RETURN false;
    END IF;
    EXECUTE statement;
    RETURN true;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.lead_to_common(oid, oid, text, text) FROM PUBLIC;

--@ function svc_guard.retire_function(text,text,text,regprocedure)
-- One function of a project. One that something still calls stays, with a comment that says so.
CREATE OR REPLACE FUNCTION svc_guard.retire_function(own text, service text, name text, retired regprocedure) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET standard_conforming_strings = on SET lock_timeout = '500ms'
AS $body$
DECLARE
    -- A name by itself, with or without quotes: proj_x_auth.uid(
    written constant text := format('(^|[^[:alnum:]_$"])"?%s_%s"?[[:space:]]*[.][[:space:]]*"?%s"?[[:space:]]*[(]',
        own, service, name);
    dependent record;
    waiting boolean := false;
BEGIN
    UPDATE pg_proc p SET prosrc = regexp_replace(p.prosrc, written, format('\1svc_%s.%s(', service, name), 'g')
    FROM pg_language l
    WHERE p.pronamespace = to_regnamespace(own) AND l.oid = p.prolang AND l.lanname IN ('sql', 'plpgsql')
      AND p.prosqlbody IS NULL AND p.prosrc ~ written;
    FOR dependent IN
        SELECT DISTINCT d.classid, d.objid FROM pg_depend d
        WHERE d.refclassid = 'pg_proc'::regclass AND d.refobjid = retired AND d.deptype = 'n'
    LOOP
        BEGIN
            PERFORM svc_guard.lead_to_common(dependent.classid, dependent.objid,
                format('%s_%s.%s(', own, service, name), format('svc_%s.%s(', service, name));
        EXCEPTION
            WHEN lock_not_available THEN waiting := true;
            -- An expression that cannot be read again, because the tenant has changed what it calls, stays as it is.
            WHEN OTHERS THEN NULL;
        END;
    END LOOP;
    -- A text that is put together while it runs can name it without its schema beside it.
    IF NOT EXISTS (SELECT FROM pg_depend d WHERE d.refclassid = 'pg_proc'::regclass AND d.refobjid = retired)
        AND NOT EXISTS (
            SELECT FROM pg_proc p
            WHERE p.pronamespace = to_regnamespace(own) AND p.prosqlbody IS NULL
              AND strpos(concat(p.prosrc, p.proconfig), service) > 0
              AND p.prosrc ~ format('(^|[^[:alnum:]_$.]|%s"?[[:space:]]*[.][[:space:]]*|%%[Is][.])"?%s"?[[:space:]]*[(]',
                  own || '_' || service, name))
    THEN
        EXECUTE format('DROP FUNCTION %s', retired);
    ELSIF NOT waiting THEN
        EXECUTE format('COMMENT ON FUNCTION %s IS %L', retired, 'svc: in use');
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.retire_function(text, text, text, regprocedure) FROM PUBLIC;

--@ function svc_guard.retire_functions(text)
CREATE OR REPLACE FUNCTION svc_guard.retire_functions(own text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    retired record;
BEGIN
    FOR retired IN
        SELECT f.service, f.name, p.oid::regprocedure AS signature
        FROM (VALUES ('auth', 'uid', ''), ('auth', 'jwt', ''), ('auth', 'role', ''), ('auth', 'email', ''),
                     ('storage', 'foldername', '25'), ('storage', 'filename', '25'), ('storage', 'extension', '25'),
                     ('realtime', 'topic', '')) AS f (service, name, arguments)
        JOIN pg_namespace n ON n.nspname = own || '_' || f.service
        CROSS JOIN LATERAL (
            SELECT p.oid FROM pg_proc p
            WHERE p.proname = f.name AND p.pronamespace = n.oid AND p.proargtypes = f.arguments::oidvector OFFSET 0) p
    LOOP
        PERFORM svc_guard.retire_function(own, retired.service, retired.name, retired.signature);
    END LOOP;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.retire_functions(text) FROM PUBLIC;
