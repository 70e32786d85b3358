-- Every part of the database that is not the attacker's schema $S or a further one, with a hash of it. Companions ($S_auth …) count as
-- outside, but for the triggers and policies that a project may put there. A row of a catalog that has the same xmin is the
-- same row.
WITH foreign_schema AS MATERIALIZED (
    SELECT oid, nspname, nspname LIKE '$S\_%' AS companion FROM pg_namespace
    WHERE nspname <> '$S' AND nspname NOT LIKE '$S\_\_%' AND nspname !~ '^pg_toast|^pg_temp_'
), attacker AS MATERIALIZED (
    SELECT oid FROM pg_authid WHERE rolname LIKE '$S\_%'
), neighbours AS MATERIALIZED (
    SELECT d.classid, d.objid FROM pg_depend d JOIN pg_namespace n ON n.oid = d.refobjid
    WHERE d.refclassid = 'pg_namespace'::regclass AND (n.nspname = '$N' OR n.nspname LIKE '$N\_%')
), relation AS MATERIALIZED (
    SELECT c.*, n.nspname, n.companion FROM pg_class c JOIN foreign_schema n ON n.oid = c.relnamespace
)
SELECT 'relations of ' || nspname, md5(string_agg(concat_ws(' ', oid, relname, relowner, relacl, relkind, relpersistence,
    relrowsecurity, relforcerowsecurity, reloptions, reltablespace, relnatts, relreplident, relispartition, relam,
    CASE WHEN nspname LIKE '$N%' THEN relfilenode END), ',' ORDER BY oid))
FROM relation GROUP BY nspname
UNION ALL
SELECT 'columns of ' || r.nspname, md5(string_agg(concat_ws(' ', a.attrelid, a.attnum, a.xmin), ',' ORDER BY a.attrelid, a.attnum))
FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid GROUP BY r.nspname
UNION ALL
SELECT 'defaults of ' || r.nspname, md5(string_agg(d::text, ',' ORDER BY d.oid))
FROM relation r JOIN pg_attrdef d ON d.adrelid = r.oid GROUP BY r.nspname
UNION ALL
SELECT 'indexes of ' || r.nspname, md5(string_agg(i::text, ',' ORDER BY i.indexrelid))
FROM relation r JOIN pg_index i ON i.indrelid = r.oid GROUP BY r.nspname
UNION ALL
SELECT 'constraints of ' || n.nspname, md5(string_agg(concat(k.oid, ' ', k.xmin), ',' ORDER BY k.oid))
FROM foreign_schema n JOIN pg_constraint k ON k.connamespace = n.oid GROUP BY n.nspname
UNION ALL
SELECT 'functions of ' || n.nspname, md5(string_agg(concat(p.oid, ' ', p.xmin), ',' ORDER BY p.oid))
FROM foreign_schema n JOIN pg_proc p ON p.pronamespace = n.oid GROUP BY n.nspname
UNION ALL
SELECT 'types of ' || n.nspname, md5(string_agg(concat(t.oid, ' ', t.xmin), ',' ORDER BY t.oid))
FROM foreign_schema n JOIN pg_type t ON t.typnamespace = n.oid GROUP BY n.nspname
UNION ALL
SELECT 'triggers of ' || r.nspname, md5(string_agg(t::text, ',' ORDER BY t.oid))
FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT r.companion GROUP BY r.nspname
UNION ALL
SELECT 'policies of ' || r.nspname, md5(string_agg(p::text, ',' ORDER BY p.oid))
FROM relation r JOIN pg_policy p ON p.polrelid = r.oid WHERE NOT r.companion OR p.polname LIKE 'svc\_%' GROUP BY r.nspname
UNION ALL
SELECT 'rules of ' || r.nspname, md5(string_agg(w::text, ',' ORDER BY w.oid))
FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid GROUP BY r.nspname
UNION ALL
SELECT 'schemas', md5(string_agg(n::text, ',' ORDER BY n.oid)) FROM pg_namespace n
WHERE n.nspname !~ '^pg_(toast_)?temp_' AND n.nspname NOT LIKE '$S\_\_%'
UNION ALL
SELECT 'roles', md5(string_agg(a::text, ',' ORDER BY a.oid)) FROM pg_authid a
UNION ALL
SELECT 'settings of roles', md5(string_agg(s::text, ',' ORDER BY s.setdatabase, s.setrole)) FROM pg_db_role_setting s
UNION ALL
SELECT 'memberships', md5(string_agg(m::text, ',' ORDER BY m.oid)) FROM pg_auth_members m
UNION ALL
SELECT 'databases', md5(string_agg(concat_ws(' ', d.datname, d.datdba, d.datacl, d.datconnlimit, d.datallowconn), ',' ORDER BY oid))
FROM pg_database d
UNION ALL
SELECT 'default privileges of others', md5(string_agg(d::text, ',' ORDER BY d.oid)) FROM pg_default_acl d
WHERE d.defaclrole NOT IN (SELECT oid FROM attacker)
UNION ALL
SELECT 'what depends on roles of others', md5(string_agg(s::text, ',' ORDER BY s::text)) FROM pg_shdepend s
WHERE s.refclassid = 'pg_authid'::regclass AND s.refobjid NOT IN (SELECT oid FROM attacker)
    AND (s.classid <> 'pg_namespace'::regclass OR s.objid NOT IN (SELECT oid FROM pg_namespace WHERE nspname LIKE '$S\_\_%'))
