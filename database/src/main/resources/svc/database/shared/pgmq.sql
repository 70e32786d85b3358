-- Queues of a project, with the functions of pgmq 1.5: https://github.com/pgmq/pgmq. A queue is a table of the project, in its further
-- schema pgmq, and belongs to its owner: grants, row security and plain SELECT hold for it as for every other table.
--
-- Hazards that shape this file:
--   * Every function runs with the rights of its caller and reaches what that caller may reach anyway; it calls only functions of the
--     allow-list (catalog-functions.txt). The project is the session's, which no tenant can choose.
--   * The name of a queue becomes part of a table's name: it is quoted, and short enough that none is ever cut off.
--   * Names of functions, parameters and columns are pgmq's: callers name them.

--@ type svc_pgmq.message_record
DO $make$ BEGIN
    IF pg_catalog.to_regtype('svc_pgmq.message_record') IS NULL THEN
        CREATE TYPE svc_pgmq.message_record AS (
            msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb);
    END IF;
END $make$;

--@ type svc_pgmq.queue_record
DO $make$ BEGIN
    IF pg_catalog.to_regtype('svc_pgmq.queue_record') IS NULL THEN
        CREATE TYPE svc_pgmq.queue_record AS (
            queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz);
    END IF;
END $make$;

--@ type svc_pgmq.metrics_result
DO $make$ BEGIN
    IF pg_catalog.to_regtype('svc_pgmq.metrics_result') IS NULL THEN
        CREATE TYPE svc_pgmq.metrics_result AS (
            queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer, total_messages bigint,
            scrape_time timestamptz, queue_visible_length bigint);
    END IF;
END $make$;

