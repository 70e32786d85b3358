-- The guard of tenants' DDL, and the base of the filtered views. Not accessible to tenants.
-- Every "--@" line begins one object: the text up to the next one creates or replaces it.
--
-- Hazards that shape this file:
--   * Event-trigger functions run with a superuser's rights inside a tenant's session: the search_path is pinned,
--     names are qualified, and no literal holds a backslash, because the session chooses standard_conforming_strings.
--   * Only session_user identifies the project. SECURITY DEFINER code of a tenant can change current_user.
--   * A session_user that is no project's login proves nothing: autovacuum, ANALYZE and REINDEX run a tenant's functions in a
--     superuser's session, with the rights of the table's owner. check_caller is there for that.
--   * PostgreSQL looks for relations and types in the session's temporary schema first, before pg_catalog, unless pg_temp
--     stands elsewhere in the search_path: it stands last in each that is pinned here. Functions are never looked for in it.

--@ table svc_guard.setting
CREATE TABLE IF NOT EXISTS svc_guard.setting (
    name text PRIMARY KEY,
    value text NOT NULL
);
REVOKE ALL ON svc_guard.setting FROM PUBLIC;

--@ table svc_guard.schema_version
-- Authoritative for the schema caches; a notification is only a hint. The fillfactor allows HOT updates.
CREATE TABLE IF NOT EXISTS svc_guard.schema_version (
    schema_name text PRIMARY KEY,
    version bigint NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);
REVOKE ALL ON svc_guard.schema_version FROM PUBLIC;
GRANT SELECT ON svc_guard.schema_version TO svc_catalog;

--@ table svc_guard.realtime_publication
-- The tables that a project publishes; a worker of the platform applies the list to the publication. Oid 0: every table.
CREATE TABLE IF NOT EXISTS svc_guard.realtime_publication (
    schema_name text NOT NULL,
    table_oid oid NOT NULL,
    PRIMARY KEY (schema_name, table_oid)
);
REVOKE ALL ON svc_guard.realtime_publication FROM PUBLIC;

--@ table svc_guard.exempt_command
-- Set by a function of the platform while it runs, to exempt its own ALTER TABLE from the guard.
CREATE UNLOGGED TABLE IF NOT EXISTS svc_guard.exempt_command (
    backend integer PRIMARY KEY
);
REVOKE ALL ON svc_guard.exempt_command FROM PUBLIC;

--@ table svc_guard.quarantine
-- Projects whose logins the operator's watch has closed, with the reason for their owner.
CREATE TABLE IF NOT EXISTS svc_guard.quarantine (
    schema_name text PRIMARY KEY,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    message text NOT NULL
);
REVOKE ALL ON svc_guard.quarantine FROM PUBLIC;

