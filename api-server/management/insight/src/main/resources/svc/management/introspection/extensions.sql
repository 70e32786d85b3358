-- The extensions of a project's database, the installed ones first. In a shared database those are all that there are.
SELECT coalesce(e.extname, a.name)::text, coalesce(s.nspname, '')::text, coalesce(a.default_version, e.extversion),
    coalesce(e.extversion, ''), coalesce(left(a.comment, 200), '')
FROM pg_extension e
FULL JOIN pg_available_extensions a ON a.name = e.extname
LEFT JOIN pg_namespace s ON s.oid = e.extnamespace
ORDER BY e.extname IS NULL, 1
LIMIT 300
