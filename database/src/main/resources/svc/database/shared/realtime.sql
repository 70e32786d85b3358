-- What the realtime service needs of a shared database beside the publication of the projects' tables.
--
-- Hazards that shape this file:
--   * Slots belong to the whole server, and the functions that show them are closed. svc_replication learns of the one slot
--     that it names, and only in this database.
--   * A table of messages is published when its project first uses realtime: until then it costs the log's reader nothing.

--@ function svc_functions.realtime_slot(text)
-- The state of a replication slot of this database, always one row. Positions are bytes of the log. A slot that is being made
-- waits for the transactions that write now, and is not found before.
CREATE OR REPLACE FUNCTION svc_functions.realtime_slot(
    slot text,
    OUT found boolean, OUT active boolean, OUT lost boolean, OUT confirmed bigint, OUT log_position bigint,
    OUT kept_bytes bigint, OUT limit_bytes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
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
REVOKE ALL ON FUNCTION svc_functions.realtime_slot(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_slot(text) TO svc_replication;

--@ function svc_functions.realtime_slot_stands()
-- Whether this database keeps a slot when no reader follows: its projects publish tables, the server limits what a slot keeps,
-- and tells since when nothing reads it (PostgreSQL 17).
CREATE OR REPLACE FUNCTION svc_functions.realtime_slot_stands() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    SELECT current_setting('server_version_num')::int >= 170000
           AND EXISTS (SELECT FROM pg_settings p WHERE p.name = 'max_slot_wal_keep_size' AND p.setting <> '-1')
           AND EXISTS (SELECT FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
                       WHERE p.pubname IN ('svc_realtime', 'svc_realtime_messages'));
$body$;
REVOKE ALL ON FUNCTION svc_functions.realtime_slot_stands() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_slot_stands() TO svc_replication;

--@ function svc_functions.realtime_snapshot()
-- The transactions that are visible now, as pg_snapshot: the log has a transaction a moment before other sessions see it.
CREATE OR REPLACE FUNCTION svc_functions.realtime_snapshot() RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    SELECT pg_current_snapshot()::text;
$body$;
REVOKE ALL ON FUNCTION svc_functions.realtime_snapshot() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_snapshot() TO svc_replication;

--@ publication svc_realtime_part_0
-- The tables of svc_realtime whose projects end with this digit. Hazard: a stream of all parts must have the same changes as a
-- stream of svc_realtime, so the options are the same, and each transaction that changes one changes the other.
DO $make$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_publication p WHERE p.pubname = 'svc_realtime_part_0') THEN
        CREATE PUBLICATION svc_realtime_part_0;
    END IF;
END $make$;
ALTER PUBLICATION svc_realtime_part_0 OWNER TO CURRENT_USER;
ALTER PUBLICATION svc_realtime_part_0 SET (publish = 'insert, update, delete, truncate', publish_via_partition_root = true);
DO $options$ BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 180000 THEN
        ALTER PUBLICATION svc_realtime_part_0 SET (publish_generated_columns = 'stored');
    END IF;
END $options$;

--@ function svc_functions.realtime_parts()
-- Whether each table of svc_realtime is in the publication of a part too, the numbers of the oldest transaction that runs and
-- of the next one, and the position of the log: changes of a transaction that began before may be in one of them alone.
CREATE OR REPLACE FUNCTION svc_functions.realtime_parts(
    OUT complete boolean, OUT oldest bigint, OUT next bigint, OUT log_position bigint)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    SELECT (SELECT count(*) = 16 FROM pg_publication p WHERE p.pubname ~ '^svc_realtime_part_[0-9a-f]$')
           AND NOT EXISTS (
               SELECT FROM pg_publication_rel r
               JOIN pg_publication p ON p.oid = r.prpubid AND p.pubname = 'svc_realtime'
               WHERE NOT EXISTS (
                   SELECT FROM pg_publication_rel q
                   JOIN pg_publication o ON o.oid = q.prpubid AND o.pubname ~ '^svc_realtime_part_[0-9a-f]$'
                   WHERE q.prrelid = r.prrelid)),
           pg_snapshot_xmin(now.snapshot)::text::bigint,
           pg_snapshot_xmax(now.snapshot)::text::bigint,
           (pg_current_wal_insert_lsn() - '0/0')::bigint
    FROM (SELECT pg_current_snapshot()) AS now (snapshot);
$body$;
REVOKE ALL ON FUNCTION svc_functions.realtime_parts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_parts() TO svc_replication;

--@ function svc_functions.realtime_copy_slot(text,text)
-- Copies a slot of this database, as it stands, for the session that calls: it is gone with the session. A new slot would wait
-- for each transaction that runs.
CREATE OR REPLACE FUNCTION svc_functions.realtime_copy_slot(slot text, copy text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM pg_copy_logical_replication_slot(s.slot_name, copy::name, true)
    FROM pg_replication_slots s
    WHERE s.slot_name = slot::name AND s.database = current_database();
    IF NOT FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format('replication slot "%s" does not exist', slot);
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.realtime_copy_slot(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.realtime_copy_slot(text, text) TO svc_replication;

--@ function svc_statements.publish_messages()
-- Puts the project's realtime.messages on the list of published tables. For the project's services, once it uses realtime.
CREATE OR REPLACE FUNCTION svc_statements.publish_messages() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    companion constant text := substr(session_user::text, 1, 37) || '_realtime';
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_system$' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'only the services of a project may publish its messages';
    END IF;
    INSERT INTO svc_guard.realtime_publication (schema_name, table_oid)
    SELECT companion, c.oid
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = companion::name AND c.relname = 'messages'
    ON CONFLICT DO NOTHING;
END $body$;
GRANT EXECUTE ON FUNCTION svc_statements.publish_messages() TO PUBLIC;
