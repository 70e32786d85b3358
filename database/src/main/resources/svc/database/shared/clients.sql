-- What clients read of the catalog beside the objects of the project: when they connect, and for a dump or a list of what
-- goes on. The rules of views.sql hold here as well.
--
-- Hazards that shape this file:
--   * What the server says of all sessions, locks and objects of the cluster is every tenant's. A view that would have to be
--     filtered by them is empty, with the server's columns: a client then finds none.
--   * pg_locks takes the locks of the whole lock table while it is read: a tenant that reads it in a loop would stop others.
--   * Values in pg_stats are samples of rows, which row security may keep from their reader.

--@ view svc_views.pg_database
CREATE OR REPLACE VIEW svc_views.pg_database WITH (security_barrier) AS
SELECT r.* FROM pg_catalog.pg_database d
CROSS JOIN LATERAL pg_catalog.jsonb_populate_record(d, '{"datacl": null}'::pg_catalog.jsonb) r
WHERE d.datname = pg_catalog.current_database();
GRANT SELECT ON svc_views.pg_database TO PUBLIC;

--@ view svc_views.pg_default_acl
CREATE OR REPLACE VIEW svc_views.pg_default_acl WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_default_acl x
WHERE x.defaclnamespace IN (SELECT o.oid FROM svc_guard.own_namespace o);
GRANT SELECT ON svc_views.pg_default_acl TO PUBLIC;

--@ view svc_views.pg_conversion
CREATE OR REPLACE VIEW svc_views.pg_conversion WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_conversion x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_conversion TO PUBLIC;

--@ view svc_views.pg_ts_parser
CREATE OR REPLACE VIEW svc_views.pg_ts_parser WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_ts_parser x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_ts_parser TO PUBLIC;

--@ view svc_views.pg_ts_template
CREATE OR REPLACE VIEW svc_views.pg_ts_template WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_ts_template x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_ts_template TO PUBLIC;

--@ view svc_views.pg_opfamily
CREATE OR REPLACE VIEW svc_views.pg_opfamily WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_opfamily x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_opfamily TO PUBLIC;

--@ view svc_views.pg_amop
CREATE OR REPLACE VIEW svc_views.pg_amop WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_amop x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_amop TO PUBLIC;

--@ view svc_views.pg_amproc
CREATE OR REPLACE VIEW svc_views.pg_amproc WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_amproc x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_amproc TO PUBLIC;

--@ view svc_views.pg_ts_config_map
CREATE OR REPLACE VIEW svc_views.pg_ts_config_map WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_ts_config_map x WHERE x.mapcfg IN (SELECT c.oid FROM svc_views.pg_ts_config c);
GRANT SELECT ON svc_views.pg_ts_config_map TO PUBLIC;

--@ view svc_views.pg_available_extension_versions
CREATE OR REPLACE VIEW svc_views.pg_available_extension_versions WITH (security_barrier) AS
SELECT e.extname AS name, e.extversion AS version, true AS installed, false AS superuser, true AS trusted,
       e.extrelocatable AS relocatable, 'extensions'::name AS schema, NULL::name[] AS requires, NULL::text AS comment
FROM svc_views.pg_extension e;
GRANT SELECT ON svc_views.pg_available_extension_versions TO PUBLIC;

--@ view svc_views.pg_stats
CREATE OR REPLACE VIEW svc_views.pg_stats WITH (security_barrier) AS
SELECT n.nspname AS schemaname, c.relname AS tablename, a.attname, s.stainherit AS inherited, s.stanullfrac AS null_frac,
       s.stawidth AS avg_width, s.stadistinct AS n_distinct, NULL::text AS most_common_vals,
       NULL::real[] AS most_common_freqs, NULL::text AS histogram_bounds, NULL::real AS correlation,
       NULL::text AS most_common_elems, NULL::real[] AS most_common_elem_freqs, NULL::real[] AS elem_count_histogram,
       NULL::text AS range_length_histogram, NULL::real AS range_empty_frac, NULL::text AS range_bounds_histogram
FROM svc_guard.own_relation o
JOIN pg_catalog.pg_statistic s ON s.starelid = o.oid
JOIN pg_catalog.pg_class c ON c.oid = s.starelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = s.starelid AND a.attnum = s.staattnum AND NOT a.attisdropped;
GRANT SELECT ON svc_views.pg_stats TO PUBLIC;

