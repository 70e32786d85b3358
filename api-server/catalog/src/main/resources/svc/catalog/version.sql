-- A text that changes with each DDL statement on some schemas, for a database without event triggers of the platform.
-- A sum rather than a list: no sort is needed, and a catalog of 100,000 rows costs no memory.
(WITH scope AS MATERIALIZED (
    SELECT n.oid, n.xmin FROM pg_catalog.pg_namespace n WHERE n.nspname = ANY (?::pg_catalog.text[])
), relation AS MATERIALIZED (
    SELECT c.oid, c.xmin FROM pg_catalog.pg_class c JOIN scope n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm')
), routine AS MATERIALIZED (
    SELECT p.oid, p.xmin FROM pg_catalog.pg_proc p JOIN scope n ON n.oid = p.pronamespace
), mark (oid, xmin) AS (
    SELECT oid, xmin FROM scope
    UNION ALL SELECT oid, xmin FROM relation
    UNION ALL SELECT oid, xmin FROM routine
    UNION ALL SELECT a.attrelid, a.xmin
        FROM relation r JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0
    UNION ALL SELECT v.oid, v.xmin FROM relation r JOIN pg_catalog.pg_attrdef v ON v.adrelid = r.oid
    UNION ALL SELECT d.objoid, d.xmin
        FROM (SELECT oid FROM scope UNION ALL SELECT oid FROM relation UNION ALL SELECT oid FROM routine) o
        JOIN pg_catalog.pg_description d ON d.objoid = o.oid
    -- In all schemas: the keys, types and enum labels of what an exposed view shows may be in another schema.
    UNION ALL SELECT k.oid, k.xmin
        FROM pg_catalog.pg_constraint k LEFT JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
        WHERE c.relpersistence IS DISTINCT FROM 't'
    UNION ALL SELECT w.oid, w.xmin FROM pg_catalog.pg_rewrite w JOIN pg_catalog.pg_class c ON c.oid = w.ev_class
        WHERE w.oid >= 16384 AND c.relpersistence <> 't'
    UNION ALL SELECT t.oid, t.xmin FROM pg_catalog.pg_type t WHERE t.oid >= 16384 AND t.typtype IN ('d', 'e')
    UNION ALL SELECT e.oid, e.xmin FROM pg_catalog.pg_enum e
    UNION ALL SELECT s.oid, s.xmin FROM pg_catalog.pg_cast s WHERE s.oid >= 16384
    -- Memberships decide what a role may use.
    UNION ALL SELECT b.member, b.xmin FROM pg_catalog.pg_auth_members b
    UNION ALL SELECT s.setrole, s.xmin FROM pg_catalog.pg_db_role_setting s WHERE s.setdatabase = 0
)
SELECT pg_catalog.count(*)::pg_catalog.text || '.' || pg_catalog.sum(pg_catalog.hashint8extended(
    m.oid::pg_catalog.int8, m.xmin::pg_catalog.text::pg_catalog.int8))::pg_catalog.text
FROM mark m)
