-- Reads some schemas for the schema cache: rows of a section name and a JSON object. One statement has one snapshot, so
-- that the version matches the content.
--
-- Hazards that shape this text:
--   * pg_class, pg_proc and pg_type have no index by schema, and a scan of them grows with all tenants together. pg_depend
--     leads to the objects of a schema, and a correlated subquery from each object to its parts: an index lookup whatever
--     the statistics say.
--   * Comments, defaults and views may be hundreds of megabytes long. Comments and defaults are truncated; a view of that
--     length has no keys.
--   * Names of types and defaults depend on search_path: it is emptied, so that both have their schemas for every login.
--   * pg_relation_is_updatable waits for locks on views: lock_timeout ends the wait, and the reader then omits it.
WITH RECURSIVE namespace AS MATERIALIZED (
    SELECT n.oid, n.nspname, n.nspname = ANY (scope.exposed) AS exposed
    FROM (SELECT ?::pg_catalog.text[] AS exposed, ?::pg_catalog.text[] AS extra,
                 pg_catalog.set_config('lock_timeout', '2s', true) AS lock_timeout,
                 pg_catalog.set_config('search_path', '', true) AS search_path) scope
    JOIN pg_catalog.pg_namespace n ON n.nspname = ANY (scope.exposed || scope.extra)
),
-- The exposed schemas' relations, and those that their views read, in any schema.
relation AS (
    SELECT c.oid
    FROM namespace n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass AND d.refobjid = n.oid
     AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
    JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
    WHERE n.exposed
    UNION
    SELECT c.oid
    FROM relation r
    JOIN pg_catalog.pg_rewrite w ON w.ev_class = r.oid AND w.rulename = '_RETURN'
    JOIN pg_catalog.pg_depend d
      ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
     AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> r.oid
    JOIN pg_catalog.pg_class c ON c.oid = d.refobjid AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
    JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace AND s.nspname !~ '^(svc_|pg_|information_schema$)'
),
-- The exposed schemas' functions and aggregates, and functions of one row in the extra search path.
routine AS (
    SELECT p.oid, n.exposed
    FROM namespace n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass AND d.refobjid = n.oid
     AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    JOIN pg_catalog.pg_proc p ON p.oid = d.objid AND p.prokind IN ('f', 'a')
    WHERE n.exposed
       OR p.pronargs = 1 AND EXISTS (
           SELECT FROM pg_catalog.pg_type t WHERE t.oid = p.proargtypes[0] AND t.typtype = 'c')
),
type AS (
    SELECT a.atttypid AS oid
    FROM relation r
    JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION
    SELECT pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[]) || p.prorettype)
    FROM routine q
    JOIN pg_catalog.pg_proc p ON p.oid = q.oid
    UNION
    SELECT part.oid
    FROM type u
    -- OFFSET keeps the planner, which expects thousands of types here, from reading those of all tenants.
    CROSS JOIN LATERAL (
        SELECT x.typbasetype, x.typcategory, x.typelem FROM pg_catalog.pg_type x WHERE x.oid = u.oid OFFSET 0) t
    CROSS JOIN LATERAL (VALUES (t.typbasetype), (CASE WHEN t.typcategory = 'A' THEN t.typelem END)) part(oid)
    WHERE part.oid <> 0
)
SELECT 'version' AS section, pg_catalog.json_build_object('text', :{version})::pg_catalog.text AS body
UNION ALL
SELECT 'schema', pg_catalog.json_build_object('name', n.nspname, 'comment', (
    -- Without the note that the platform keeps behind the comment of a project's main schema.
    SELECT NULLIF(pg_catalog.regexp_replace(
        pg_catalog.left(x.description, 65536), '\n?svc: default privileges given$', ''), '')
    FROM pg_catalog.pg_description x
    WHERE x.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass AND x.objoid = n.oid))::pg_catalog.text
FROM namespace n
WHERE n.exposed
UNION ALL
SELECT 'relation', pg_catalog.json_build_object(
    'oid', c.oid::pg_catalog.int8,
    'schema', s.nspname,
    'name', c.relname,
    'kind', c.relkind,
    'exposed', c.relnamespace IN (SELECT n.oid FROM namespace n WHERE n.exposed),
    'partition', c.relispartition,
    'rowSecurity', c.relrowsecurity,
    'rows', GREATEST(0, c.reltuples)::pg_catalog.int8,
    'events', CASE WHEN c.relkind IN ('v', 'f') THEN :{events}
                   WHEN c.relkind = 'm' THEN 0 ELSE 28 END,
    'comment', (
        SELECT pg_catalog.left(x.description, 65536) FROM pg_catalog.pg_description x
        WHERE x.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND x.objoid = c.oid AND x.objsubid = 0),
    'columns', coalesce((
        SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
            a.attnum, a.attname, a.atttypid::pg_catalog.int8, a.atttypmod, a.attnotnull, a.attidentity, a.attgenerated,
            CASE
                WHEN a.attidentity = 'd' THEN (
                    SELECT pg_catalog.format('nextval(%L)', e.objid::pg_catalog.regclass)
                    FROM pg_catalog.pg_depend e
                    WHERE e.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND e.refobjid = c.oid
                      AND e.refobjsubid = a.attnum AND e.deptype = 'i'
                      AND e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                    LIMIT 1)
                WHEN a.atthasdef AND a.attgenerated = '' THEN (
                    SELECT pg_catalog.left(
                        pg_catalog.pg_get_expr(v.adbin, v.adrelid), 1 + LEAST(65535, 1048576 / c.relnatts)) FROM pg_catalog.pg_attrdef v
                    WHERE v.adrelid = c.oid AND v.adnum = a.attnum)
            END,
            (SELECT pg_catalog.left(x.description, 1 + LEAST(65535, 1048576 / c.relnatts))
             FROM pg_catalog.pg_description x
             WHERE x.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND x.objoid = c.oid
               AND x.objsubid = a.attnum),
            CASE WHEN a.atttypmod >= 0 THEN (
                SELECT pg_catalog.format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_type t
                WHERE t.oid = a.atttypid AND t.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace)
            END) ORDER BY a.attnum)
        FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped), '[]'),
    'keys', coalesce((
        SELECT pg_catalog.json_agg(pg_catalog.json_build_array(k.contype, k.conkey) ORDER BY k.conname)
        FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u')), '[]'),
    'foreignKeys', coalesce((
        SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
            k.conname, k.confrelid::pg_catalog.int8, k.conkey, k.confkey,
            (SELECT pg_catalog.left(x.description, 8192) FROM pg_catalog.pg_description x
             WHERE x.classoid = 'pg_catalog.pg_constraint'::pg_catalog.regclass AND x.objoid = k.oid
               AND x.objsubid = 0)) ORDER BY k.conname)
        FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0), '[]'),
    'rule', (
        SELECT w.ev_action::pg_catalog.text FROM pg_catalog.pg_rewrite w
        WHERE w.ev_class = c.oid AND w.rulename = '_RETURN'
          AND pg_catalog.octet_length(w.ev_action::pg_catalog.text) < 8000000))::pg_catalog.text
