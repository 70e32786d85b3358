-- Functions of pg_catalog's names that answer for objects of the session's own project and say null for any other.
-- pg_catalog's own, which answer for any oid, are closed to tenants.
--
-- Hazards: they run with a superuser's rights. The search_path is pinned not only for their text: the server's deparsing
-- code runs queries of its own with unqualified operators, and would pick up a tenant's "=" as the superuser.
-- So names in the answers come out schema-qualified.

--@ function svc_views.pg_get_viewdef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_viewdef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN svc_guard.familiar(pg_catalog.pg_get_viewdef($1), false) END;

--@ function svc_views.pg_get_viewdef(oid,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_get_viewdef(oid, boolean) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN svc_guard.familiar(pg_catalog.pg_get_viewdef($1, $2), false) END;

--@ function svc_views.pg_get_viewdef(oid,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_get_viewdef(oid, integer) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN svc_guard.familiar(pg_catalog.pg_get_viewdef($1, $2), false) END;

--@ function svc_views.pg_get_viewdef(text)
CREATE OR REPLACE FUNCTION svc_views.pg_get_viewdef(text) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN svc_views.pg_get_viewdef(to_regclass($1)::oid);

--@ function svc_views.pg_get_viewdef(text,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_get_viewdef(text, boolean) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN svc_views.pg_get_viewdef(to_regclass($1)::oid, $2);

--@ function svc_views.pg_get_indexdef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_indexdef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN svc_guard.familiar(pg_catalog.pg_get_indexdef($1), true) END;

--@ function svc_views.pg_get_indexdef(oid,integer,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_get_indexdef(oid, integer, boolean) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN svc_guard.familiar(pg_catalog.pg_get_indexdef($1, $2, $3), false) END;

--@ function svc_views.pg_get_partkeydef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_partkeydef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN svc_guard.familiar(pg_catalog.pg_get_partkeydef($1), false) END;

--@ function svc_views.pg_get_partition_constraintdef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_partition_constraintdef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN svc_guard.familiar(pg_catalog.pg_get_partition_constraintdef($1), false) END;

--@ function svc_views.pg_partition_ancestors(regclass)
CREATE OR REPLACE FUNCTION svc_views.pg_partition_ancestors(regclass, OUT relid regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
    SELECT a.relid FROM pg_catalog.pg_partition_ancestors($1) a WHERE svc_guard.owns_relation($1)
$body$;

--@ function svc_views.pg_relation_is_publishable(regclass)
CREATE OR REPLACE FUNCTION svc_views.pg_relation_is_publishable(regclass) RETURNS boolean
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_relation_is_publishable($1) END;

--@ function svc_views.pg_get_constraintdef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_constraintdef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (
    SELECT FROM pg_catalog.pg_constraint x JOIN svc_guard.own_namespace n ON n.oid = x.connamespace WHERE x.oid = $1) THEN svc_guard.familiar(pg_catalog.pg_get_constraintdef($1), false) END;

--@ function svc_views.pg_get_constraintdef(oid,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_get_constraintdef(oid, boolean) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (
    SELECT FROM pg_catalog.pg_constraint x JOIN svc_guard.own_namespace n ON n.oid = x.connamespace WHERE x.oid = $1) THEN svc_guard.familiar(pg_catalog.pg_get_constraintdef($1, $2), false) END;

--@ function svc_views.pg_get_triggerdef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_triggerdef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_trigger x WHERE x.oid = $1 AND svc_guard.owns_relation(x.tgrelid)) THEN svc_guard.familiar(pg_catalog.pg_get_triggerdef($1), true) END;

--@ function svc_views.pg_get_triggerdef(oid,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_get_triggerdef(oid, boolean) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_trigger x WHERE x.oid = $1 AND svc_guard.owns_relation(x.tgrelid)) THEN svc_guard.familiar(pg_catalog.pg_get_triggerdef($1, $2), false) END;

--@ function svc_views.pg_get_ruledef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_ruledef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_rewrite x WHERE x.oid = $1 AND svc_guard.owns_relation(x.ev_class)) THEN svc_guard.familiar(pg_catalog.pg_get_ruledef($1), true) END;

--@ function svc_views.pg_get_ruledef(oid,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_get_ruledef(oid, boolean) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_rewrite x WHERE x.oid = $1 AND svc_guard.owns_relation(x.ev_class)) THEN svc_guard.familiar(pg_catalog.pg_get_ruledef($1, $2), false) END;

--@ function svc_views.pg_get_statisticsobjdef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_statisticsobjdef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (
    SELECT FROM pg_catalog.pg_statistic_ext x JOIN svc_guard.own_namespace n ON n.oid = x.stxnamespace WHERE x.oid = $1) THEN svc_guard.familiar(pg_catalog.pg_get_statisticsobjdef($1), true) END;

--@ function svc_views.pg_get_statisticsobjdef_columns(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_statisticsobjdef_columns(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN EXISTS (
    SELECT FROM pg_catalog.pg_statistic_ext x WHERE x.oid = $1 AND svc_guard.owns_relation(x.stxrelid)) THEN svc_guard.familiar(pg_catalog.pg_get_statisticsobjdef_columns($1), false) END;

--@ function svc_views.pg_get_functiondef(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_functiondef(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_routine($1) THEN svc_guard.familiar(pg_catalog.pg_get_functiondef($1), true) END;

--@ function svc_views.pg_get_function_sqlbody(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_function_sqlbody(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_routine($1) THEN svc_guard.familiar(pg_catalog.pg_get_function_sqlbody($1), false) END;

--@ function svc_views.pg_get_function_arguments(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_function_arguments(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN $1 < 16384 OR svc_guard.owns_routine($1) THEN svc_guard.familiar(pg_catalog.pg_get_function_arguments($1), false) END;

--@ function svc_views.pg_get_function_identity_arguments(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_function_identity_arguments(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN $1 < 16384 OR svc_guard.owns_routine($1) THEN svc_guard.familiar(pg_catalog.pg_get_function_identity_arguments($1), false) END;

--@ function svc_views.pg_get_function_result(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_function_result(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN $1 < 16384 OR svc_guard.owns_routine($1) THEN svc_guard.familiar(pg_catalog.pg_get_function_result($1), false) END;

--@ function svc_views.pg_get_function_arg_default(oid,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_get_function_arg_default(oid, integer) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_routine($1) THEN svc_guard.familiar(pg_catalog.pg_get_function_arg_default($1, $2), false) END;

--@ function svc_views.pg_get_expr(pg_node_tree,oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_expr(pg_node_tree, oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN $2 = 0 OR svc_guard.owns_relation($2) THEN svc_guard.familiar(pg_catalog.pg_get_expr($1, $2), false) END;

--@ function svc_views.pg_get_expr(pg_node_tree,oid,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_get_expr(pg_node_tree, oid, boolean) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN $2 = 0 OR svc_guard.owns_relation($2) THEN svc_guard.familiar(pg_catalog.pg_get_expr($1, $2, $3), false) END;

--@ function svc_views.pg_get_userbyid(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_get_userbyid(oid) RETURNS name
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN coalesce((SELECT r.rolname FROM svc_guard.own_role r WHERE r.oid = $1), 'unknown'::name);

--@ function svc_views.obj_description(oid)
-- Behind the comment of the main schema is a note that the platform alone reads.
CREATE OR REPLACE FUNCTION svc_views.obj_description(oid) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (
    SELECT CASE d.classoid
        WHEN 'pg_catalog.pg_namespace'::regclass
            THEN nullif(pg_catalog.regexp_replace(d.description, '\n?svc: default privileges given$', ''), '')
        ELSE d.description END
    FROM svc_guard.own_object o
    JOIN pg_catalog.pg_description d ON d.classoid = o.classid AND d.objoid = o.objid
    WHERE o.objid = $1 AND d.objsubid = 0 LIMIT 1);

--@ function svc_views.obj_description(oid,name)
CREATE OR REPLACE FUNCTION svc_views.obj_description(oid, name) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (
    SELECT CASE d.classoid
        WHEN 'pg_catalog.pg_namespace'::regclass
            THEN nullif(pg_catalog.regexp_replace(d.description, '\n?svc: default privileges given$', ''), '')
        ELSE d.description END
    FROM svc_guard.own_object o
    JOIN pg_catalog.pg_description d ON d.classoid = o.classid AND d.objoid = o.objid
    WHERE o.objid = $1 AND d.objsubid = 0
      AND o.classid = (SELECT c.oid FROM pg_catalog.pg_class c
                       WHERE c.relname = $2 AND c.relnamespace = 'pg_catalog'::regnamespace));

--@ function svc_views.col_description(oid,integer)
CREATE OR REPLACE FUNCTION svc_views.col_description(oid, integer) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (
    SELECT d.description FROM svc_guard.own_object o
    JOIN pg_catalog.pg_description d ON d.classoid = o.classid AND d.objoid = o.objid
    WHERE o.objid = $1 AND d.objsubid = $2 AND o.classid = 'pg_catalog.pg_class'::regclass);

--@ function svc_views.pg_relation_size(regclass)
CREATE OR REPLACE FUNCTION svc_views.pg_relation_size(regclass) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_relation_size($1) END;

--@ function svc_views.pg_relation_size(regclass,text)
CREATE OR REPLACE FUNCTION svc_views.pg_relation_size(regclass, text) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_relation_size($1, $2) END;

--@ function svc_views.pg_total_relation_size(regclass)
CREATE OR REPLACE FUNCTION svc_views.pg_total_relation_size(regclass) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_total_relation_size($1) END;

--@ function svc_views.pg_table_size(regclass)
CREATE OR REPLACE FUNCTION svc_views.pg_table_size(regclass) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_table_size($1) END;

--@ function svc_views.pg_indexes_size(regclass)
CREATE OR REPLACE FUNCTION svc_views.pg_indexes_size(regclass) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_indexes_size($1) END;

--@ function svc_views.pg_relation_is_updatable(regclass,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_relation_is_updatable(regclass, boolean) RETURNS integer
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_relation_is_updatable($1, $2) ELSE 0 END;

--@ function svc_views.pg_column_is_updatable(regclass,smallint,boolean)
CREATE OR REPLACE FUNCTION svc_views.pg_column_is_updatable(regclass, smallint, boolean) RETURNS boolean
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_column_is_updatable($1, $2, $3) ELSE false END;

--@ function svc_views.pg_sequence_last_value(regclass)
CREATE OR REPLACE FUNCTION svc_views.pg_sequence_last_value(regclass) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_sequence_last_value($1) END;

--@ function svc_views._pg_index_position(oid,smallint)
CREATE OR REPLACE FUNCTION svc_views._pg_index_position(oid, smallint) RETURNS integer
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (
    SELECT k.position FROM pg_catalog.pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (attnum, position)
    WHERE i.indexrelid = $1 AND svc_guard.owns_relation(i.indrelid) AND k.attnum = $2);

--@ function svc_views.pg_stat_get_live_tuples(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_stat_get_live_tuples(oid) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_stat_get_live_tuples($1) END;

--@ function svc_views.pg_stat_get_dead_tuples(oid)
CREATE OR REPLACE FUNCTION svc_views.pg_stat_get_dead_tuples(oid) RETURNS bigint
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.owns_relation($1) THEN pg_catalog.pg_stat_get_dead_tuples($1) END;

--@ function svc_views.own_table_statistics()
CREATE OR REPLACE FUNCTION svc_views.own_table_statistics() RETURNS SETOF pg_catalog.pg_stat_all_tables
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
    SELECT s.* FROM svc_guard.own_relation o
    CROSS JOIN LATERAL (SELECT * FROM pg_catalog.pg_stat_all_tables a WHERE a.relid = o.oid) s
$body$;

--@ view svc_views.pg_stat_user_tables
CREATE OR REPLACE VIEW svc_views.pg_stat_user_tables WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_table_statistics() s;
GRANT SELECT ON svc_views.pg_stat_user_tables TO PUBLIC;

--@ function svc_views.own_index_statistics()
CREATE OR REPLACE FUNCTION svc_views.own_index_statistics() RETURNS SETOF pg_catalog.pg_stat_all_indexes
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
    SELECT s.* FROM svc_guard.own_relation o
    CROSS JOIN LATERAL (SELECT * FROM pg_catalog.pg_stat_all_indexes a WHERE a.relid = o.oid) s
$body$;

--@ view svc_views.pg_stat_user_indexes
CREATE OR REPLACE VIEW svc_views.pg_stat_user_indexes WITH (security_barrier) AS
SELECT s.* FROM svc_views.own_index_statistics() s;
GRANT SELECT ON svc_views.pg_stat_user_indexes TO PUBLIC;

--@ function svc_functions.end_owner_session(integer,text)
-- For the control plane, whose clock ends a script that catches its cancellation. Ends sessions of owners
-- alone; the login must fit, so that a process number that was used again ends no other project's session.
CREATE OR REPLACE FUNCTION svc_functions.end_owner_session(pid integer, login text) RETURNS boolean
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN coalesce((
    SELECT pg_catalog.pg_terminate_backend(a.pid) FROM pg_catalog.pg_stat_activity a
    WHERE a.pid = $1 AND a.usename = $2 AND $2 ~ '^proj_[0-9a-f]{32}_owner$'), false);
REVOKE ALL ON FUNCTION svc_functions.end_owner_session(integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.end_owner_session(integer, text) TO svc_platform;