--@ function svc_views.own_activity()
-- Sessions of the reader's own login, without the addresses of the platform's processes.
CREATE OR REPLACE FUNCTION svc_views.own_activity() RETURNS SETOF pg_catalog.pg_stat_activity
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
    SELECT r.* FROM pg_catalog.pg_stat_activity a
    CROSS JOIN LATERAL pg_catalog.jsonb_populate_record(
        a, '{"client_addr": null, "client_hostname": null, "client_port": null}'::pg_catalog.jsonb) r
    WHERE a.usename = session_user
$body$;

--@ view svc_views.pg_stat_activity
CREATE OR REPLACE VIEW svc_views.pg_stat_activity WITH (security_barrier) AS
SELECT a.* FROM svc_views.own_activity() a;
GRANT SELECT ON svc_views.pg_stat_activity TO PUBLIC;

--@ view svc_views.pg_stat_all_tables
CREATE OR REPLACE VIEW svc_views.pg_stat_all_tables WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_table_statistics() s;
GRANT SELECT ON svc_views.pg_stat_all_tables TO PUBLIC;

--@ view svc_views.pg_stat_all_indexes
CREATE OR REPLACE VIEW svc_views.pg_stat_all_indexes WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_index_statistics() s;
GRANT SELECT ON svc_views.pg_stat_all_indexes TO PUBLIC;

--@ function svc_views.own_table_reads()
CREATE OR REPLACE FUNCTION svc_views.own_table_reads() RETURNS SETOF pg_catalog.pg_statio_all_tables
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
    SELECT s.* FROM svc_guard.own_relation o
    CROSS JOIN LATERAL (SELECT * FROM pg_catalog.pg_statio_all_tables a WHERE a.relid = o.oid) s
$body$;

--@ view svc_views.pg_statio_all_tables
CREATE OR REPLACE VIEW svc_views.pg_statio_all_tables WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_table_reads() s;
GRANT SELECT ON svc_views.pg_statio_all_tables TO PUBLIC;

--@ view svc_views.pg_statio_user_tables
CREATE OR REPLACE VIEW svc_views.pg_statio_user_tables WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_table_reads() s;
GRANT SELECT ON svc_views.pg_statio_user_tables TO PUBLIC;

--@ function svc_views.own_index_reads()
CREATE OR REPLACE FUNCTION svc_views.own_index_reads() RETURNS SETOF pg_catalog.pg_statio_all_indexes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
    SELECT s.* FROM svc_guard.own_relation o
    CROSS JOIN LATERAL (SELECT * FROM pg_catalog.pg_statio_all_indexes a WHERE a.relid = o.oid) s
$body$;

--@ view svc_views.pg_statio_all_indexes
CREATE OR REPLACE VIEW svc_views.pg_statio_all_indexes WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_index_reads() s;
GRANT SELECT ON svc_views.pg_statio_all_indexes TO PUBLIC;

--@ view svc_views.pg_statio_user_indexes
CREATE OR REPLACE VIEW svc_views.pg_statio_user_indexes WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_index_reads() s;
GRANT SELECT ON svc_views.pg_statio_user_indexes TO PUBLIC;

--@ function svc_views.own_sequence_reads()
CREATE OR REPLACE FUNCTION svc_views.own_sequence_reads() RETURNS SETOF pg_catalog.pg_statio_all_sequences
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
    SELECT s.* FROM svc_guard.own_relation o
    CROSS JOIN LATERAL (SELECT * FROM pg_catalog.pg_statio_all_sequences a WHERE a.relid = o.oid) s
$body$;

--@ view svc_views.pg_statio_all_sequences
CREATE OR REPLACE VIEW svc_views.pg_statio_all_sequences WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_sequence_reads() s;
GRANT SELECT ON svc_views.pg_statio_all_sequences TO PUBLIC;

--@ view svc_views.pg_statio_user_sequences
CREATE OR REPLACE VIEW svc_views.pg_statio_user_sequences WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_sequence_reads() s;
GRANT SELECT ON svc_views.pg_statio_user_sequences TO PUBLIC;

-- Of no project, or of all of them together: empty.

--@ view svc_views.pg_locks
CREATE OR REPLACE VIEW svc_views.pg_locks WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_locks x WHERE false;
GRANT SELECT ON svc_views.pg_locks TO PUBLIC;

