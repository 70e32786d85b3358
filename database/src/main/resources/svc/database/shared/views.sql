-- The catalog as a tenant may see it: base views with pg_catalog's names. A tenant's search_path lists svc_views before
-- pg_catalog, so unqualified queries read these. Row filter: the session's own project (session_user).
--
-- Hazards that shape this file:
--   * security_barrier keeps a tenant's leaky function or operator from seeing rows before the filter has. On a view that is
--     UNION ALL at its top it does nothing: the server makes its parts plain members of the query, and a tenant's condition
--     runs in them before theirs. So a SELECT stands around each UNION ALL.
--   * Relations are read with the view owner's rights, but functions run with the reader's: a view may call only what
--     tenants may execute, or a function of functions.sql.
--   * Names are bound when the view is made; a tenant's search_path changes nothing.
--   * Clients read xmin and tableoid of a catalog's rows, which a view has as columns only: they stand behind the others.
--   * Rows with oid < 16384 are the server's own, the same everywhere. Relations have no such rows here: what pg_class
--     says of shared catalogs would count other tenants' objects.

--@ view svc_views.pg_namespace
CREATE OR REPLACE VIEW svc_views.pg_namespace WITH (security_barrier) AS
SELECT u.* FROM (
    SELECT n.*, n.xmin, n.tableoid FROM pg_catalog.pg_namespace n
    WHERE n.oid IN (SELECT o.oid FROM svc_guard.own_namespace o)
    UNION ALL
    SELECT n.*, n.xmin, n.tableoid FROM pg_catalog.pg_namespace n
    WHERE n.nspname IN ('pg_catalog', 'extensions')) AS u;
GRANT SELECT ON svc_views.pg_namespace TO PUBLIC;

--@ view svc_views.pg_class
CREATE OR REPLACE VIEW svc_views.pg_class WITH (security_barrier) AS
SELECT c.*, c.xmin, c.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_class c ON c.oid = o.oid;
GRANT SELECT ON svc_views.pg_class TO PUBLIC;

--@ view svc_views.pg_attribute
CREATE OR REPLACE VIEW svc_views.pg_attribute WITH (security_barrier) AS
-- By name: a view cannot have attmissingval, and attcacheoff is gone in 18.
SELECT a.attrelid, a.attname, a.atttypid, a.attlen, a.attnum, a.atttypmod, a.attndims, a.attbyval, a.attalign, a.attstorage,
       a.attcompression, a.attnotnull, a.atthasdef, a.atthasmissing, a.attidentity, a.attgenerated, a.attisdropped,
       a.attislocal, a.attinhcount, a.attstattarget, a.attcollation, a.attacl, a.attoptions, a.attfdwoptions, a.xmin, a.tableoid
FROM svc_guard.own_relation o JOIN pg_catalog.pg_attribute a ON a.attrelid = o.oid;
GRANT SELECT ON svc_views.pg_attribute TO PUBLIC;

--@ view svc_views.pg_attrdef
CREATE OR REPLACE VIEW svc_views.pg_attrdef WITH (security_barrier) AS
SELECT a.*, a.xmin, a.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_attrdef a ON a.adrelid = o.oid;
GRANT SELECT ON svc_views.pg_attrdef TO PUBLIC;

--@ view svc_views.pg_type
CREATE OR REPLACE VIEW svc_views.pg_type WITH (security_barrier) AS
SELECT t.*, t.xmin, t.tableoid FROM svc_guard.visible_type v JOIN pg_catalog.pg_type t ON t.oid = v.oid;
GRANT SELECT ON svc_views.pg_type TO PUBLIC;

--@ view svc_views.pg_enum
CREATE OR REPLACE VIEW svc_views.pg_enum WITH (security_barrier) AS
SELECT e.*, e.xmin, e.tableoid FROM svc_guard.visible_type v JOIN pg_catalog.pg_enum e ON e.enumtypid = v.oid;
GRANT SELECT ON svc_views.pg_enum TO PUBLIC;

