-- A section of catalog.sql for an adopted database: the roles that its login may SET ROLE to, with their settings by ALTER
-- ROLE that any role may set.
UNION ALL
SELECT 'role', pg_catalog.json_build_object('name', r.rolname, 'settings', pg_catalog.json_agg(s.setting ORDER BY s.place))::pg_catalog.text
FROM pg_catalog.pg_roles r
CROSS JOIN LATERAL pg_catalog.unnest(r.rolconfig) WITH ORDINALITY s(setting, place)
JOIN pg_catalog.pg_settings p
  ON pg_catalog.lower(p.name) = pg_catalog.lower(pg_catalog.split_part(s.setting, '=', 1)) AND p.context = 'user'
WHERE pg_catalog.pg_has_role(r.oid, 'MEMBER')
GROUP BY r.oid, r.rolname
