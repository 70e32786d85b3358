-- A section of catalog.sql for a database of the platform's making: what the project has set for its callers. A role can change its
-- own settings by composed SQL: others than these are not taken.
UNION ALL
SELECT 'role', pg_catalog.json_build_object('name', r.name, 'settings', pg_catalog.json_agg(s.setting ORDER BY s.place))::pg_catalog.text
FROM namespace n
CROSS JOIN LATERAL (VALUES (n.nspname || '_anon'), (n.nspname || '_authenticated')) r (name)
JOIN pg_catalog.pg_db_role_setting c
  ON c.setrole = pg_catalog.to_regrole(r.name)::pg_catalog.oid AND c.setdatabase = 0
CROSS JOIN LATERAL pg_catalog.unnest(c.setconfig) WITH ORDINALITY s (setting, place)
CROSS JOIN LATERAL (SELECT pg_catalog.split_part(s.setting, '=', 1) AS name) p
WHERE p.name IN ('statement_timeout', 'lock_timeout')
   OR pg_catalog.strpos(p.name, '.') > 1
      AND pg_catalog.split_part(p.name, '.', 1) NOT IN ('svc', 'plpgsql', 'request', 'pgrst', 'response')
GROUP BY r.name
