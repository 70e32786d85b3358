-- The facts about one project, as (kind, subject, value). Parameters: pairs of arrays, the quoted names to look up and how
-- facts call them, for roles, schemas, relations and functions. Every lookup goes from a name through the system caches to
-- an oid, and from that oid through an index: the cost does not depend on how many projects there are. Functions are looked
-- up by their index directly: to_regprocedure would first load every function of that name, one per project.
-- OFFSET 0 keeps the planner from reading all of that name and joining the schema afterwards.
-- Runs with search_path = pg_catalog, so that definitions are printed with qualified names.
-- The last row is the fingerprint of all facts, and the only row when the last parameter contains that fingerprint. A record prints
-- with what it needs of quotes, so that no two sets of facts read the same.
WITH role AS MATERIALIZED (
    SELECT to_regrole(u.quoted)::oid AS oid, u.label FROM unnest(?::text[], ?::text[]) AS u(quoted, label)
), schema AS MATERIALIZED (
    SELECT to_regnamespace(u.quoted)::oid AS oid, u.label FROM unnest(?::text[], ?::text[]) AS u(quoted, label)
), relation AS MATERIALIZED (
    SELECT to_regclass(u.quoted)::oid AS oid, u.label FROM unnest(?::text[], ?::text[]) AS u(quoted, label)
), candidate AS MATERIALIZED (
    SELECT p.oid, u.label
    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS u(schema, name, argument, label)
    JOIN schema s ON s.label = u.schema
    CROSS JOIN LATERAL (
        SELECT p.oid FROM pg_proc p
        WHERE p.proname = u.name::name AND p.pronamespace = s.oid
            AND p.proargtypes = coalesce(to_regtype(nullif(u.argument, ''))::oid::text, '')::oidvector
        OFFSET 0) p
), retirement AS MATERIALIZED (
    -- In a shared database the functions are the platform's: those that a project still has are not its own to keep.
    SELECT cardinality(?::text[]) > 0 AS in_force
), routine AS MATERIALIZED (
    SELECT c.oid, c.label FROM candidate c, retirement WHERE NOT retirement.in_force
), owned AS (
    SELECT 'schema ' || s.label AS subject, n.nspowner AS owner, coalesce(n.nspacl, acldefault('n', n.nspowner)) AS acl
    FROM schema s JOIN pg_namespace n ON n.oid = s.oid
    UNION ALL
    SELECT 'table ' || r.label, c.relowner, coalesce(c.relacl, acldefault('r', c.relowner))
    FROM relation r JOIN pg_class c ON c.oid = r.oid
    UNION ALL
    SELECT 'function ' || f.label, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner))
    FROM routine f JOIN pg_proc p ON p.oid = f.oid
), entry AS (
    SELECT 'grant' AS kind, o.subject, o.owner, x.grantee, x.privilege_type, x.is_grantable
    FROM owned o, aclexplode(o.acl) x
    UNION ALL
    SELECT 'column grant', r.label || '.' || a.attname, c.relowner, x.grantee, x.privilege_type, x.is_grantable
    FROM relation r JOIN pg_class c ON c.oid = r.oid JOIN pg_attribute a ON a.attrelid = r.oid, aclexplode(a.attacl) x
    WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attacl IS NOT NULL
), fact(kind, subject, value) AS MATERIALIZED (
    SELECT 'role', r.label, '' FROM role r JOIN :{logins} a ON a.oid = r.oid WHERE r.label <> 'companion'
    UNION ALL
    SELECT 'attributes', r.label, concat_ws(' ',
        CASE WHEN a.rolcanlogin THEN 'LOGIN' ELSE 'NOLOGIN' END,
        CASE WHEN a.rolinherit THEN 'INHERIT' ELSE 'NOINHERIT' END,
        CASE WHEN a.rolbypassrls THEN 'BYPASSRLS' ELSE 'NOBYPASSRLS' END,
        CASE WHEN a.rolsuper THEN 'SUPERUSER' ELSE 'NOSUPERUSER' END,
        CASE WHEN a.rolcreatedb THEN 'CREATEDB' ELSE 'NOCREATEDB' END,
        CASE WHEN a.rolcreaterole THEN 'CREATEROLE' ELSE 'NOCREATEROLE' END,
        CASE WHEN a.rolreplication THEN 'REPLICATION' ELSE 'NOREPLICATION' END,
        'CONNECTION LIMIT', a.rolconnlimit,
        'VALID UNTIL', quote_literal(coalesce(a.rolvaliduntil, 'infinity')))
    FROM role r JOIN :{logins} a ON a.oid = r.oid WHERE r.label <> 'companion'
    UNION ALL
    SELECT 'password', r.label, coalesce(a.rolpassword, '')
    FROM role r JOIN :{logins} a ON a.oid = r.oid WHERE r.label <> 'companion'
    UNION ALL
    SELECT CASE WHEN s.setdatabase = 0 THEN 'setting' ELSE 'database setting' END, r.label, setting
    FROM role r
    JOIN pg_db_role_setting s ON s.setrole = r.oid
        AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())),
        unnest(s.setconfig) AS setting,
        LATERAL (SELECT split_part(setting, '=', 1) AS name) n
    WHERE r.label <> 'companion'
        -- What the project itself may set, by svc_statements.set_for_roles; the same rule as that of svc_guard.is_role_setting.
        AND NOT (s.setdatabase = 0 AND (
            r.label IN ('anon', 'authenticated') AND n.name IN ('statement_timeout', 'lock_timeout')
            OR r.label IN ('anon', 'authenticated', 'owner', 'service') AND strpos(n.name, '.') > 1
                AND split_part(n.name, '.', 1) NOT IN ('svc', 'plpgsql', 'request', 'pgrst', 'response')))
    UNION ALL
    SELECT 'member', coalesce(m.label, 'other:' || pg_get_userbyid(am.member)),
        concat(coalesce(g.label, 'other:' || pg_get_userbyid(am.roleid)), ' inherit=', am.inherit_option,
            ' set=', am.set_option, ' admin=', am.admin_option,
            ' by=', CASE WHEN am.grantor IN (10, :{self}) THEN '' ELSE pg_get_userbyid(am.grantor) END)
    FROM (SELECT am.* FROM role r JOIN pg_auth_members am ON am.roleid = r.oid WHERE r.label <> 'companion'
          UNION
          SELECT am.* FROM role r JOIN pg_auth_members am ON am.member = r.oid WHERE r.label <> 'companion') am
    LEFT JOIN role m ON m.oid = am.member
    LEFT JOIN role g ON g.oid = am.roleid
    WHERE am.member <> :{self}
    UNION ALL
    SELECT 'member', 'provisioner', r.label
    FROM role r
    WHERE :{self} <> 0 AND r.oid IS NOT NULL AND r.label <> 'companion'
        AND pg_has_role(:{self}, r.oid, 'USAGE') AND pg_has_role(:{self}, r.oid, 'SET')
    UNION ALL
    SELECT 'schema', s.label, '' FROM schema s WHERE s.oid IS NOT NULL
    UNION ALL
    SELECT 'owner', o.subject, coalesce(r.label, 'other:' || pg_get_userbyid(o.owner))
    FROM owned o LEFT JOIN role r ON r.oid = o.owner
    UNION ALL
    SELECT e.kind, e.subject, concat(
        CASE WHEN e.grantee = 0 THEN 'PUBLIC' ELSE coalesce(r.label, 'other:' || pg_get_userbyid(e.grantee)) END,
        ' ', e.privilege_type, CASE WHEN e.is_grantable THEN ' WITH GRANT OPTION' END)
    FROM entry e LEFT JOIN role r ON r.oid = e.grantee
    WHERE e.grantee <> e.owner
    UNION ALL
    SELECT 'owner privileges', o.subject, 'full'
    FROM owned o
    WHERE o.subject LIKE 'table %' AND NOT EXISTS (
        SELECT privilege_type FROM aclexplode(acldefault('r', o.owner)) WHERE grantee = o.owner
        EXCEPT SELECT privilege_type FROM aclexplode(o.acl) WHERE grantee = o.owner)
    UNION ALL
    SELECT 'default privileges', CASE d.defaclobjtype WHEN 'f' THEN 'functions' ELSE 'types' END, 'closed to PUBLIC'
    FROM role r JOIN pg_default_acl d ON d.defaclrole = r.oid AND d.defaclnamespace = 0
    WHERE r.label = 'owner' AND d.defaclobjtype IN ('f', 'T')
        AND NOT EXISTS (SELECT FROM aclexplode(d.defaclacl) x WHERE x.grantee = 0)
    UNION ALL
    SELECT 'default privileges', n.label, 'given'
    FROM (SELECT s.label, obj_description(s.oid, 'pg_namespace') AS note FROM schema s WHERE s.label = 'project'
          UNION ALL
          SELECT r.label, shobj_description(r.oid, 'pg_authid') FROM role r) n
    -- Of the schema, behind the tenant's comment.
    WHERE n.note LIKE '%svc: default privileges given'
    UNION ALL
    SELECT 'table', r.label, CASE WHEN c.relkind = 'r' THEN '' ELSE 'relkind ' || c.relkind::text END
    FROM relation r JOIN pg_class c ON c.oid = r.oid
    UNION ALL
    SELECT 'storage', r.label, CASE WHEN EXISTS (
        SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attstorage <> t.typstorage)
        THEN 'plain' ELSE 'of types' END
    FROM relation r WHERE r.oid IS NOT NULL
    UNION ALL
    SELECT 'row security', r.label, CASE WHEN c.relforcerowsecurity THEN 'forced' WHEN c.relrowsecurity THEN 'on' ELSE 'off' END
    FROM relation r JOIN pg_class c ON c.oid = r.oid
    UNION ALL
    SELECT p.kind, r.label || '.' || a.attname, p.value
    FROM relation r
    JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum,
        LATERAL (VALUES
            ('column', format_type(a.atttypid, a.atttypmod)
                || CASE WHEN a.attgenerated <> '' THEN ' GENERATED ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END),
            ('column default', CASE WHEN a.attgenerated <> '' THEN '' ELSE coalesce(pg_get_expr(d.adbin, d.adrelid), '') END),
            ('column null', CASE WHEN a.attnotnull THEN 'NOT NULL' ELSE 'NULL' END)) AS p(kind, value)
    UNION ALL
    SELECT 'constraint', r.label || '.' || c.conname, pg_get_constraintdef(c.oid)
    FROM relation r JOIN pg_constraint c ON c.conrelid = r.oid WHERE c.contype <> 'n'
    UNION ALL
    SELECT 'index', r.label || '.' || c.relname, concat(CASE WHEN i.indisunique THEN 'UNIQUE ' END,
        substr(d.def, position(' USING ' IN d.def) + 1), CASE WHEN NOT i.indisvalid THEN ' INVALID' END)
    FROM relation r
    JOIN pg_index i ON i.indrelid = r.oid
    JOIN pg_class c ON c.oid = i.indexrelid,
        LATERAL (SELECT pg_get_indexdef(i.indexrelid) AS def) d
    WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = i.indrelid AND k.conindid = i.indexrelid)
    UNION ALL
    SELECT 'policy', r.label || '.' || p.polname, concat(
        CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
        CASE WHEN p.polpermissive THEN ' PERMISSIVE' ELSE ' RESTRICTIVE' END, ' TO ',
        (SELECT string_agg(coalesce(l.label, 'other:' || g), ',' ORDER BY l.label)
         FROM unnest(p.polroles) g LEFT JOIN role l ON l.oid = g),
        ' USING ', pg_get_expr(p.polqual, p.polrelid), ' CHECK ', pg_get_expr(p.polwithcheck, p.polrelid))
    FROM relation r JOIN pg_policy p ON p.polrelid = r.oid WHERE p.polname LIKE 'svc\_%'
    UNION ALL
    SELECT 'trigger', r.label || '.' || t.tgname, concat(pg_get_triggerdef(t.oid),
        CASE WHEN t.tgenabled <> 'O' THEN ' ENABLED ' || t.tgenabled::text END)
    FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal AND t.tgname LIKE 'svc\_%'
    UNION ALL
    SELECT 'function', f.label, concat(format_type(p.prorettype, NULL),
        CASE p.provolatile WHEN 'i' THEN ' IMMUTABLE ' WHEN 's' THEN ' STABLE ' ELSE ' VOLATILE ' END, l.lanname,
        CASE WHEN p.prosecdef THEN ' DEFINER ' ELSE ' INVOKER ' END,
        coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), ' ' || p.proconfig::text, CASE WHEN p.proisstrict THEN ' STRICT' END)
    FROM routine f JOIN pg_proc p ON p.oid = f.oid JOIN pg_language l ON l.oid = p.prolang
    UNION ALL
    SELECT 'object limits', 'project', s.value FROM svc_guard.setting s WHERE s.name = ANY (?::text[])
    UNION ALL
    SELECT 'retired', 'functions', ''
    FROM retirement
    WHERE retirement.in_force AND EXISTS (
        SELECT FROM candidate c WHERE obj_description(c.oid, 'pg_proc') IS DISTINCT FROM 'svc: in use')
), fingerprint AS (
    SELECT encode(sha256(convert_to(string_agg(f::text, '' ORDER BY f::text COLLATE "C"), 'UTF8')), 'hex') AS value FROM fact f
)
SELECT f.kind, f.subject, f.value FROM fact f, fingerprint p WHERE p.value <> ALL (?::text[])
UNION ALL
SELECT 'fingerprint', '', p.value FROM fingerprint p
