-- What clients ask of the catalog before their user has typed anything, and for the lists that they show. One statement a
-- paragraph; the client is named in front of it.

-- psql: \l
SELECT d.datname as "Name", pg_catalog.pg_get_userbyid(d.datdba) as "Owner",
  pg_catalog.pg_encoding_to_char(d.encoding) as "Encoding", d.datcollate, d.datctype,
  CASE WHEN pg_catalog.array_length(d.datacl, 1) = 0 THEN '(none)' ELSE pg_catalog.array_to_string(d.datacl, E'\n') END
FROM pg_catalog.pg_database d ORDER BY 1

-- psql: \l+
SELECT d.datname, CASE WHEN pg_catalog.has_database_privilege(d.datname, 'CONNECT')
  THEN pg_catalog.pg_size_pretty(pg_catalog.pg_database_size(d.datname)) ELSE 'No Access' END,
  t.spcname, pg_catalog.shobj_description(d.oid, 'pg_database')
FROM pg_catalog.pg_database d JOIN pg_catalog.pg_tablespace t on d.dattablespace = t.oid

-- psql: \du
SELECT r.rolname, r.rolsuper, r.rolinherit, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin, r.rolconnlimit, r.rolvaliduntil,
  r.rolreplication, r.rolbypassrls FROM pg_catalog.pg_roles r WHERE r.rolname !~ '^pg_' ORDER BY 1

-- psql: \ddp
SELECT pg_catalog.pg_get_userbyid(d.defaclrole), n.nspname, d.defaclobjtype, pg_catalog.array_to_string(d.defaclacl, E'\n')
FROM pg_catalog.pg_default_acl d LEFT JOIN pg_catalog.pg_namespace n ON n.oid = d.defaclnamespace ORDER BY 1, 2, 3

-- psql: \dy
SELECT evtname, evtevent, pg_catalog.pg_get_userbyid(e.evtowner), e.evtenabled FROM pg_catalog.pg_event_trigger e ORDER BY 1

-- psql: \des
SELECT s.srvname, pg_catalog.pg_get_userbyid(s.srvowner), f.fdwname FROM pg_catalog.pg_foreign_server s
JOIN pg_catalog.pg_foreign_data_wrapper f ON f.oid = s.srvfdw ORDER BY 1

-- psql: \dRs
SELECT subname, pg_catalog.pg_get_userbyid(subowner), subenabled, subpublications FROM pg_catalog.pg_subscription
WHERE subdbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) ORDER BY 1

-- pgjdbc: getCatalogs
SELECT datname AS "TABLE_CAT" FROM pg_catalog.pg_database WHERE datallowconn = true ORDER BY datname

-- pgjdbc: getPrimaryKeys
SELECT result."TABLE_CAT", result."TABLE_SCHEM", result."TABLE_NAME", result."COLUMN_NAME", result."KEY_SEQ", result."PK_NAME"
FROM (SELECT current_database() AS "TABLE_CAT", n.nspname AS "TABLE_SCHEM", ct.relname AS "TABLE_NAME",
  a.attname AS "COLUMN_NAME", (information_schema._pg_expandarray(i.indkey)).n AS "KEY_SEQ", ci.relname AS "PK_NAME",
  information_schema._pg_expandarray(i.indkey) AS "KEYS", a.attnum AS "A_ATTNUM", i.indnkeyatts AS "KEY_COUNT"
  FROM pg_catalog.pg_class ct JOIN pg_catalog.pg_attribute a ON (ct.oid = a.attrelid)
  JOIN pg_catalog.pg_namespace n ON (ct.relnamespace = n.oid) JOIN pg_catalog.pg_index i ON ( a.attrelid = i.indrelid)
  JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid) WHERE true AND i.indisprimary) result
WHERE result."A_ATTNUM" = (result."KEYS").x ORDER BY result."TABLE_NAME", result."PK_NAME", result."KEY_SEQ"

-- pgjdbc: the length of an index, and of names
SELECT setting FROM pg_catalog.pg_settings WHERE name = 'max_index_keys'

-- pgjdbc: getImportedKeys
SELECT NULL::text AS "PKTABLE_CAT", pkn.nspname, pkc.relname, pka.attname, fkn.nspname, fkc.relname, fka.attname, pos.n,
  con.confupdtype, con.confdeltype, con.conname FROM pg_catalog.pg_namespace pkn, pg_catalog.pg_class pkc,
  pg_catalog.pg_attribute pka, pg_catalog.pg_namespace fkn, pg_catalog.pg_class fkc, pg_catalog.pg_attribute fka,
  pg_catalog.pg_constraint con, pg_catalog.generate_series(1, 32) pos(n), pg_catalog.pg_class pkic