--@ view svc_views.pg_cursors
CREATE OR REPLACE VIEW svc_views.pg_cursors WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_cursors x WHERE false;
GRANT SELECT ON svc_views.pg_cursors TO PUBLIC;

--@ view svc_views.pg_prepared_statements
CREATE OR REPLACE VIEW svc_views.pg_prepared_statements WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_prepared_statements x WHERE false;
GRANT SELECT ON svc_views.pg_prepared_statements TO PUBLIC;

--@ view svc_views.pg_prepared_xacts
CREATE OR REPLACE VIEW svc_views.pg_prepared_xacts WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_prepared_xacts x WHERE false;
GRANT SELECT ON svc_views.pg_prepared_xacts TO PUBLIC;

--@ view svc_views.pg_shdescription
CREATE OR REPLACE VIEW svc_views.pg_shdescription WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_shdescription x WHERE false;
GRANT SELECT ON svc_views.pg_shdescription TO PUBLIC;

--@ view svc_views.pg_shdepend
CREATE OR REPLACE VIEW svc_views.pg_shdepend WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_shdepend x WHERE false;
GRANT SELECT ON svc_views.pg_shdepend TO PUBLIC;

--@ view svc_views.pg_seclabel
CREATE OR REPLACE VIEW svc_views.pg_seclabel WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_seclabel x WHERE false;
GRANT SELECT ON svc_views.pg_seclabel TO PUBLIC;

--@ view svc_views.pg_shseclabel
CREATE OR REPLACE VIEW svc_views.pg_shseclabel WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_shseclabel x WHERE false;
GRANT SELECT ON svc_views.pg_shseclabel TO PUBLIC;

--@ view svc_views.pg_seclabels
CREATE OR REPLACE VIEW svc_views.pg_seclabels WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_seclabels x WHERE false;
GRANT SELECT ON svc_views.pg_seclabels TO PUBLIC;

--@ view svc_views.pg_event_trigger
CREATE OR REPLACE VIEW svc_views.pg_event_trigger WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_event_trigger x WHERE false;
GRANT SELECT ON svc_views.pg_event_trigger TO PUBLIC;

--@ view svc_views.pg_foreign_data_wrapper
CREATE OR REPLACE VIEW svc_views.pg_foreign_data_wrapper WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_foreign_data_wrapper x WHERE false;
GRANT SELECT ON svc_views.pg_foreign_data_wrapper TO PUBLIC;

--@ view svc_views.pg_foreign_server
CREATE OR REPLACE VIEW svc_views.pg_foreign_server WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_foreign_server x WHERE false;
GRANT SELECT ON svc_views.pg_foreign_server TO PUBLIC;

--@ view svc_views.pg_foreign_table
CREATE OR REPLACE VIEW svc_views.pg_foreign_table WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_foreign_table x WHERE false;
GRANT SELECT ON svc_views.pg_foreign_table TO PUBLIC;

--@ view svc_views.pg_user_mappings
CREATE OR REPLACE VIEW svc_views.pg_user_mappings WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_user_mappings x WHERE false;
GRANT SELECT ON svc_views.pg_user_mappings TO PUBLIC;

--@ view svc_views.pg_subscription
CREATE OR REPLACE VIEW svc_views.pg_subscription WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_subscription x WHERE false;
GRANT SELECT ON svc_views.pg_subscription TO PUBLIC;

--@ view svc_views.pg_subscription_rel
CREATE OR REPLACE VIEW svc_views.pg_subscription_rel WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_subscription_rel x WHERE false;
GRANT SELECT ON svc_views.pg_subscription_rel TO PUBLIC;

--@ view svc_views.pg_largeobject_metadata
CREATE OR REPLACE VIEW svc_views.pg_largeobject_metadata WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_largeobject_metadata x WHERE false;
GRANT SELECT ON svc_views.pg_largeobject_metadata TO PUBLIC;

--@ view svc_views.pg_transform
CREATE OR REPLACE VIEW svc_views.pg_transform WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_transform x WHERE false;
GRANT SELECT ON svc_views.pg_transform TO PUBLIC;

--@ view svc_views.pg_init_privs
CREATE OR REPLACE VIEW svc_views.pg_init_privs WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_init_privs x WHERE false;
GRANT SELECT ON svc_views.pg_init_privs TO PUBLIC;