--@ view svc_views.pg_range
CREATE OR REPLACE VIEW svc_views.pg_range WITH (security_barrier) AS
SELECT r.*, r.xmin, r.tableoid FROM svc_guard.visible_type v JOIN pg_catalog.pg_range r ON r.rngtypid = v.oid;
GRANT SELECT ON svc_views.pg_range TO PUBLIC;

--@ view svc_views.pg_index
CREATE OR REPLACE VIEW svc_views.pg_index WITH (security_barrier) AS
SELECT i.*, i.xmin, i.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_index i ON i.indrelid = o.oid;
GRANT SELECT ON svc_views.pg_index TO PUBLIC;

--@ view svc_views.pg_constraint
CREATE OR REPLACE VIEW svc_views.pg_constraint WITH (security_barrier) AS
SELECT u.* FROM (
    SELECT k.*, k.xmin, k.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_constraint k ON k.conrelid = o.oid
    UNION ALL
    SELECT k.*, k.xmin, k.tableoid
    FROM svc_guard.own_namespace n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    JOIN pg_catalog.pg_constraint k ON k.contypid = d.objid
    WHERE d.classid = 'pg_catalog.pg_type'::regclass) AS u;
GRANT SELECT ON svc_views.pg_constraint TO PUBLIC;

--@ view svc_views.pg_proc
CREATE OR REPLACE VIEW svc_views.pg_proc WITH (security_barrier) AS
SELECT u.* FROM (
    SELECT p.*, p.xmin, p.tableoid FROM svc_guard.own_routine o JOIN pg_catalog.pg_proc p ON p.oid = o.oid
    UNION ALL
    SELECT p.*, p.xmin, p.tableoid
    FROM pg_catalog.pg_namespace n
    JOIN pg_catalog.pg_depend d
      ON d.refclassid = 'pg_catalog.pg_namespace'::regclass AND d.refobjid = n.oid
    JOIN pg_catalog.pg_proc p ON p.oid = d.objid
    WHERE n.nspname = 'extensions' AND d.classid = 'pg_catalog.pg_proc'::regclass
    UNION ALL
    SELECT p.*, p.xmin, p.tableoid FROM pg_catalog.pg_proc p WHERE p.oid < 16384) AS u;
GRANT SELECT ON svc_views.pg_proc TO PUBLIC;

--@ view svc_views.pg_aggregate
CREATE OR REPLACE VIEW svc_views.pg_aggregate WITH (security_barrier) AS
SELECT u.* FROM (
    SELECT a.* FROM svc_guard.own_routine o JOIN pg_catalog.pg_aggregate a ON a.aggfnoid = o.oid
    UNION ALL
    SELECT a.* FROM pg_catalog.pg_aggregate a WHERE a.aggfnoid::oid < 16384) AS u;
GRANT SELECT ON svc_views.pg_aggregate TO PUBLIC;

--@ view svc_views.pg_trigger
CREATE OR REPLACE VIEW svc_views.pg_trigger WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_trigger x ON x.tgrelid = o.oid;
GRANT SELECT ON svc_views.pg_trigger TO PUBLIC;

--@ view svc_views.pg_policy
CREATE OR REPLACE VIEW svc_views.pg_policy WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_policy x ON x.polrelid = o.oid;
GRANT SELECT ON svc_views.pg_policy TO PUBLIC;

--@ view svc_views.pg_rewrite
CREATE OR REPLACE VIEW svc_views.pg_rewrite WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_rewrite x ON x.ev_class = o.oid;
GRANT SELECT ON svc_views.pg_rewrite TO PUBLIC;

--@ view svc_views.pg_sequence
CREATE OR REPLACE VIEW svc_views.pg_sequence WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_sequence x ON x.seqrelid = o.oid;
GRANT SELECT ON svc_views.pg_sequence TO PUBLIC;