WHERE pkn.oid = pkc.relnamespace AND pkc.oid = pka.attrelid AND pka.attnum = con.confkey[pos.n] AND con.confrelid = pkc.oid
  AND fkn.oid = fkc.relnamespace AND fkc.oid = fka.attrelid AND fka.attnum = con.conkey[pos.n] AND con.conrelid = fkc.oid
  AND con.contype = 'f' AND pkic.relkind = 'i' AND con.conindid = pkic.oid

-- pgcli
SELECT d.datname FROM pg_catalog.pg_database d ORDER BY 1

-- pgcli
SELECT n_a.nspname, c_a.relname FROM pg_catalog.pg_class c_a JOIN pg_catalog.pg_namespace n_a ON n_a.oid = c_a.relnamespace
WHERE c_a.relkind = ANY ('{r,p,f}')

-- Sequelize, Knex, Prisma
SHOW SERVER_VERSION

-- Prisma
SELECT name, setting FROM pg_settings WHERE name IN ('max_connections', 'server_version_num', 'TimeZone')

-- Drizzle
SELECT rolname, rolinherit, rolcreatedb, rolcreaterole FROM pg_roles

-- DataGrip
select N.oid::bigint as id, N.xmin as state_number, nspname as name, D.description, pg_catalog.pg_get_userbyid(N.nspowner)
from pg_catalog.pg_namespace N left join pg_catalog.pg_description D on N.oid = D.objoid

-- DataGrip
select T.oid as table_id, relname, T.relkind, pg_catalog.age(T.xmin) as age, T.xmin as state_number, T.tableoid
from pg_catalog.pg_class T where relkind in ('r', 'm', 'v', 'p') order by T.xmin::text

-- DataGrip
select L.transactionid::varchar::bigint as transaction_id from pg_catalog.pg_locks L where L.transactionid is not null
order by pg_catalog.age(L.transactionid) desc limit 1

-- DataGrip
select O.oid as op_id, O.xmin as state_number, oprname from pg_catalog.pg_operator O where O.oprnamespace = 11 limit 1

-- DataGrip
select fdw.oid as id, fdw.fdwname, srv.srvname from pg_catalog.pg_foreign_data_wrapper fdw
left join pg_catalog.pg_foreign_server srv on srv.srvfdw = fdw.oid left join pg_catalog.pg_user_mappings m on m.srvid = srv.oid

-- DBeaver
SELECT db.oid, db.* FROM pg_catalog.pg_database db WHERE datname = current_database()

-- DBeaver
select * from pg_catalog.pg_settings where name = 'standard_conforming_strings'

-- DBeaver
SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace n
LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = n.oid AND d.objsubid = 0 AND d.classoid = 'pg_namespace'::regclass

-- DBeaver
SELECT DISTINCT dep.deptype, dep.classid, dep.objid, cl.relkind, attr.attname,
  pg_catalog.pg_describe_object(dep.classid, dep.objid, dep.objsubid) AS description
FROM pg_catalog.pg_depend dep LEFT JOIN pg_catalog.pg_class cl ON dep.objid = cl.oid
LEFT JOIN pg_catalog.pg_attribute attr ON dep.objid = attr.attrelid AND dep.objsubid = attr.attnum

-- DBeaver
SELECT a.*, d.description FROM pg_catalog.pg_user a LEFT JOIN pg_catalog.pg_shdescription d ON d.objoid = a.usesysid

-- pgAdmin
SELECT db.oid as did, db.datname as name, ta.spcname, db.datallowconn, pg_catalog.pg_encoding_to_char(db.encoding),
  pg_catalog.pg_get_userbyid(datdba), db.datcollate, has_database_privilege(db.oid, 'CREATE') as cancreate
FROM pg_catalog.pg_database db LEFT OUTER JOIN pg_catalog.pg_tablespace ta ON db.dattablespace = ta.oid

-- pgAdmin
SELECT pid, datname, usename, application_name, client_addr, pg_catalog.to_char(backend_start, 'YYYY-MM-DD') AS backend_start,
  wait_event_type || ': ' || wait_event AS wait_event, query, state FROM pg_catalog.pg_stat_activity ORDER BY pid