--@ view svc_views.pg_replication_slots
CREATE OR REPLACE VIEW svc_views.pg_replication_slots WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_replication_slots x WHERE false;
GRANT SELECT ON svc_views.pg_replication_slots TO PUBLIC;

--@ view svc_views.pg_stat_replication
CREATE OR REPLACE VIEW svc_views.pg_stat_replication WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_replication x WHERE false;
GRANT SELECT ON svc_views.pg_stat_replication TO PUBLIC;

--@ view svc_views.pg_stat_subscription
CREATE OR REPLACE VIEW svc_views.pg_stat_subscription WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_subscription x WHERE false;
GRANT SELECT ON svc_views.pg_stat_subscription TO PUBLIC;

--@ view svc_views.pg_stat_database
CREATE OR REPLACE VIEW svc_views.pg_stat_database WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_database x WHERE false;
GRANT SELECT ON svc_views.pg_stat_database TO PUBLIC;

--@ view svc_views.pg_stat_user_functions
CREATE OR REPLACE VIEW svc_views.pg_stat_user_functions WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_user_functions x WHERE false;
GRANT SELECT ON svc_views.pg_stat_user_functions TO PUBLIC;

--@ view svc_views.pg_stat_sys_tables
CREATE OR REPLACE VIEW svc_views.pg_stat_sys_tables WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_sys_tables x WHERE false;
GRANT SELECT ON svc_views.pg_stat_sys_tables TO PUBLIC;

--@ view svc_views.pg_stat_sys_indexes
CREATE OR REPLACE VIEW svc_views.pg_stat_sys_indexes WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_sys_indexes x WHERE false;
GRANT SELECT ON svc_views.pg_stat_sys_indexes TO PUBLIC;

--@ view svc_views.pg_stat_progress_vacuum
CREATE OR REPLACE VIEW svc_views.pg_stat_progress_vacuum WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_progress_vacuum x WHERE false;
GRANT SELECT ON svc_views.pg_stat_progress_vacuum TO PUBLIC;

--@ view svc_views.pg_stat_progress_create_index
CREATE OR REPLACE VIEW svc_views.pg_stat_progress_create_index WITH (security_barrier) AS
SELECT x.* FROM pg_catalog.pg_stat_progress_create_index x WHERE false;
GRANT SELECT ON svc_views.pg_stat_progress_create_index TO PUBLIC;

--@ function svc_views.pg_database_size(name)
-- Of the project's own relations: the database holds those of others as well.
CREATE OR REPLACE FUNCTION svc_views.pg_database_size(name) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN $1 = pg_catalog.current_database() THEN (
    SELECT coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0)::bigint
    FROM svc_guard.own_relations() o (oid) JOIN pg_catalog.pg_class c ON c.oid = o.oid
    WHERE c.relkind IN ('r', 'm', 'S')) END;