FROM relation r
JOIN pg_catalog.pg_class c ON c.oid = r.oid
JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
UNION ALL
SELECT 'type', pg_catalog.json_build_object(
    'oid', t.oid::pg_catalog.int8,
    'schema', s.nspname,
    'name', t.typname,
    'displayed', pg_catalog.format_type(t.oid, NULL),
    'form', CASE WHEN t.typcategory = 'A' AND t.typtype = 'b' THEN 'a' ELSE t.typtype END,
    'base', t.typbasetype::pg_catalog.int8,
    'element', CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END::pg_catalog.int8,
    'typmod', t.typtypmod,
    'notNull', t.typnotnull,
    'relation', t.typrelid::pg_catalog.int8,
    'defaultValue', CASE WHEN t.typtype = 'd' THEN pg_catalog.pg_get_expr(t.typdefaultbin, 0) END,
    'labels', coalesce(CASE WHEN t.typtype = 'e' THEN (
        SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder)
        FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid) END, '[]'),
    'comment', CASE WHEN t.typtype = 'e' THEN (
        SELECT pg_catalog.left(x.description, 8192) FROM pg_catalog.pg_description x
        WHERE x.classoid = 'pg_catalog.pg_type'::pg_catalog.regclass AND x.objoid = t.oid AND x.objsubid = 0) END,
    'casts', coalesce(CASE WHEN t.typtype = 'd' THEN (
        SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
            CASE WHEN k.castsource = t.oid THEN 'to' ELSE 'from' END, o.typname, f.nspname, p.proname))
        FROM (VALUES (t.oid, 'pg_catalog.json'::pg_catalog.regtype::pg_catalog.oid),
                     ('pg_catalog.json'::pg_catalog.regtype::pg_catalog.oid, t.oid),
                     ('pg_catalog.text'::pg_catalog.regtype::pg_catalog.oid, t.oid)) way(source, target)
        JOIN pg_catalog.pg_cast k ON k.castsource = way.source AND k.casttarget = way.target
         AND k.castcontext = 'i' AND k.castmethod = 'f'
        JOIN pg_catalog.pg_type o
          ON o.oid = CASE WHEN k.castsource = t.oid THEN k.casttarget ELSE k.castsource END
        JOIN pg_catalog.pg_proc p ON p.oid = k.castfunc
        JOIN pg_catalog.pg_namespace f ON f.oid = p.pronamespace) END, '[]'))::pg_catalog.text
FROM type u
CROSS JOIN LATERAL (SELECT x.* FROM pg_catalog.pg_type x WHERE x.oid = u.oid OFFSET 0) t
JOIN pg_catalog.pg_namespace s ON s.oid = t.typnamespace
UNION ALL
SELECT 'routine', pg_catalog.json_build_object(
    'oid', p.oid::pg_catalog.int8,
    'schema', s.nspname,
    'name', p.proname,
    'exposed', q.exposed,
    'aggregate', p.prokind = 'a',
    'types', coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[])::pg_catalog.int8[],
    'modes', coalesce(p.proargmodes::pg_catalog.text[], '{}'),
    'names', coalesce(p.proargnames, '{}'),
    'defaults', p.pronargdefaults,
    'expressions', CASE WHEN p.pronargdefaults > 0 THEN (
        SELECT pg_catalog.json_agg(pg_catalog.left(pg_catalog.pg_get_function_arg_default(p.oid, i), 257) ORDER BY i)
        FROM pg_catalog.generate_series(
            1, pg_catalog.cardinality(coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[]))) i) END,
    'returns', p.prorettype::pg_catalog.int8,
    'set', p.proretset,
    'single', p.prorows = 1,
    'volatility', p.provolatile,
    'settings', coalesce(p.proconfig, '{}'),
    'comment', (
        SELECT pg_catalog.left(x.description, 65536) FROM pg_catalog.pg_description x
        WHERE x.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND x.objoid = p.oid))::pg_catalog.text
FROM routine q
JOIN pg_catalog.pg_proc p ON p.oid = q.oid
JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace
:{roles}