-- pgAdmin
SELECT pid, locktype, datname, relation::regclass, page, tuple, virtualxid, transactionid, classid::regclass, objid, mode, granted
FROM pg_catalog.pg_locks l LEFT OUTER JOIN pg_catalog.pg_database d ON (l.database = d.oid) ORDER BY pid, locktype

-- pgAdmin
SELECT gid, database, owner, transaction, prepared FROM pg_catalog.pg_prepared_xacts ORDER BY gid

-- pgAdmin
SELECT st.*, pg_catalog.pg_size_pretty(pg_catalog.pg_total_relation_size(st.relid)) FROM pg_catalog.pg_stat_all_tables st
JOIN pg_catalog.pg_statio_all_tables io ON io.relid = st.relid ORDER BY st.relname

-- Supabase's command line: inspect db cache-hit
SELECT 'index hit rate' AS name, (sum(idx_blks_hit)) / nullif(sum(idx_blks_hit + idx_blks_read), 0) AS ratio
FROM pg_statio_user_indexes UNION ALL
SELECT 'table hit rate', sum(heap_blks_hit) / nullif(sum(heap_blks_hit) + sum(heap_blks_read), 0) FROM pg_statio_user_tables

-- Supabase's command line: inspect db locks
SELECT pg_stat_activity.pid, COALESCE(pg_class.relname, 'null') AS relname, pg_locks.granted, query,
  age(now(), pg_stat_activity.query_start) AS age
FROM pg_stat_activity, pg_locks LEFT OUTER JOIN pg_class ON (pg_locks.relation = pg_class.oid)
WHERE pg_stat_activity.pid = pg_locks.pid AND pg_locks.mode = 'ExclusiveLock' ORDER BY query_start

-- Supabase's command line: inspect db bloat
SELECT schemaname, tablename, SUM((1 - null_frac) * avg_width) AS datawidth, MAX(null_frac) AS maxfracsum
FROM pg_stats GROUP BY 1, 2

-- Supabase's command line: inspect db db-stats
SELECT pg_size_pretty(pg_database_size(current_database())), (SELECT count(*) FROM pg_stat_database),
  (SELECT setting FROM pg_settings WHERE name = 'max_connections')

-- Supabase's command line: inspect db replication-slots
SELECT s.slot_name, s.active, a.client_addr FROM pg_replication_slots s
LEFT JOIN pg_stat_replication r ON s.active_pid = r.pid LEFT JOIN pg_stat_activity a ON a.pid = r.pid

-- Supabase's dashboard and MCP server: extensions
SELECT e.name, n.nspname AS schema, e.default_version, x.extversion AS installed_version, e.comment
FROM pg_available_extensions() e(name, default_version, comment) LEFT JOIN pg_extension x ON e.name = x.extname
LEFT JOIN pg_namespace n ON x.extnamespace = n.oid

-- Rails
SELECT extname, name, default_version FROM pg_extension JOIN pg_available_extensions ON name = extname

-- Npgsql
SELECT ns.nspname, t.oid, t.typname, t.typtype, t.typnotnull, t.elemtypoid FROM (
  SELECT typ.oid, typ.typnamespace, typ.typname, typ.typtype, typ.typrelid, typ.typnotnull, typ.relkind, elemtyp.oid AS elemtypoid
  FROM (SELECT typ.oid, typnamespace, typname, typrelid, typnotnull, relkind, typelem AS elemoid,
      CASE WHEN proc.proname = 'array_recv' THEN 'a' ELSE typ.typtype END AS typtype
    FROM pg_type AS typ LEFT JOIN pg_class AS cls ON (cls.oid = typ.typrelid)
    LEFT JOIN pg_proc AS proc ON proc.oid = typ.typreceive LEFT JOIN pg_range ON (pg_range.rngtypid = typ.oid)) AS typ
  LEFT JOIN pg_type AS elemtyp ON elemtyp.oid = elemoid) AS t JOIN pg_namespace AS ns ON (ns.oid = typnamespace)
WHERE typtype IN ('b', 'r', 'm', 'e', 'd')

-- Django
SELECT c.relname, CASE WHEN c.relispartition THEN 'p' WHEN c.relkind IN ('m', 'v') THEN 'v' ELSE 't' END,
  obj_description(c.oid, 'pg_class') FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('f', 'm', 'p', 'r', 'v') AND n.nspname NOT IN ('pg_catalog', 'pg_toast')
  AND pg_catalog.pg_table_is_visible(c.oid)