--@ view svc_views.pg_inherits
CREATE OR REPLACE VIEW svc_views.pg_inherits WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_inherits x ON x.inhrelid = o.oid;
GRANT SELECT ON svc_views.pg_inherits TO PUBLIC;

--@ view svc_views.pg_partitioned_table
CREATE OR REPLACE VIEW svc_views.pg_partitioned_table WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_partitioned_table x ON x.partrelid = o.oid;
GRANT SELECT ON svc_views.pg_partitioned_table TO PUBLIC;

--@ view svc_views.pg_statistic_ext
CREATE OR REPLACE VIEW svc_views.pg_statistic_ext WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM svc_guard.own_relation o JOIN pg_catalog.pg_statistic_ext x ON x.stxrelid = o.oid;
GRANT SELECT ON svc_views.pg_statistic_ext TO PUBLIC;

-- A project's publications list tables, never schemas.

--@ view svc_views.pg_publication_namespace
CREATE OR REPLACE VIEW svc_views.pg_publication_namespace WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_publication_namespace x WHERE false;
GRANT SELECT ON svc_views.pg_publication_namespace TO PUBLIC;

--@ view svc_views.pg_language
CREATE OR REPLACE VIEW svc_views.pg_language WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_language x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_language TO PUBLIC;

--@ view svc_views.pg_am
CREATE OR REPLACE VIEW svc_views.pg_am WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_am x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_am TO PUBLIC;

--@ view svc_views.pg_collation
CREATE OR REPLACE VIEW svc_views.pg_collation WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_collation x
WHERE x.oid < 16384 OR x.collnamespace IN (SELECT o.oid FROM svc_guard.own_namespace o);
GRANT SELECT ON svc_views.pg_collation TO PUBLIC;

--@ view svc_views.pg_opclass
CREATE OR REPLACE VIEW svc_views.pg_opclass WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_opclass x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_opclass TO PUBLIC;

--@ view svc_views.pg_operator
CREATE OR REPLACE VIEW svc_views.pg_operator WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_operator x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_operator TO PUBLIC;

--@ view svc_views.pg_cast
CREATE OR REPLACE VIEW svc_views.pg_cast WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_cast x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_cast TO PUBLIC;

--@ view svc_views.pg_ts_config
CREATE OR REPLACE VIEW svc_views.pg_ts_config WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_ts_config x
WHERE x.oid < 16384 OR x.cfgnamespace IN (SELECT o.oid FROM svc_guard.own_namespace o);
GRANT SELECT ON svc_views.pg_ts_config TO PUBLIC;

--@ view svc_views.pg_ts_dict
CREATE OR REPLACE VIEW svc_views.pg_ts_dict WITH (security_barrier) AS
SELECT x.*, x.xmin, x.tableoid FROM pg_catalog.pg_ts_dict x
WHERE x.oid < 16384 OR x.dictnamespace IN (SELECT o.oid FROM svc_guard.own_namespace o);
GRANT SELECT ON svc_views.pg_ts_dict TO PUBLIC;

--@ view svc_views.pg_extension
-- Those of the database, and those that the project has by itself. One that an administrator has installed under such a name is not
-- what the project's statements reach.
CREATE OR REPLACE VIEW svc_views.pg_extension WITH (security_barrier) AS
SELECT u.* FROM (
    SELECT e.*, e.xmin, e.tableoid FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    WHERE n.nspname IN ('extensions', 'pg_catalog') AND e.extname NOT IN (SELECT p.extname FROM svc_guard.platform_extension p)
    UNION ALL
    SELECT p.oid, p.extname, 10::oid,
           coalesce((SELECT f.oid FROM svc_guard.own_namespace f
                     WHERE f.nspname = (o.schema_name || '__' || p.extname::text)::name),
                    (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = 'extensions')),
           false, p.extversion COLLATE "C", NULL::oid[], NULL::text[] COLLATE "C", r.xmin, r.tableoid
    FROM svc_guard.own_project o
    JOIN svc_guard.project_extension r ON r.schema_name = o.schema_name
    JOIN svc_guard.platform_extension p ON p.extname = r.extname) AS u;
