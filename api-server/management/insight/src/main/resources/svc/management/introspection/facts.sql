-- What types and advisors know of a project: one row per catalog relation, its body a JSON array of arrays.
-- Runs as the project's owner with search_path = svc_views, pg_catalog. In a shared database the names below are the filtered
-- views, so PostgreSQL itself shows nothing of another project; elsewhere they are the catalog's own.
--
-- Hazards that shape this text:
--   * The filtered views have no statistics, and each costs a walk over the project's objects. Every one is read once and
--     the rows are joined by the program, not by a planner that expects sixty of them.
--   * Deparsing takes a check of ownership per call: expressions are deparsed only where a rule reads them.
--   * A comment, an expression or a view may be megabytes long: texts are cut.
WITH role AS MATERIALIZED (
    SELECT (SELECT oid FROM pg_roles WHERE rolname = :'anon') AS anon,
           (SELECT oid FROM pg_roles WHERE rolname = :'authenticated') AS authenticated
),
namespace AS MATERIALIZED (
    SELECT oid, nspname FROM pg_namespace
    WHERE nspname !~ '^(pg_|svc_|information_schema$)' AND nspname <> 'extensions'
)
SELECT 'roles' AS section, (SELECT json_build_array(json_build_array(anon::int8, authenticated::int8)) FROM role)::text AS body
UNION ALL
SELECT 'namespaces', coalesce(json_agg(json_build_array(
    oid::int8, nspname,
    has_schema_privilege((SELECT anon FROM role), oid, 'USAGE'),
    has_schema_privilege((SELECT authenticated FROM role), oid, 'USAGE'))), '[]')::text FROM namespace
UNION ALL
SELECT 'relations', coalesce(json_agg(json_build_array(
    oid::int8, relnamespace::int8, relname, relkind, reltype::int8, relrowsecurity, relispartition,
    coalesce(reloptions, '{}'),
    has_table_privilege((SELECT anon FROM role), oid, 'SELECT'),
    has_table_privilege((SELECT authenticated FROM role), oid, 'SELECT'))), '[]')::text
FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND relnamespace IN (SELECT oid FROM namespace)
UNION ALL
SELECT 'columns', coalesce(json_agg(json_build_array(
    attrelid::int8, attnum, attname, atttypid::int8, attnotnull, atthasdef, attidentity, attgenerated)
    ORDER BY attrelid, attnum), '[]')::text
FROM pg_attribute
WHERE attnum > 0 AND NOT attisdropped AND attrelid IN (
    SELECT oid FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND relnamespace IN (SELECT oid FROM namespace))
UNION ALL
SELECT 'types', coalesce(json_agg(json_build_array(
    t.oid::int8, s.nspname, t.typname, t.typtype, t.typbasetype::int8,
    CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END::int8, t.typrelid::int8, t.typnotnull)), '[]')::text
FROM pg_type t JOIN pg_namespace s ON s.oid = t.typnamespace
WHERE t.typrelid = 0 OR t.oid >= 16384
UNION ALL
SELECT 'labels', coalesce(json_agg(json_build_array(enumtypid::int8, enumlabel) ORDER BY enumtypid, enumsortorder), '[]')::text
FROM pg_enum
UNION ALL
SELECT 'constraints', coalesce(json_agg(json_build_array(
    conname, contype, conrelid::int8, conindid::int8, conkey, confrelid::int8, coalesce(confkey, '{}'), conparentid::int8)
    ORDER BY conname), '[]')::text
FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND conrelid <> 0
UNION ALL
SELECT 'indexes', coalesce(json_agg(json_build_array(
    i.indexrelid::int8, c.relname, i.indrelid::int8, i.indisunique, i.indisprimary, i.indpred IS NOT NULL,
    i.indkey::int2[],
    md5(concat_ws('|', c.relam, i.indisunique, i.indkey, i.indclass, i.indoption, i.indcollation,
        CASE WHEN i.indexprs IS NOT NULL THEN pg_get_expr(i.indexprs, i.indrelid) END,
        CASE WHEN i.indpred IS NOT NULL THEN pg_get_expr(i.indpred, i.indrelid) END)))
    ORDER BY c.relname), '[]')::text
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisvalid
UNION ALL
SELECT 'policies', coalesce(json_agg(json_build_array(
    polname, polrelid::int8, polcmd, polpermissive, polroles::int8[],
    left(pg_get_expr(polqual, polrelid), 8192), left(pg_get_expr(polwithcheck, polrelid), 8192))
    ORDER BY polname), '[]')::text
FROM pg_policy
UNION ALL
SELECT 'routines', coalesce(json_agg(json_build_array(
    p.oid::int8, p.pronamespace::int8, p.proname, p.prokind, p.prosecdef, coalesce(p.proconfig, '{}'),
    coalesce(p.proallargtypes, p.proargtypes::oid[])::int8[], coalesce(p.proargmodes::text[], '{}'),
    coalesce(p.proargnames, '{}'), p.pronargdefaults, p.prorettype::int8, p.proretset, p.prorows,
    has_function_privilege((SELECT anon FROM role), p.oid, 'EXECUTE'),
    has_function_privilege((SELECT authenticated FROM role), p.oid, 'EXECUTE'))
    ORDER BY p.proname, p.oid), '[]')::text
FROM pg_proc p WHERE p.oid >= 16384 AND p.pronamespace IN (SELECT oid FROM namespace)
UNION ALL
SELECT 'dependencies', coalesce(json_agg(json_build_array(kind, object::int8, target::int8)), '[]')::text
FROM (
    SELECT 'extension' AS kind, d.objid AS object, d.refobjid AS target FROM pg_depend d WHERE d.deptype = 'e'
    UNION ALL
    SELECT DISTINCT 'view', w.ev_class, d.refobjid
    FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> w.ev_class) u
UNION ALL
SELECT 'extensions', coalesce(json_agg(json_build_array(e.extname, s.nspname, e.extversion, a.default_version)), '[]')::text
FROM pg_extension e
LEFT JOIN pg_namespace s ON s.oid = e.extnamespace
LEFT JOIN pg_available_extensions a ON a.name = e.extname
UNION ALL
SELECT 'table_statistics', coalesce(json_agg(json_build_array(relid::int8, n_live_tup, n_dead_tup)), '[]')::text
FROM pg_stat_user_tables WHERE n_live_tup + n_dead_tup > 0
UNION ALL
SELECT 'index_statistics', coalesce(json_agg(json_build_array(indexrelid::int8, idx_scan)), '[]')::text
FROM pg_stat_user_indexes
:{views}