--@ view svc_guard.published_table
-- The tables of the list; zero means all current tables of the schema. Excludes dropped tables and tables of others, and what
-- became unlogged since it was listed, which no publication takes. Tables
-- of messages have a publication of their own, which leaves out the deletion of old ones. In a shared database a table is in a
-- second publication as well, by the last digit of its project: a stream can leave out some projects by it.
CREATE OR REPLACE VIEW svc_guard.published_table AS
WITH listed AS (
    SELECT p.schema_name, c.oid AS table_oid,
        CASE WHEN p.schema_name ~ '^(proj_[0-9a-f]{32}_)?realtime$' THEN 'svc_realtime_messages' ELSE 'svc_realtime' END::name
            AS publication
    FROM svc_guard.realtime_publication p
    JOIN pg_catalog.pg_class c ON c.oid = p.table_oid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = p.schema_name::name
    WHERE c.relkind IN ('r', 'p') AND c.relpersistence = 'p'
    UNION
    SELECT p.schema_name, c.oid, 'svc_realtime'::name
    FROM svc_guard.realtime_publication p
    JOIN pg_catalog.pg_namespace n ON n.nspname = p.schema_name::name
    JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    JOIN pg_catalog.pg_class c ON c.oid = d.objid
    WHERE p.table_oid = 0 AND d.classid = 'pg_catalog.pg_class'::regclass
      AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p')
SELECT l.schema_name, l.table_oid, l.publication FROM listed l
UNION ALL
SELECT l.schema_name, l.table_oid, p.pubname
FROM listed l
JOIN pg_catalog.pg_publication p ON p.pubname = ('svc_realtime_part_' || pg_catalog.substr(l.schema_name, 37, 1))::name
WHERE l.publication = 'svc_realtime' AND l.schema_name ~ '^proj_[0-9a-f]{32}$';

--@ view svc_guard.own_project
CREATE OR REPLACE VIEW svc_guard.own_project WITH (security_barrier) AS
SELECT substr(session_user::text, 1, 37) AS schema_name
WHERE session_user::text ~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$';

--@ function svc_guard.own_schemas()
CREATE OR REPLACE FUNCTION svc_guard.own_schemas() RETURNS name[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN session_user::text ~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' THEN
    ARRAY[substr(session_user::text, 1, 37),
          substr(session_user::text, 1, 37) || '_auth',
          substr(session_user::text, 1, 37) || '_storage',
          substr(session_user::text, 1, 37) || '_realtime']::name[]
    ELSE '{}'::name[] END;
REVOKE ALL ON FUNCTION svc_guard.own_schemas() FROM PUBLIC;

--@ function svc_guard.schema_of(text,text)
-- The real name of a further schema. No role and no companion has two underscores behind the digits, so no name that a
-- tenant chooses collides with one of them; 24 characters end at the longest identifier of the server, 63 bytes.
CREATE OR REPLACE FUNCTION svc_guard.schema_of(own text, alias text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN own || '__' || alias;
REVOKE ALL ON FUNCTION svc_guard.schema_of(text, text) FROM PUBLIC;

--@ function svc_guard.further_schemas(text)
-- By the index on names: a grave accent follows the underscore.
CREATE OR REPLACE FUNCTION svc_guard.further_schemas(own text) RETURNS TABLE (oid oid, nspname name, alias text)
LANGUAGE sql STABLE ROWS 2 SET search_path = pg_catalog, pg_temp AS $body$
    SELECT n.oid, n.nspname, pg_catalog.substr(n.nspname::text, 40)
    FROM pg_catalog.pg_namespace n
    WHERE n.nspname OPERATOR(pg_catalog.>=) (own OPERATOR(pg_catalog.||) '__')::name
      AND n.nspname OPERATOR(pg_catalog.<) (own OPERATOR(pg_catalog.||) '_`')::name;
$body$;
REVOKE ALL ON FUNCTION svc_guard.further_schemas(text) FROM PUBLIC;

--@ function svc_guard.owns_schema(name)
CREATE OR REPLACE FUNCTION svc_guard.owns_schema(schema name) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN schema = ANY (svc_guard.own_schemas())
    OR coalesce(starts_with(schema::text, (svc_guard.own_schemas())[1]::text || '__'), false);
REVOKE ALL ON FUNCTION svc_guard.owns_schema(name) FROM PUBLIC;

-- Functions instead of views because of the planner: it cannot estimate how few rows of thousands of projects one project
-- has, and would run a view's joins in inner loops for each row. A function's result is computed once, with the estimate of
-- ROWS. They return only objects of the session's own project, so EXECUTE is granted to PUBLIC.

--@ function svc_guard.own_namespaces()
CREATE OR REPLACE FUNCTION svc_guard.own_namespaces() RETURNS TABLE (oid oid, nspname name)
LANGUAGE sql STABLE ROWS 4 SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    -- The inner SELECT runs once; without it, once per row.
    SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace n
    WHERE n.nspname = ANY ((SELECT svc_guard.own_schemas())::name[])
    UNION ALL
    SELECT f.oid, f.nspname
    FROM svc_guard.own_project o CROSS JOIN LATERAL svc_guard.further_schemas(o.schema_name) f;
$body$;
GRANT EXECUTE ON FUNCTION svc_guard.own_namespaces() TO PUBLIC;

--@ view svc_guard.own_namespace
CREATE OR REPLACE VIEW svc_guard.own_namespace WITH (security_barrier) AS
SELECT n.oid, n.nspname FROM svc_guard.own_namespaces() n;

--@ view svc_guard.own_role
-- Whose names a project sees. svc_companion owns the companions of every project: no grant or policy may name it.
CREATE OR REPLACE VIEW svc_guard.own_role WITH (security_barrier) AS
SELECT a.oid, a.rolname
FROM pg_catalog.pg_authid a
WHERE a.rolname = ANY (
    (SELECT CASE WHEN session_user::text ~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' THEN
        ARRAY[substr(session_user::text, 1, 37) || '_owner',
              substr(session_user::text, 1, 37) || '_api',
              substr(session_user::text, 1, 37) || '_anon',
              substr(session_user::text, 1, 37) || '_authenticated',
              substr(session_user::text, 1, 37) || '_service',
              substr(session_user::text, 1, 37) || '_system',
              'svc_companion']::name[]
    ELSE '{}'::name[] END)::name[]);

--@ function svc_guard.own_relations()
-- Through pg_depend, whose index leads from a schema to what lies in it: pg_class has no index on relnamespace,
-- and a scan grows with all tenants together. Indexes hang on their table, composite types on their type.
CREATE OR REPLACE FUNCTION svc_guard.own_relations() RETURNS SETOF oid
LANGUAGE sql STABLE ROWS 60 SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    SELECT d.objid AS oid
    FROM svc_guard.own_namespaces() n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    WHERE d.classid = 'pg_catalog.pg_class'::regclass
    UNION ALL
    SELECT i.indexrelid
    FROM svc_guard.own_namespaces() n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    JOIN pg_catalog.pg_index i ON i.indrelid = d.objid
    WHERE d.classid = 'pg_catalog.pg_class'::regclass
    UNION ALL
    SELECT t.typrelid
    FROM svc_guard.own_namespaces() n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    JOIN pg_catalog.pg_type t ON t.oid = d.objid
    WHERE d.classid = 'pg_catalog.pg_type'::regclass AND t.typtype = 'c';
$body$;
GRANT EXECUTE ON FUNCTION svc_guard.own_relations() TO PUBLIC;

--@ view svc_guard.own_relation
CREATE OR REPLACE VIEW svc_guard.own_relation WITH (security_barrier) AS
SELECT r.oid FROM svc_guard.own_relations() r (oid);

--@ function svc_guard.visible_types()
-- Own types (with row types, arrays and multiranges), those of the extensions, and the server's.
CREATE OR REPLACE FUNCTION svc_guard.visible_types() RETURNS SETOF oid
LANGUAGE sql STABLE ROWS 700 SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    WITH named AS (
        SELECT d.objid AS oid
        FROM pg_catalog.pg_namespace n
        JOIN pg_catalog.pg_depend d
          ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
        WHERE d.classid = 'pg_catalog.pg_type'::regclass
          AND (n.nspname = 'extensions' OR n.oid IN (SELECT o.oid FROM svc_guard.own_namespaces() o))
        UNION ALL
        SELECT c.reltype FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_class c ON c.oid = o.oid
        WHERE c.reltype <> 0 AND c.relkind <> 'c'
        UNION ALL
        SELECT r.rngmultitypid
        FROM svc_guard.own_namespaces() o
        JOIN pg_catalog.pg_depend d
          ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = o.oid
        JOIN pg_catalog.pg_range r ON r.rngtypid = d.objid
        WHERE d.classid = 'pg_catalog.pg_type'::regclass
    )
    SELECT named.oid FROM named
    UNION
    SELECT t.typarray FROM named JOIN pg_catalog.pg_type t ON t.oid = named.oid WHERE t.typarray <> 0
    UNION
    SELECT t.oid FROM pg_catalog.pg_type t WHERE t.oid < 16384;
$body$;
GRANT EXECUTE ON FUNCTION svc_guard.visible_types() TO PUBLIC;

--@ view svc_guard.visible_type
CREATE OR REPLACE VIEW svc_guard.visible_type WITH (security_barrier) AS
SELECT t.oid FROM svc_guard.visible_types() t (oid);

--@ function svc_guard.own_routines()
CREATE OR REPLACE FUNCTION svc_guard.own_routines() RETURNS SETOF oid
LANGUAGE sql STABLE ROWS 30 SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    SELECT d.objid AS oid
    FROM svc_guard.own_namespaces() n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    WHERE d.classid = 'pg_catalog.pg_proc'::regclass;
$body$;
GRANT EXECUTE ON FUNCTION svc_guard.own_routines() TO PUBLIC;

--@ view svc_guard.own_routine
CREATE OR REPLACE VIEW svc_guard.own_routine WITH (security_barrier) AS
SELECT r.oid FROM svc_guard.own_routines() r (oid);

--@ function svc_guard.own_objects()
-- Everything of the project that can carry a comment, a dependency or a grant. Composite types and the constraints of domains
-- hang on their type.
CREATE OR REPLACE FUNCTION svc_guard.own_objects() RETURNS TABLE (classid oid, objid oid)
LANGUAGE sql STABLE ROWS 300 SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    SELECT d.classid, d.objid
    FROM svc_guard.own_namespaces() n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    UNION ALL
    SELECT 'pg_catalog.pg_namespace'::regclass, n.oid FROM svc_guard.own_namespaces() n
    UNION ALL
    SELECT 'pg_catalog.pg_class'::regclass, i.indexrelid
    FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_index i ON i.indrelid = o.oid
    UNION ALL
    SELECT 'pg_catalog.pg_class'::regclass, t.typrelid
    FROM svc_guard.own_namespaces() n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    JOIN pg_catalog.pg_type t ON t.oid = d.objid
    WHERE d.classid = 'pg_catalog.pg_type'::regclass AND t.typtype = 'c'
    UNION ALL
    SELECT 'pg_catalog.pg_constraint'::regclass, k.oid
    FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_constraint k ON k.conrelid = o.oid
    UNION ALL
    SELECT 'pg_catalog.pg_constraint'::regclass, k.oid
    FROM svc_guard.own_namespaces() n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    JOIN pg_catalog.pg_constraint k ON k.contypid = d.objid
    WHERE d.classid = 'pg_catalog.pg_type'::regclass
    UNION ALL
    SELECT 'pg_catalog.pg_trigger'::regclass, t.oid
    FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_trigger t ON t.tgrelid = o.oid
    UNION ALL
    SELECT 'pg_catalog.pg_policy'::regclass, p.oid
    FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_policy p ON p.polrelid = o.oid
    UNION ALL
    SELECT 'pg_catalog.pg_rewrite'::regclass, r.oid
    FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_rewrite r ON r.ev_class = o.oid
    UNION ALL
    SELECT 'pg_catalog.pg_attrdef'::regclass, a.oid
    FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_attrdef a ON a.adrelid = o.oid
    UNION ALL
    SELECT 'pg_catalog.pg_default_acl'::regclass, a.oid
    FROM svc_guard.own_role r JOIN pg_catalog.pg_default_acl a ON a.defaclrole = r.oid
    WHERE r.rolname <> 'svc_companion';
$body$;
GRANT EXECUTE ON FUNCTION svc_guard.own_objects() TO PUBLIC;

--@ view svc_guard.own_object
CREATE OR REPLACE VIEW svc_guard.own_object WITH (security_barrier) AS
SELECT o.classid, o.objid FROM svc_guard.own_objects() o;

--@ function svc_guard.owns_relation(oid)
CREATE OR REPLACE FUNCTION svc_guard.owns_relation(relation oid) RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN EXISTS (
    SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid = relation AND svc_guard.owns_schema(n.nspname));
REVOKE ALL ON FUNCTION svc_guard.owns_relation(oid) FROM PUBLIC;

--@ function svc_guard.owns_routine(oid)
CREATE OR REPLACE FUNCTION svc_guard.owns_routine(routine oid) RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN EXISTS (
    SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE p.oid = routine AND svc_guard.owns_schema(n.nspname));
REVOKE ALL ON FUNCTION svc_guard.owns_routine(oid) FROM PUBLIC;

--@ function svc_guard.is_of_owner(name,text)
-- Whether the owner of a project may create objects in a schema: the main one and the further ones.
CREATE OR REPLACE FUNCTION svc_guard.is_of_owner(schema name, own text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN schema::text = own OR starts_with(schema::text, own || '__');
REVOKE ALL ON FUNCTION svc_guard.is_of_owner(name, text) FROM PUBLIC;

--@ function svc_guard.stranger_with_rights()
-- A role of another project that own objects name in a grant or a default privilege: it would tie the other
-- project to this one (a role that is named anywhere cannot be dropped). Null when there is none.
-- OFFSET 0 keeps the order: from each object to its entries. Left to the statistics, which are wrong in a transaction that
-- has just made its tables, this takes the better part of a second for 300 tables.
CREATE OR REPLACE FUNCTION svc_guard.stranger_with_rights() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
    SELECT a.rolname
    FROM (
        SELECT d.classid, d.objid
        FROM svc_guard.own_namespace n
        JOIN pg_catalog.pg_depend d
          ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
        WHERE svc_guard.is_of_owner(n.nspname, substr(session_user::text, 1, 37))
        UNION ALL
        -- Row types depend on their table and not on the schema, and have privileges of their own.
        SELECT 'pg_catalog.pg_type'::regclass, c.reltype
        FROM svc_guard.own_namespace n
        JOIN pg_catalog.pg_depend d
          ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
        JOIN pg_catalog.pg_class c ON c.oid = d.objid
        WHERE svc_guard.is_of_owner(n.nspname, substr(session_user::text, 1, 37))
          AND d.classid = 'pg_catalog.pg_class'::regclass AND c.reltype <> 0
        UNION ALL
        -- Temporary objects of this session.
        SELECT d.classid, d.objid
        FROM pg_catalog.pg_depend d
        WHERE d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = pg_catalog.pg_my_temp_schema()
        UNION ALL
        SELECT 'pg_catalog.pg_type'::regclass, c.reltype
        FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class c ON c.oid = d.objid
        WHERE d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = pg_catalog.pg_my_temp_schema()
          AND d.classid = 'pg_catalog.pg_class'::regclass AND c.reltype <> 0
        UNION ALL
        SELECT 'pg_catalog.pg_default_acl'::regclass, l.oid
        FROM pg_catalog.pg_default_acl l
        WHERE l.defaclrole = (SELECT r.oid FROM pg_catalog.pg_authid r WHERE r.rolname = session_user)
        OFFSET 0
    ) o
    CROSS JOIN LATERAL (
        SELECT s.refobjid
        FROM pg_catalog.pg_shdepend s
        WHERE s.dbid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
          AND s.classid = o.classid AND s.objid = o.objid AND s.refclassid = 'pg_catalog.pg_authid'::regclass
        OFFSET 0
    ) s
    JOIN pg_catalog.pg_authid a ON a.oid = s.refobjid
    WHERE s.refobjid <> ALL (ARRAY(SELECT r.oid FROM svc_guard.own_role r WHERE r.rolname <> 'svc_companion'))
    LIMIT 1);
REVOKE ALL ON FUNCTION svc_guard.stranger_with_rights() FROM PUBLIC;

--@ function svc_guard.table_schema_of(oid,oid)
-- The schema of the table that a trigger, policy, rule, default or constraint belongs to; null for any other object.
CREATE OR REPLACE FUNCTION svc_guard.table_schema_of(class oid, object oid) RETURNS name
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
    SELECT n.nspname
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid = CASE class
        WHEN 'pg_catalog.pg_trigger'::regclass
            THEN (SELECT t.tgrelid FROM pg_catalog.pg_trigger t WHERE t.oid = object)
        WHEN 'pg_catalog.pg_policy'::regclass
            THEN (SELECT p.polrelid FROM pg_catalog.pg_policy p WHERE p.oid = object)
        WHEN 'pg_catalog.pg_rewrite'::regclass
            THEN (SELECT r.ev_class FROM pg_catalog.pg_rewrite r WHERE r.oid = object)
        WHEN 'pg_catalog.pg_attrdef'::regclass
            THEN (SELECT a.adrelid FROM pg_catalog.pg_attrdef a WHERE a.oid = object)
        WHEN 'pg_catalog.pg_constraint'::regclass
            THEN (SELECT k.conrelid FROM pg_catalog.pg_constraint k WHERE k.oid = object)
        END);
REVOKE ALL ON FUNCTION svc_guard.table_schema_of(oid, oid) FROM PUBLIC;

--@ function svc_guard.is_platforms(oid,oid)
-- Whether a trigger or policy has a name of the platform's own.
CREATE OR REPLACE FUNCTION svc_guard.is_platforms(class oid, object oid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN left(CASE class
    WHEN 'pg_catalog.pg_trigger'::regclass THEN (SELECT t.tgname FROM pg_catalog.pg_trigger t WHERE t.oid = object)
    WHEN 'pg_catalog.pg_policy'::regclass THEN (SELECT p.polname FROM pg_catalog.pg_policy p WHERE p.oid = object)
    END, 4) = 'svc_';
REVOKE ALL ON FUNCTION svc_guard.is_platforms(oid, oid) FROM PUBLIC;

--@ function svc_statements.companion_schema(text,text)
-- Where the tables of a service are. The one thing in which a database of a single project differs, see dedicated/guard.sql.
CREATE OR REPLACE FUNCTION svc_statements.companion_schema(own text, service text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN own || '_' || service;
GRANT EXECUTE ON FUNCTION svc_statements.companion_schema(text, text) TO PUBLIC;

--@ function svc_statements.further_schema(text,text)
-- As svc_guard.schema_of, for functions that run with the rights of a tenant. Also differs in a database of a single project.
CREATE OR REPLACE FUNCTION svc_statements.further_schema(own text, schema_alias text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN own || '__' || schema_alias;
GRANT EXECUTE ON FUNCTION svc_statements.further_schema(text, text) TO PUBLIC;

--@ function svc_guard.refuse_data_plane()
CREATE OR REPLACE FUNCTION svc_guard.refuse_data_plane() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'insufficient_privilege',
        MESSAGE = 'the data plane cannot change the schema',
        DETAIL = 'Sessions of the API run no DDL, whichever function asks for it.',
        HINT = 'Use POST /v1/projects/{ref}/database/query.';
END $body$;
REVOKE ALL ON FUNCTION svc_guard.refuse_data_plane() FROM PUBLIC;

--@ function svc_guard.is_temporary(name)
-- Whether a schema is the one of a session's temporary objects, by its own name or as event triggers call it.
CREATE OR REPLACE FUNCTION svc_guard.is_temporary(schema name) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(schema::text ~ '^pg_(toast_)?temp(_[0-9]+)?$', false);
REVOKE ALL ON FUNCTION svc_guard.is_temporary(name) FROM PUBLIC;

--@ function svc_guard.refuse_temporary()
-- TEMP is granted to PUBLIC, because a grant for each owner would be an entry in one row of pg_database for each project.
CREATE OR REPLACE FUNCTION svc_guard.refuse_temporary() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() c WHERE svc_guard.is_temporary(c.schema_name::name)) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'only the owner of a project may create temporary objects';
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.refuse_temporary() FROM PUBLIC;

--@ function svc_guard.refuse_taken_role()
-- An owner's session that has taken the role of a caller changes no schema, as that caller's own session does not: else an
-- object, a grant or a default privilege of that role would arise, and no other rule here covers what such a role owns.
-- SECURITY DEFINER leaves the parameter as it is, and PostgreSQL refuses to change it inside of such a function.
CREATE OR REPLACE FUNCTION svc_guard.refuse_taken_role() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    taken constant text := current_setting('role');
BEGIN
    IF taken NOT IN ('none', session_user::text) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('the role "%s" cannot change the schema', taken),
            DETAIL = 'Callers of the API run no DDL, and neither does a script that has taken their role.',
            HINT = 'RESET ROLE first.';
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.refuse_taken_role() FROM PUBLIC;

--@ function svc_guard.check_command()
CREATE OR REPLACE FUNCTION svc_guard.check_command() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    login constant text := session_user;
    own constant text := substr(login, 1, 37);
    home text;
    stranger text;
    object record;
    changed integer := 0;
    temporary integer := 0;
    made oid[] := '{}';
BEGIN
    IF login !~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' THEN
        -- A superuser's commands need nothing of this schema: they repair it.
        IF current_setting('is_superuser') <> 'on' THEN
            PERFORM svc_guard.refuse_temporary();
        END IF;
        RETURN;
    END IF;
    IF login <> own || '_owner' THEN
        PERFORM svc_guard.refuse_data_plane();
    END IF;
    PERFORM svc_guard.refuse_taken_role();
    -- An allow-list: a command that a later server adds stays refused until someone has thought about it.
    -- CREATE, ALTER and DROP SCHEMA come from a function of the platform, which has checked the name.
    IF (TG_TAG NOT IN ('CREATE SCHEMA', 'ALTER SCHEMA', 'DROP SCHEMA')
            OR NOT EXISTS (SELECT FROM svc_guard.exempt_command e WHERE e.backend = pg_backend_pid()))
        AND TG_TAG !~ '^((CREATE|ALTER|DROP) (TABLE|INDEX|VIEW|MATERIALIZED VIEW|SEQUENCE|TYPE|DOMAIN|FUNCTION|PROCEDURE|ROUTINE|AGGREGATE|OPERATOR|TRIGGER|POLICY|RULE|STATISTICS|COLLATION|TEXT SEARCH (CONFIGURATION|DICTIONARY))|CREATE TABLE AS|SELECT INTO|COMMENT|GRANT|REVOKE|ALTER DEFAULT PRIVILEGES|REFRESH MATERIALIZED VIEW|REINDEX|CREATE EXTENSION)$' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('%s is not available to a project', TG_TAG),
            DETAIL = 'It acts on the database, which projects share.',
            HINT = 'A project may create, alter and drop objects inside its own schema.';
    END IF;
    FOR object IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP
        changed := changed + 1;
        IF object.classid IS NULL THEN
            -- Grants do not say what they touched: check all that the project owns.
            stranger := svc_guard.stranger_with_rights();
        ELSIF object.classid = 'pg_policy'::regclass THEN
            SELECT a.rolname INTO stranger
            FROM pg_shdepend s JOIN pg_authid a ON a.oid = s.refobjid
            WHERE s.dbid = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
              AND s.classid = object.classid AND s.objid = object.objid
              AND s.refclassid = 'pg_authid'::regclass
              AND s.refobjid NOT IN (SELECT r.oid FROM svc_guard.own_role r WHERE r.rolname <> 'svc_companion')
            LIMIT 1;
        END IF;
        IF stranger IS NOT NULL THEN
            RAISE EXCEPTION USING
                ERRCODE = 'insufficient_privilege',
                MESSAGE = format('role "%s" does not belong to this project', stranger),
                HINT = 'Grants and policies may name anon, authenticated and service_role of the project, or PUBLIC.';
        END IF;
        CONTINUE WHEN object.classid IS NULL;
        made := made || object.objid;
        home := coalesce(object.schema_name, svc_guard.table_schema_of(object.classid, object.objid));
        -- REINDEX TABLE names the table's toast index.
        CONTINUE WHEN home = 'pg_toast' OR svc_guard.is_of_owner(home::name, own);
        -- Tables and what belongs to them, gone with the session. A type or a function would take along what the schema has of it.
        IF svc_guard.is_temporary(home::name)
            AND object.classid IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_trigger'::regclass,
                'pg_policy'::regclass, 'pg_rewrite'::regclass, 'pg_attrdef'::regclass, 'pg_statistic_ext'::regclass)
        THEN
            temporary := temporary + 1;
            CONTINUE;
        END IF;
        CONTINUE WHEN object.classid = 'pg_namespace'::regclass
            AND (TG_TAG = 'COMMENT' AND object.objid = to_regnamespace(own)
                OR EXISTS (SELECT FROM svc_guard.further_schemas(own) f WHERE f.oid = object.objid))
            AND EXISTS (SELECT FROM svc_guard.exempt_command e WHERE e.backend = pg_backend_pid());
        -- Triggers and policies may stand on the companions' tables, as far as privileges or the platform's function allow.
        CONTINUE WHEN object.object_type IN ('trigger', 'policy')
            AND home IN (own || '_auth', own || '_storage', own || '_realtime')
            AND NOT svc_guard.is_platforms(object.classid, object.objid);
        CONTINUE WHEN TG_TAG = 'ALTER TABLE' AND object.object_type = 'table'
            AND home IN (own || '_auth', own || '_storage', own || '_realtime')
            AND EXISTS (SELECT FROM svc_guard.exempt_command e WHERE e.backend = pg_backend_pid());
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('%s %s lies outside the project', object.object_type, object.object_identity),
            DETAIL = coalesce('It would lie in schema ' || home || '.',
                'Objects of this kind belong to the whole database, which projects share.'),
            HINT = format('Create it in schema %s.', own);
    END LOOP;
    IF TG_TAG NOT IN ('REFRESH MATERIALIZED VIEW', 'REINDEX', 'CREATE EXTENSION')
        -- A command that drops names no object.
        AND (changed = 0 OR changed > temporary)
    THEN
        -- Once per transaction is enough: the number becomes visible with the commit.
        UPDATE svc_guard.schema_version v SET version = v.version + 1, changed_at = clock_timestamp()
        WHERE v.schema_name = own AND v.xmin <> pg_current_xact_id()::xid;
        IF FOUND THEN
            PERFORM pg_notify(s.value, own) FROM svc_guard.setting s WHERE s.name = 'notification_channel';
        ELSE
            INSERT INTO svc_guard.schema_version AS v (schema_name) VALUES (own) ON CONFLICT DO NOTHING;
            IF FOUND THEN
                PERFORM pg_notify(s.value, own) FROM svc_guard.setting s WHERE s.name = 'notification_channel';
            END IF;
        END IF;
    END IF;
    -- After the row of the version, which lets one session of the project at a time through to its commit: two that count at once
    -- would both find room.
    PERFORM svc_guard.require_room(own, TG_TAG, made, changed > 0 AND changed = temporary);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.check_command() FROM PUBLIC;

--@ function svc_guard.check_drop()
-- Drops are not among the commands' objects. Every drop also ends as a command, which counts the version.
CREATE OR REPLACE FUNCTION svc_guard.check_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    login constant text := session_user;
    own constant text := substr(login, 1, 37);
    home text;
    object record;
BEGIN
    -- For each role that drops it: a dropped table leaves the realtime publication's list.
    DELETE FROM svc_guard.realtime_publication p
    USING pg_event_trigger_dropped_objects() d
    WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0 AND p.table_oid = d.objid;
    IF login !~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' THEN
        RETURN;
    END IF;
    IF login <> own || '_owner' THEN
        PERFORM svc_guard.refuse_data_plane();
    END IF;
    FOR object IN SELECT * FROM pg_event_trigger_dropped_objects() LOOP
        CONTINUE WHEN object.object_type = 'default acl';
        home := coalesce(object.schema_name, object.address_names[1]);
        CONTINUE WHEN home = 'pg_toast' OR svc_guard.is_of_owner(home::name, own) OR svc_guard.is_temporary(home::name);
        -- Also what a cascade takes along: a trigger on auth.users whose function goes.
        CONTINUE WHEN object.object_type IN ('trigger', 'policy')
            AND home IN (own || '_auth', own || '_storage', own || '_realtime')
            AND left(object.address_names[3], 4) <> 'svc_';
        -- The server makes a cast with each range type, in no schema; no project can make another.
        CONTINUE WHEN object.object_type = 'cast' AND NOT object.original
            AND svc_guard.is_of_owner(split_part(object.address_names[1], '.', 1)::name, own);
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('%s %s lies outside the project', object.object_type, object.object_identity),
            HINT = format('A project may drop objects of schema %s.', own);
    END LOOP;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.check_drop() FROM PUBLIC;

--@ function svc_guard.check_caller()
-- A session that is no project's runs no DDL with the rights of one. It is not SECURITY DEFINER, so that current_user is the role
-- that the command runs with: in maintenance the owner of the table whose index calls the function.
CREATE OR REPLACE FUNCTION svc_guard.check_caller() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' AND current_user::text ~ '^proj_[0-9a-f]{32}_' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = format('a session of "%s" cannot change the schema of a project as "%s"', session_user, current_user),
            DETAIL = 'A function that autovacuum, ANALYZE or REINDEX runs may compute, and run no DDL.',
            HINT = 'Administrators: SET SESSION AUTHORIZATION instead of SET ROLE.';
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.check_caller() FROM PUBLIC;

--@ event trigger svc_guard_caller
-- ALWAYS: session_replication_role = replica must not switch it off.
DROP EVENT TRIGGER IF EXISTS svc_guard_caller;
CREATE EVENT TRIGGER svc_guard_caller ON ddl_command_end EXECUTE FUNCTION svc_guard.check_caller();
ALTER EVENT TRIGGER svc_guard_caller ENABLE ALWAYS;

--@ event trigger svc_guard_command
-- ALWAYS: session_replication_role = replica must not switch it off.
DROP EVENT TRIGGER IF EXISTS svc_guard_command;
CREATE EVENT TRIGGER svc_guard_command ON ddl_command_end EXECUTE FUNCTION svc_guard.check_command();
ALTER EVENT TRIGGER svc_guard_command ENABLE ALWAYS;

--@ event trigger svc_guard_drop
DROP EVENT TRIGGER IF EXISTS svc_guard_drop;
CREATE EVENT TRIGGER svc_guard_drop ON sql_drop EXECUTE FUNCTION svc_guard.check_drop();
ALTER EVENT TRIGGER svc_guard_drop ENABLE ALWAYS;