UNION ALL
SELECT 'what depends on the neighbour', md5(string_agg(d::text, ',' ORDER BY d::text)) FROM pg_depend d
WHERE (d.refclassid, d.refobjid) IN (SELECT classid, objid FROM neighbours)
UNION ALL
SELECT 'what inherits from or is part of others', md5(string_agg(i::text, ',' ORDER BY i::text)) FROM pg_inherits i
WHERE i.inhparent IN (SELECT oid FROM relation) OR i.inhrelid IN (SELECT oid FROM relation)
UNION ALL
SELECT 'comments of others', md5(string_agg(d::text, ',' ORDER BY d::text)) FROM pg_description d
WHERE d.objoid < 16384 OR (d.classoid, d.objoid) IN (SELECT classid, objid FROM neighbours)
    OR d.objoid IN (SELECT oid FROM foreign_schema)
UNION ALL
-- A grant that gives nothing writes the default down: the same rights in other words.
SELECT 'catalog pg_language', (SELECT string_agg(
    (l.oid, l.lanname, l.lanowner, l.lanpltrusted, coalesce(l.lanacl, acldefault('l', l.lanowner)))::text, ',' ORDER BY l.oid)
    FROM pg_catalog.pg_language l)
UNION ALL
SELECT 'catalog ' || c, query_to_xml(format('SELECT md5(string_agg(x::text, '','' ORDER BY x::text)) FROM pg_catalog.%I x', c),
    false, true, '')::text
FROM unnest(ARRAY['pg_am', 'pg_cast', 'pg_event_trigger', 'pg_extension', 'pg_foreign_data_wrapper', 'pg_foreign_server',
    'pg_foreign_table', 'pg_init_privs', 'pg_largeobject_metadata', 'pg_parameter_acl', 'pg_prepared_xacts',
    'pg_publication', 'pg_publication_namespace', 'pg_publication_rel', 'pg_replication_origin', 'pg_seclabel',
    'pg_shdescription', 'pg_shseclabel', 'pg_subscription', 'pg_tablespace', 'pg_transform', 'pg_user_mapping']) c
UNION ALL
SELECT 'catalog ' || c, query_to_xml(format(
    'SELECT md5(string_agg(x::text, '','' ORDER BY x::text)) FROM pg_catalog.%I x WHERE %I <> ''$S''::regnamespace', c, n),
    false, true, '')::text
FROM (VALUES ('pg_collation', 'collnamespace'), ('pg_conversion', 'connamespace'), ('pg_opclass', 'opcnamespace'),
    ('pg_operator', 'oprnamespace'), ('pg_opfamily', 'opfnamespace'), ('pg_statistic_ext', 'stxnamespace'),
    ('pg_ts_config', 'cfgnamespace'), ('pg_ts_dict', 'dictnamespace'), ('pg_ts_parser', 'prsnamespace'),
    ('pg_ts_template', 'tmplnamespace')) AS k (c, n)
UNION ALL
SELECT 'replication slots', coalesce(string_agg(slot_name, ','), 'none') FROM pg_replication_slots
UNION ALL
SELECT 'rows of ' || oid::regclass, query_to_xml(format('SELECT md5(string_agg(%1$s, '','' ORDER BY %1$s)) FROM %2$s x',
    CASE relkind WHEN 'S' THEN 'concat(x.last_value, x.is_called)' ELSE 'x::text' END, oid::regclass), false, true, '')::text
FROM relation WHERE relkind IN ('r', 'm', 'S') AND (nspname LIKE '$N%' OR nspname IN ('svc_guard', 'svc_platform'))
    AND relname NOT IN ('schema_version', 'realtime_publication', 'object_count', 'project_extension')
UNION ALL
SELECT 'schema versions of others', md5(string_agg(v::text, ',' ORDER BY v.schema_name)) FROM svc_guard.schema_version v
WHERE v.schema_name <> '$S'
UNION ALL
SELECT 'published tables of others', coalesce(md5(string_agg(p::text, ',' ORDER BY p::text)), 'none')
FROM svc_guard.realtime_publication p WHERE p.schema_name <> '$S'
UNION ALL
SELECT 'object counts of others', coalesce(md5(string_agg(o::text, ',' ORDER BY o::text)), 'none')
FROM svc_guard.object_count o WHERE o.schema_name <> '$S'
UNION ALL
SELECT 'extensions of others', coalesce(md5(string_agg(e::text, ',' ORDER BY e::text)), 'none')
FROM svc_guard.project_extension e WHERE e.schema_name <> '$S'
UNION ALL
SELECT 'secrets of others', coalesce(md5(string_agg(s::text, ',' ORDER BY s::text)), 'none')
FROM svc_vault.secret s WHERE s.schema_name <> '$S'
UNION ALL
SELECT 'files for sorting', coalesce(string_agg(f.name, ','), 'none') FROM pg_ls_tmpdir() f
UNION ALL
SELECT 'file of an attack', coalesce(pg_stat_file('$F', true)::text, 'none')