GRANT SELECT ON svc_views.pg_extension TO PUBLIC;

--@ view svc_views.pg_available_extensions
-- Migrations ask before they CREATE EXTENSION: to a project, what is installed is what there is, besides what it may have by itself.
CREATE OR REPLACE VIEW svc_views.pg_available_extensions WITH (security_barrier) AS
SELECT u.* FROM (
    SELECT e.extname AS name, e.extversion AS default_version, e.extversion AS installed_version,
           (SELECT d.description FROM pg_catalog.pg_description d
            WHERE d.classoid = 'pg_catalog.pg_extension'::regclass AND d.objoid = e.oid AND d.objsubid = 0) AS comment
    FROM svc_views.pg_extension e
    UNION ALL
    SELECT p.extname, p.extversion COLLATE "C", NULL::text COLLATE "C", NULL::text COLLATE "C"
    FROM svc_guard.platform_extension p
    WHERE p.extname NOT IN (SELECT e.extname FROM svc_views.pg_extension e)) AS u;
GRANT SELECT ON svc_views.pg_available_extensions TO PUBLIC;

--@ view svc_views.pg_authid
CREATE OR REPLACE VIEW svc_views.pg_authid WITH (security_barrier) AS
SELECT a.oid, a.rolname, a.rolsuper, a.rolinherit, a.rolcreaterole, a.rolcreatedb, a.rolcanlogin, a.rolreplication,
       a.rolbypassrls, a.rolconnlimit, NULL::text AS rolpassword, a.rolvaliduntil
FROM svc_guard.own_role o JOIN pg_catalog.pg_authid a ON a.oid = o.oid;
GRANT SELECT ON svc_views.pg_authid TO PUBLIC;

--@ view svc_views.pg_auth_members
CREATE OR REPLACE VIEW svc_views.pg_auth_members WITH (security_barrier) AS
SELECT m.* FROM pg_catalog.pg_auth_members m
WHERE m.roleid IN (SELECT o.oid FROM svc_guard.own_role o) AND m.member IN (SELECT o.oid FROM svc_guard.own_role o);
GRANT SELECT ON svc_views.pg_auth_members TO PUBLIC;

--@ view svc_views.pg_db_role_setting
CREATE OR REPLACE VIEW svc_views.pg_db_role_setting WITH (security_barrier) AS
SELECT s.* FROM svc_guard.own_role o JOIN pg_catalog.pg_db_role_setting s ON s.setrole = o.oid;
GRANT SELECT ON svc_views.pg_db_role_setting TO PUBLIC;

--@ view svc_views.pg_timezone_names
CREATE OR REPLACE VIEW svc_views.pg_timezone_names WITH (security_barrier) AS
SELECT z.* FROM pg_catalog.pg_timezone_names() z;
GRANT SELECT ON svc_views.pg_timezone_names TO PUBLIC;

-- In a tenant's query 'pg_class'::regclass is the view of that name: class numbers are given as those of the views.

