-- The tables of a project with what a copy of their rows needs: name, stored columns, triggers that are on, tables that they
-- refer to, columns of JSON by their types, which are called domain where they are domains over it. Triggers on users come under
-- the name of their table. Runs like objects.sql.
SELECT c.oid::text, c.relname::text,
    (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]')::text FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''),
    (SELECT coalesce(json_agg(t.tgname ORDER BY t.tgname), '[]')::text FROM pg_trigger t
     WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled = 'O'),
    (SELECT coalesce(json_agg(DISTINCT k.confrelid::text), '[]')::text FROM pg_constraint k
     WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid),
    (c.relkind = 'r')::text,
    (SELECT coalesce(json_object_agg(a.attname, CASE WHEN a.atttypid = b.oid THEN b.typname ELSE 'domain' END), '{}')::text
     FROM pg_attribute a, LATERAL (
         WITH RECURSIVE base AS (
             SELECT t.oid, t.typname, t.typbasetype FROM pg_type t WHERE t.oid = a.atttypid
             UNION ALL
             SELECT t.oid, t.typname, t.typbasetype FROM base JOIN pg_type t ON t.oid = base.typbasetype)
         SELECT base.oid, base.typname FROM base WHERE base.oid IN ('json'::regtype, 'jsonb'::regtype)) b
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')
FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
WHERE s.nspname = :'schema' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
UNION ALL
SELECT '0', 'users', '[]', coalesce(json_agg(t.tgname ORDER BY t.tgname), '[]')::text, '[]', 'true', '{}'
FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
JOIN pg_namespace s ON s.oid = p.pronamespace
WHERE NOT t.tgisinternal AND t.tgenabled = 'O' AND s.nspname = :'schema' AND c.relname = 'users' AND c.relnamespace <> s.oid
UNION ALL
SELECT 'sequence', c.relname::text, '[]', '[]', '[]', 'true', '{}'
FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = :'schema' AND c.relkind = 'S'
ORDER BY 1, 2
