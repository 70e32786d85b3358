-- A section of facts.sql that only types need, last because its rows are the longest: what the limits of an answer cut off
-- are relationships of views. Whether a view's rows can be changed takes a lock on it, and lock_timeout bounds the wait.
UNION ALL
SELECT 'view', json_build_array(v.oid::int8, v.events, (
        SELECT json_agg(a.attnum ORDER BY a.attnum) FROM pg_attribute a
        WHERE v.events & 12 <> 0 AND a.attrelid = v.oid AND a.attnum > 0
          AND pg_column_is_updatable(v.oid::regclass, a.attnum, true)),
    CASE WHEN octet_length(w.ev_action::text) < 1000000 THEN w.ev_action::text ELSE '' END)::text
FROM (
    SELECT oid, relname, CASE WHEN relkind = 'v' THEN pg_relation_is_updatable(oid::regclass, true) ELSE 0 END AS events
    FROM pg_class WHERE relkind IN ('v', 'm') AND relnamespace IN (SELECT oid FROM namespace)) v
JOIN pg_rewrite w ON w.ev_class = v.oid AND w.rulename = '_RETURN'