--@ view svc_views.pg_description
CREATE OR REPLACE VIEW svc_views.pg_description WITH (security_barrier) AS
SELECT d.objoid, CASE d.classoid
           WHEN 'pg_catalog.pg_class'::regclass THEN 'svc_views.pg_class'::regclass
           WHEN 'pg_catalog.pg_proc'::regclass THEN 'svc_views.pg_proc'::regclass
           WHEN 'pg_catalog.pg_type'::regclass THEN 'svc_views.pg_type'::regclass
           WHEN 'pg_catalog.pg_namespace'::regclass THEN 'svc_views.pg_namespace'::regclass
           WHEN 'pg_catalog.pg_constraint'::regclass THEN 'svc_views.pg_constraint'::regclass
           WHEN 'pg_catalog.pg_trigger'::regclass THEN 'svc_views.pg_trigger'::regclass
           WHEN 'pg_catalog.pg_policy'::regclass THEN 'svc_views.pg_policy'::regclass
           WHEN 'pg_catalog.pg_rewrite'::regclass THEN 'svc_views.pg_rewrite'::regclass
           WHEN 'pg_catalog.pg_attrdef'::regclass THEN 'svc_views.pg_attrdef'::regclass
           WHEN 'pg_catalog.pg_extension'::regclass THEN 'svc_views.pg_extension'::regclass
           ELSE d.classoid END::oid AS classoid, d.objsubid,
       CASE d.classoid
           WHEN 'pg_catalog.pg_namespace'::regclass
               THEN nullif(pg_catalog.regexp_replace(d.description, '\n?svc: default privileges given$', ''), '')
           ELSE d.description END AS description
FROM svc_guard.own_object o JOIN pg_catalog.pg_description d ON d.classoid = o.classid AND d.objoid = o.objid;
GRANT SELECT ON svc_views.pg_description TO PUBLIC;

--@ view svc_views.pg_depend
CREATE OR REPLACE VIEW svc_views.pg_depend WITH (security_barrier) AS
SELECT CASE d.classid
           WHEN 'pg_catalog.pg_class'::regclass THEN 'svc_views.pg_class'::regclass
           WHEN 'pg_catalog.pg_proc'::regclass THEN 'svc_views.pg_proc'::regclass
           WHEN 'pg_catalog.pg_type'::regclass THEN 'svc_views.pg_type'::regclass
           WHEN 'pg_catalog.pg_namespace'::regclass THEN 'svc_views.pg_namespace'::regclass
           WHEN 'pg_catalog.pg_constraint'::regclass THEN 'svc_views.pg_constraint'::regclass
           WHEN 'pg_catalog.pg_trigger'::regclass THEN 'svc_views.pg_trigger'::regclass
           WHEN 'pg_catalog.pg_policy'::regclass THEN 'svc_views.pg_policy'::regclass
           WHEN 'pg_catalog.pg_rewrite'::regclass THEN 'svc_views.pg_rewrite'::regclass
           WHEN 'pg_catalog.pg_attrdef'::regclass THEN 'svc_views.pg_attrdef'::regclass
           WHEN 'pg_catalog.pg_extension'::regclass THEN 'svc_views.pg_extension'::regclass
           ELSE d.classid END::oid AS classid, d.objid, d.objsubid,
       CASE d.refclassid
           WHEN 'pg_catalog.pg_class'::regclass THEN 'svc_views.pg_class'::regclass
           WHEN 'pg_catalog.pg_proc'::regclass THEN 'svc_views.pg_proc'::regclass
           WHEN 'pg_catalog.pg_type'::regclass THEN 'svc_views.pg_type'::regclass
           WHEN 'pg_catalog.pg_namespace'::regclass THEN 'svc_views.pg_namespace'::regclass
           WHEN 'pg_catalog.pg_constraint'::regclass THEN 'svc_views.pg_constraint'::regclass
           WHEN 'pg_catalog.pg_trigger'::regclass THEN 'svc_views.pg_trigger'::regclass
           WHEN 'pg_catalog.pg_policy'::regclass THEN 'svc_views.pg_policy'::regclass
           WHEN 'pg_catalog.pg_rewrite'::regclass THEN 'svc_views.pg_rewrite'::regclass
           WHEN 'pg_catalog.pg_attrdef'::regclass THEN 'svc_views.pg_attrdef'::regclass
           WHEN 'pg_catalog.pg_extension'::regclass THEN 'svc_views.pg_extension'::regclass
           ELSE d.refclassid END::oid AS refclassid, d.refobjid, d.refobjsubid, d.deptype
