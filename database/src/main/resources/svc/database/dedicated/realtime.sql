-- What the realtime service needs of a database with one project, once its companion schemas exist, beside the functions of
-- shared/common.sql under the names that applications write.

--@ function svc_functions.realtime_slot(text)
-- As in shared/realtime.sql; here nothing about slots is hidden.
CREATE OR REPLACE FUNCTION svc_functions.realtime_slot(
    slot text,
    OUT found boolean, OUT active boolean, OUT lost boolean, OUT confirmed bigint, OUT log_position bigint,
    OUT kept_bytes bigint, OUT limit_bytes bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $body$
    SELECT s.confirmed_flush_lsn IS NOT NULL,
           coalesce(s.active, false),
           coalesce(s.wal_status = 'lost', false),
           coalesce(s.confirmed_flush_lsn - '0/0', 0)::bigint,
           (pg_current_wal_insert_lsn() - '0/0')::bigint,
           coalesce(pg_current_wal_insert_lsn() - s.restart_lsn, 0)::bigint,
           (SELECT CASE WHEN p.setting = '-1' THEN -1 ELSE p.setting::bigint * 1024 * 1024 END
            FROM pg_settings p WHERE p.name = 'max_slot_wal_keep_size')
    FROM (VALUES (slot)) AS asked (name)
    LEFT JOIN pg_replication_slots s ON s.slot_name = asked.name::name AND s.database = current_database();
$body$;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_slot(text) TO PUBLIC;

--@ function svc_functions.realtime_snapshot()
-- As in shared/realtime.sql.
CREATE OR REPLACE FUNCTION svc_functions.realtime_snapshot() RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
    SELECT pg_current_snapshot()::text;
$body$;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_snapshot() TO PUBLIC;

--@ function svc_guard.apply_publication()
-- Applies the list of published tables in the transaction that changes it: there is no other tenant whose open transaction
-- could hold the publication.
CREATE OR REPLACE FUNCTION svc_guard.apply_publication() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    change text;
BEGIN
    FOR change IN
        SELECT format('ALTER PUBLICATION %I DROP TABLE ONLY %I.%I', p.pubname, n.nspname, c.relname)
        FROM pg_publication_rel r
        JOIN pg_publication p ON p.oid = r.prpubid AND p.pubname IN ('svc_realtime', 'svc_realtime_messages')
        JOIN pg_class c ON c.oid = r.prrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE (r.prrelid, p.pubname) NOT IN (SELECT t.table_oid, t.publication FROM svc_guard.published_table t)
        UNION ALL
        SELECT format('ALTER PUBLICATION %I ADD TABLE ONLY %I.%I', t.publication, n.nspname, c.relname)
        FROM svc_guard.published_table t
        JOIN pg_class c ON c.oid = t.table_oid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE (t.table_oid, t.publication) NOT IN (
            SELECT r.prrelid, p.pubname FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
            WHERE p.pubname IN ('svc_realtime', 'svc_realtime_messages'))
    LOOP
        EXECUTE change;
    END LOOP;
    RETURN NULL;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.apply_publication() FROM PUBLIC;
CREATE OR REPLACE TRIGGER applied AFTER INSERT OR DELETE ON svc_guard.realtime_publication
    FOR EACH STATEMENT EXECUTE FUNCTION svc_guard.apply_publication();
