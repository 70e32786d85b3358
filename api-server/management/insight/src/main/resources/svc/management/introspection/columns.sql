-- Sections of facts.sql that only a list of tables with their columns needs. A constraint of a single column is shown with it.
UNION ALL
SELECT 'column_comments', coalesce(json_agg(json_build_array(d.objoid::int8, d.objsubid, left(d.description, 300))), '[]')::text
FROM pg_description d
WHERE d.classoid = 'pg_class'::regclass AND d.objsubid > 0 AND d.objoid IN (
    SELECT oid FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace IN (SELECT oid FROM namespace))
UNION ALL
SELECT 'defaults', coalesce(json_agg(json_build_array(adrelid::int8, adnum, left(pg_get_expr(adbin, adrelid), 300))), '[]')::text
FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM pg_class WHERE relnamespace IN (SELECT oid FROM namespace))
UNION ALL
SELECT 'checks', coalesce(json_agg(json_build_array(
    conrelid::int8, conkey[1], left(pg_get_expr(conbin, conrelid, true), 300)) ORDER BY oid), '[]')::text
FROM pg_constraint
WHERE contype = 'c' AND cardinality(conkey) = 1 AND conrelid IN (
    SELECT oid FROM pg_class WHERE relnamespace IN (SELECT oid FROM namespace))