FROM svc_guard.own_object o JOIN pg_catalog.pg_depend d ON d.classid = o.classid AND d.objid = o.objid;
GRANT SELECT ON svc_views.pg_depend TO PUBLIC;

-- The publication is one list per project that a worker of the platform applies: shown under both names it goes by.

--@ view svc_views.pg_publication
CREATE OR REPLACE VIEW svc_views.pg_publication WITH (security_barrier) AS
SELECT p.oid, p.pubname, 10::oid AS pubowner,
       EXISTS (SELECT FROM svc_guard.own_project o JOIN svc_guard.realtime_publication t ON t.schema_name = o.schema_name
               WHERE t.table_oid = 0) AS puballtables, true AS pubinsert, true AS pubupdate,
       true AS pubdelete, true AS pubtruncate, false AS pubviaroot, 'n'::"char" AS pubgencols
FROM (VALUES (1::oid, 'supabase_realtime'::name), (2::oid, 'svc_realtime'::name)) AS p (oid, pubname)
WHERE EXISTS (SELECT FROM svc_guard.own_project);
GRANT SELECT ON svc_views.pg_publication TO PUBLIC;

--@ view svc_views.pg_publication_rel
CREATE OR REPLACE VIEW svc_views.pg_publication_rel WITH (security_barrier) AS
SELECT t.table_oid AS oid, p.oid AS prpubid, t.table_oid AS prrelid, NULL::pg_node_tree AS prqual, NULL::int2vector AS prattrs
FROM svc_guard.own_project o
JOIN svc_guard.published_table t ON t.schema_name = o.schema_name AND t.publication = 'svc_realtime'
CROSS JOIN svc_views.pg_publication p;
GRANT SELECT ON svc_views.pg_publication_rel TO PUBLIC;

--@ view svc_views.pg_publication_tables
CREATE OR REPLACE VIEW svc_views.pg_publication_tables WITH (security_barrier) AS
SELECT p.pubname, n.nspname AS schemaname, c.relname AS tablename,
       (SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS attnames,
       NULL::text AS rowfilter
FROM svc_views.pg_publication_rel r
JOIN svc_views.pg_publication p ON p.oid = r.prpubid
JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
JOIN svc_guard.own_namespace n ON n.oid = c.relnamespace;
GRANT SELECT ON svc_views.pg_publication_tables TO PUBLIC;

--@ view svc_views.pg_tablespace
CREATE OR REPLACE VIEW svc_views.pg_tablespace WITH (security_barrier) AS
SELECT x.oid, x.spcname, x.spcowner, x.spcacl, x.spcoptions FROM pg_catalog.pg_tablespace x WHERE x.oid < 16384;
GRANT SELECT ON svc_views.pg_tablespace TO PUBLIC;

-- The server's own views of information_schema hand whole rows to these two.
--@ function svc_views._pg_truetypid(svc_views.pg_attribute,svc_views.pg_type)
CREATE OR REPLACE FUNCTION svc_views._pg_truetypid(a svc_views.pg_attribute, t svc_views.pg_type) RETURNS oid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END;

--@ function svc_views._pg_truetypmod(svc_views.pg_attribute,svc_views.pg_type)
CREATE OR REPLACE FUNCTION svc_views._pg_truetypmod(a svc_views.pg_attribute, t svc_views.pg_type) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END;

--@ function svc_views._pg_char_octet_length(oid,integer)
-- The server's own reads pg_database.
CREATE OR REPLACE FUNCTION svc_views._pg_char_octet_length(typid oid, typmod integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN typid IN ('text'::regtype, 'character'::regtype, 'character varying'::regtype) THEN
    CASE WHEN typmod = -1 THEN 1073741824
    ELSE (typmod - 4) * (SELECT pg_catalog.pg_encoding_max_length(d.encoding) FROM pg_catalog.pg_database d
                         WHERE d.datname = current_database()) END
END;
