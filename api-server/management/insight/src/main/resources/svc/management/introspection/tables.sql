-- A section of facts.sql that only a list of tables needs.
UNION ALL
SELECT 'comments', coalesce(json_agg(json_build_array(d.objoid::int8, d.objsubid, left(d.description, 300))), '[]')::text
FROM pg_description d
WHERE d.classoid = 'pg_class'::regclass AND d.objsubid = 0 AND d.objoid IN (
    SELECT oid FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace IN (SELECT oid FROM namespace))