--@ function svc_views.pg_database_size(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_database_size(oid) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN svc_views.pg_database_size((SELECT d.datname FROM pg_catalog.pg_database d WHERE d.oid = $1));

--@ function svc_views.pg_tablespace_location(oid)
-- Projects see the server's own tablespaces alone, and these lie in its data folder.
CREATE OR REPLACE FUNCTION svc_views.pg_tablespace_location(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN $1 < 16384 THEN '' END;

--@ function svc_views.pg_describe_object(oid,oid,integer)
-- In a tenant's query 'pg_class'::regclass is the view of that name.
CREATE OR REPLACE FUNCTION svc_views.pg_describe_object(oid, oid, integer) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (
    SELECT pg_catalog.pg_describe_object(o.classid, o.objid, $3) FROM svc_guard.own_objects() o
    WHERE o.objid = $2 AND o.classid = coalesce((
        SELECT r.oid FROM pg_catalog.pg_class v JOIN pg_catalog.pg_class r
          ON r.relname = v.relname AND r.relnamespace = 'pg_catalog'::regnamespace
        WHERE v.oid = $1 AND v.relnamespace = 'svc_views'::regnamespace), $1)
    LIMIT 1);

--@ function svc_views.pg_available_extensions()
CREATE OR REPLACE FUNCTION svc_views.pg_available_extensions(OUT name name, OUT default_version text, OUT comment text)
RETURNS SETOF record LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$ SELECT e.name, e.default_version, e.comment FROM svc_views.pg_available_extensions e $body$;

--@ view svc_views.pg_stat_statements
-- The columns that the extension has in PostgreSQL 18, and no rows: its numbers and texts are those of all projects of the server.
CREATE OR REPLACE VIEW svc_views.pg_stat_statements WITH (security_barrier) AS
SELECT NULL::oid AS userid, NULL::oid AS dbid, NULL::boolean AS toplevel, NULL::bigint AS queryid,
       NULL::text AS query, NULL::bigint AS plans, NULL::double precision AS total_plan_time,
       NULL::double precision AS min_plan_time, NULL::double precision AS max_plan_time,
       NULL::double precision AS mean_plan_time, NULL::double precision AS stddev_plan_time, NULL::bigint AS calls,
       NULL::double precision AS total_exec_time, NULL::double precision AS min_exec_time,
       NULL::double precision AS max_exec_time, NULL::double precision AS mean_exec_time,
       NULL::double precision AS stddev_exec_time, NULL::bigint AS rows, NULL::bigint AS shared_blks_hit,
       NULL::bigint AS shared_blks_read, NULL::bigint AS shared_blks_dirtied, NULL::bigint AS shared_blks_written,
       NULL::bigint AS local_blks_hit, NULL::bigint AS local_blks_read, NULL::bigint AS local_blks_dirtied,
       NULL::bigint AS local_blks_written, NULL::bigint AS temp_blks_read, NULL::bigint AS temp_blks_written,
       NULL::double precision AS shared_blk_read_time, NULL::double precision AS shared_blk_write_time,
       NULL::double precision AS local_blk_read_time, NULL::double precision AS local_blk_write_time,
       NULL::double precision AS temp_blk_read_time, NULL::double precision AS temp_blk_write_time,
       NULL::bigint AS wal_records, NULL::bigint AS wal_fpi, NULL::numeric AS wal_bytes,
       NULL::bigint AS wal_buffers_full, NULL::bigint AS jit_functions, NULL::double precision AS jit_generation_time,
       NULL::bigint AS jit_inlining_count, NULL::double precision AS jit_inlining_time,
       NULL::bigint AS jit_optimization_count, NULL::double precision AS jit_optimization_time,
       NULL::bigint AS jit_emission_count, NULL::double precision AS jit_emission_time,
       NULL::bigint AS jit_deform_count, NULL::double precision AS jit_deform_time,
       NULL::bigint AS parallel_workers_to_launch, NULL::bigint AS parallel_workers_launched,
       NULL::timestamp with time zone AS stats_since, NULL::timestamp with time zone AS minmax_stats_since
WHERE false;
GRANT SELECT ON svc_views.pg_stat_statements TO PUBLIC;

--@ function svc_views.shobj_description(oid,name)
-- Databases and roles are the platform's: they have no comment.
CREATE OR REPLACE FUNCTION svc_views.shobj_description(oid, name) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN NULL::text;

--@ function svc_views._pg_expandarray(anyarray)
-- The server's own stands in a schema that is closed to projects. Drivers call it for the columns of keys.
CREATE OR REPLACE FUNCTION svc_views._pg_expandarray(anyarray, OUT x anyelement, OUT n integer) RETURNS SETOF record
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 100 SET search_path = pg_catalog, pg_temp
AS $body$ SELECT u.x, u.n::integer FROM pg_catalog.unnest($1) WITH ORDINALITY AS u (x, n) $body$;

--@ function svc_views.is_of_extension(oid)
CREATE OR REPLACE FUNCTION svc_views.is_of_extension(routine oid) RETURNS boolean
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN EXISTS (
    SELECT FROM pg_catalog.pg_proc p WHERE p.oid = $1 AND p.pronamespace = 'extensions'::pg_catalog.regnamespace);

--@ function svc_views.pg_function_is_visible(oid)
-- Clients list what can be seen without a qualifier as the project's own: the hundreds of functions of the platform's extensions, which
-- stand in the search path as well, are found by their schema alone. With the path of the caller: it sets none.
CREATE OR REPLACE FUNCTION svc_views.pg_function_is_visible(oid) RETURNS boolean
LANGUAGE sql STABLE STRICT
RETURN pg_catalog.pg_function_is_visible($1) AND NOT svc_views.is_of_extension($1);