--@ function svc_pgmq.validate_queue_name(text)
-- The longest name that is made of one, archived_at_idx_ and the name, has the 63 bytes of an identifier.
CREATE OR REPLACE FUNCTION svc_pgmq.validate_queue_name(queue_name text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF queue_name IS NULL OR queue_name = '' THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_name', MESSAGE = 'a queue has a name';
    ELSIF greatest(octet_length(queue_name), octet_length(lower(queue_name))) > 47 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_name', MESSAGE = 'queue name is too long, maximum length is 47 characters';
    ELSIF queue_name ~ '[$;'']|--' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_name',
            MESSAGE = 'queue name contains invalid characters: $, ;, --, or single quotes';
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.validate_queue_name(text) TO PUBLIC;

--@ function svc_pgmq.relation_of(text,text)
-- The quoted name of a queue's table, q_ and the name, or of its archive, a_ and the name.
CREATE OR REPLACE FUNCTION svc_pgmq.relation_of(prefix text, queue_name text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the session belongs to no project';
    END IF;
    PERFORM svc_pgmq.validate_queue_name(queue_name);
    RETURN format('%I.%I', svc_statements.further_schema(left(session_user::text, 37), 'pgmq'), prefix || lower(queue_name));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.relation_of(text, text) TO PUBLIC;

--@ function svc_pgmq.meta_table()
CREATE OR REPLACE FUNCTION svc_pgmq.meta_table() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF session_user::text !~ '^proj_[0-9a-f]{32}_(owner|api|service|system)$' THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the session belongs to no project';
    END IF;
    RETURN format('%I.meta', svc_statements.further_schema(left(session_user::text, 37), 'pgmq'));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.meta_table() TO PUBLIC;

--@ function svc_pgmq.make_meta()
-- The list of queues, in the schema that register_extension has made.
CREATE OR REPLACE FUNCTION svc_pgmq.make_meta() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    EXECUTE format('CREATE TABLE IF NOT EXISTS %s (queue_name varchar UNIQUE NOT NULL, is_partitioned boolean NOT NULL,'
        ' is_unlogged boolean NOT NULL, created_at timestamptz DEFAULT now() NOT NULL)', svc_pgmq.meta_table());
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.make_meta() TO PUBLIC;

--@ function svc_pgmq.make_queue(text,boolean)
-- A queue that is there already stays as it is.
CREATE OR REPLACE FUNCTION svc_pgmq.make_queue(queue_name text, unlogged boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    meta constant text := svc_pgmq.meta_table();
    queue constant text := svc_pgmq.relation_of('q_', queue_name);
    others bigint;
BEGIN
    IF to_regclass(meta) IS NULL THEN
        CALL svc_statements.create_extension('pgmq');
    END IF;
    -- Two that count at once would both find room.
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', meta);
    EXECUTE format('SELECT count(*) FROM %s m WHERE m.queue_name <> $1', meta) INTO others USING queue_name;
    IF others >= 100 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a project may have 100 queues',
            HINT = 'Drop one that is not needed with pgmq.drop_queue, or put the kind of message into its headers.';
    END IF;
    EXECUTE format('CREATE %s TABLE IF NOT EXISTS %s (msg_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,'
        ' read_ct integer DEFAULT 0 NOT NULL, enqueued_at timestamptz DEFAULT now() NOT NULL, vt timestamptz NOT NULL,'
        ' message jsonb, headers jsonb)', CASE WHEN unlogged THEN 'UNLOGGED' END, queue);
    EXECUTE format('CREATE TABLE IF NOT EXISTS %s (msg_id bigint PRIMARY KEY, read_ct integer DEFAULT 0 NOT NULL,'
        ' enqueued_at timestamptz DEFAULT now() NOT NULL, archived_at timestamptz DEFAULT now() NOT NULL,'
        ' vt timestamptz NOT NULL, message jsonb, headers jsonb)', svc_pgmq.relation_of('a_', queue_name));
    EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %s (vt)', 'q_' || lower(queue_name) || '_vt_idx', queue);
    EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %s (archived_at)',
        'archived_at_idx_' || lower(queue_name), svc_pgmq.relation_of('a_', queue_name));
    EXECUTE format('INSERT INTO %s (queue_name, is_partitioned, is_unlogged) VALUES ($1, false, $2) ON CONFLICT DO NOTHING', meta)
        USING queue_name, unlogged;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.make_queue(text, boolean) TO PUBLIC;

--@ function svc_pgmq.create(text)
CREATE OR REPLACE FUNCTION svc_pgmq.create(queue_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_pgmq.make_queue(queue_name, false);
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.create(text) TO PUBLIC;

--@ function svc_pgmq.create_non_partitioned(text)
CREATE OR REPLACE FUNCTION svc_pgmq.create_non_partitioned(queue_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_pgmq.make_queue(queue_name, false);
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.create_non_partitioned(text) TO PUBLIC;

--@ function svc_pgmq.create_unlogged(text)
CREATE OR REPLACE FUNCTION svc_pgmq.create_unlogged(queue_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    PERFORM svc_pgmq.make_queue(queue_name, true);
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.create_unlogged(text) TO PUBLIC;

--@ function svc_pgmq.create_partitioned(text,text,text)
CREATE OR REPLACE FUNCTION svc_pgmq.create_partitioned(
    queue_name text, partition_interval text DEFAULT '10000', retention_interval text DEFAULT '100000') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'feature_not_supported',
        MESSAGE = 'partitioned queues are not available',
        HINT = 'Use pgmq.create, and delete old messages of the archive by a scheduled job.';
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.create_partitioned(text, text, text) TO PUBLIC;

--@ function svc_pgmq.drop_queue(text)
CREATE OR REPLACE FUNCTION svc_pgmq.drop_queue(queue_name text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    meta constant text := svc_pgmq.meta_table();
BEGIN
    IF to_regclass(svc_pgmq.relation_of('q_', queue_name)) IS NULL THEN
        RAISE NOTICE 'pgmq queue "%" does not exist', queue_name;
        RETURN false;
    END IF;
    EXECUTE format('DROP TABLE %s', svc_pgmq.relation_of('q_', queue_name));
    EXECUTE format('DROP TABLE IF EXISTS %s', svc_pgmq.relation_of('a_', queue_name));
    IF to_regclass(meta) IS NOT NULL THEN
        EXECUTE format('DELETE FROM %s m WHERE lower(m.queue_name) = lower($1)', meta) USING queue_name;
    END IF;
    RETURN true;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.drop_queue(text) TO PUBLIC;

--@ function svc_pgmq.drop_queue(text,boolean)
CREATE OR REPLACE FUNCTION svc_pgmq.drop_queue(queue_name text, partitioned boolean) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN svc_pgmq.drop_queue(queue_name);
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.drop_queue(text, boolean) TO PUBLIC;

--@ function svc_pgmq.detach_archive(text)
CREATE OR REPLACE FUNCTION svc_pgmq.detach_archive(queue_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RAISE NOTICE 'the archive of a queue is a table of its own: there is nothing to detach';
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.detach_archive(text) TO PUBLIC;

--@ function svc_pgmq.list_queues()
CREATE OR REPLACE FUNCTION svc_pgmq.list_queues() RETURNS SETOF svc_pgmq.queue_record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF to_regclass(svc_pgmq.meta_table()) IS NOT NULL THEN
        RETURN QUERY EXECUTE format('SELECT m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at FROM %s m ORDER BY m.queue_name',
            svc_pgmq.meta_table());
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.list_queues() TO PUBLIC;

--@ function svc_pgmq.purge_queue(text)
CREATE OR REPLACE FUNCTION svc_pgmq.purge_queue(queue_name text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    queue constant text := svc_pgmq.relation_of('q_', queue_name);
    purged bigint;
BEGIN
    EXECUTE format('LOCK TABLE %s', queue);
    EXECUTE format('SELECT count(*) FROM %s', queue) INTO purged;
    EXECUTE format('TRUNCATE TABLE %s', queue);
    RETURN purged;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.purge_queue(text) TO PUBLIC;

--@ function svc_pgmq.metrics(text)
CREATE OR REPLACE FUNCTION svc_pgmq.metrics(queue_name text) RETURNS svc_pgmq.metrics_result
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    counted svc_pgmq.metrics_result;
BEGIN
    EXECUTE format('SELECT $1, count(*), extract(epoch FROM clock_timestamp() - max(q.enqueued_at))::integer,'
        ' extract(epoch FROM clock_timestamp() - min(q.enqueued_at))::integer,'
        ' (SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END FROM %s s), clock_timestamp(),'
        ' count(*) FILTER (WHERE q.vt <= clock_timestamp()) FROM %s q',
        format('%I.%I', svc_statements.further_schema(left(session_user::text, 37), 'pgmq'), 'q_' || lower(queue_name) || '_msg_id_seq'),
        svc_pgmq.relation_of('q_', queue_name)) INTO counted USING queue_name;
    RETURN counted;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.metrics(text) TO PUBLIC;

--@ function svc_pgmq.metrics_all()
CREATE OR REPLACE FUNCTION svc_pgmq.metrics_all() RETURNS SETOF svc_pgmq.metrics_result
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT m.* FROM svc_pgmq.list_queues() q CROSS JOIN LATERAL svc_pgmq.metrics(q.queue_name) m;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.metrics_all() TO PUBLIC;
