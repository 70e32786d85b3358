-- The objects of a project that its migrations made: kind, name as it is written in SQL, and what it belongs to.
-- Runs as the project's owner with search_path = svc_views, pg_catalog: in a shared database the names below are filtered views.
-- In the order in which they are dropped: what depends on a table goes with it.
SELECT kind, name FROM (
    SELECT 1 AS place, 'SCHEMA' AS kind, nspname::text AS name
    FROM pg_namespace WHERE nspname ~ :'further'
    UNION ALL
    SELECT 2, 'STORAGE POLICY', format('%I ON storage.%I', policyname, tablename)
    FROM pg_policies WHERE schemaname = 'storage' AND policyname NOT LIKE 'svc\_%'
    UNION ALL
    SELECT 2, 'REALTIME POLICY', format('%I ON realtime.%I', policyname, tablename)
    FROM pg_policies WHERE schemaname = 'realtime' AND policyname NOT LIKE 'svc\_%'
    UNION ALL
    SELECT 3, 'USER TRIGGER', format('%I ON auth.users', t.tgname)
    FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
    JOIN pg_namespace s ON s.oid = p.pronamespace
    WHERE NOT t.tgisinternal AND s.nspname = :'schema' AND c.relname = 'users' AND c.relnamespace <> s.oid
    UNION ALL
    SELECT CASE c.relkind WHEN 'v' THEN 4 WHEN 'm' THEN 5 ELSE 6 END,
        CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE'
            ELSE 'TABLE' END,
        quote_ident(c.relname)
    FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE s.nspname = :'schema' AND c.relkind IN ('v', 'm', 'f', 'r', 'p') AND NOT c.relispartition
    UNION ALL
    SELECT 7, 'SEQUENCE', quote_ident(c.relname)
    FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = :'schema' AND c.relkind = 'S'
    UNION ALL
    SELECT 8, CASE p.prokind WHEN 'p' THEN 'PROCEDURE' WHEN 'a' THEN 'AGGREGATE' ELSE 'FUNCTION' END,
        format('%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid))
    FROM pg_proc p JOIN pg_namespace s ON s.oid = p.pronamespace WHERE s.nspname = :'schema'
    UNION ALL
    SELECT 9, CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, quote_ident(t.typname)
    FROM pg_type t JOIN pg_namespace s ON s.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE s.nspname = :'schema' AND (t.typtype IN ('d', 'e', 'r') OR t.typtype = 'c' AND c.relkind = 'c')
) AS object
ORDER BY place, name
