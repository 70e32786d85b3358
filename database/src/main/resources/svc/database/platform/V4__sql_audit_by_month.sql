-- Partitions the audit by month, so that old rows are dropped with their partition. Moves existing rows.
ALTER TABLE svc_platform.sql_call RENAME TO sql_call_before;

CREATE TABLE svc_platform.sql_call (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    ref text NOT NULL,
    organisation_id text NOT NULL,
    actor text NOT NULL CHECK (actor IN ('token', 'service_role')),
    token_id uuid,
    -- Version of the service-role key; null for calls before this column existed.
    key_version integer,
    request_id text NOT NULL,
    address text,
    text_hash bytea NOT NULL CHECK (octet_length(text_hash) = 32),
    text_bytes integer NOT NULL CHECK (text_bytes >= 0),
    -- Equal for scripts that differ only in constants and white space; empty for a script that was not parsed.
    fingerprint text CHECK (fingerprint ~ '^[0-9a-f]{16}$'),
    statement_kinds text[] NOT NULL DEFAULT '{}',
    started_at timestamptz NOT NULL,
    -- 'running' stays when the instance crashed: the outcome of the script is unknown here.
    result text NOT NULL CHECK (result IN ('running', 'committed', 'rolled_back', 'replayed', 'failed', 'refused',
        'denied', 'throttled', 'timed_out', 'unknown')),
    code text,
    rows_returned integer,
    duration_ms integer,
    PRIMARY KEY (started_at, id),
    CONSTRAINT sql_call_token_check CHECK ((actor = 'token') = (token_id IS NOT NULL))
) PARTITION BY RANGE (started_at);

-- For queries by project, newest first, including deleted projects.
CREATE INDEX ON svc_platform.sql_call (organisation_id, ref, started_at DESC, id DESC);

-- The default partition takes rows without a partition of their month: an audit that cannot be written would stop all SQL.
CREATE TABLE svc_platform.sql_call_other PARTITION OF svc_platform.sql_call DEFAULT;

-- A call can be inserted and its outcome updated; caller and request are immutable. PostgreSQL checks privileges on the
-- partitioned table only, so partitions need none.
GRANT SELECT, INSERT ON svc_platform.sql_call TO svc_platform;
GRANT UPDATE (result, code, rows_returned, duration_ms) ON svc_platform.sql_call TO svc_platform;

-- Creates the partition of one month and moves its rows from the default partition. True when it did not exist.
CREATE FUNCTION svc_platform.add_sql_call_month(month timestamp)
    RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    name text := 'sql_call_' || to_char(month, 'YYYY_MM');
    first timestamptz := month AT TIME ZONE 'UTC';
    after timestamptz := (month + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
    IF to_regclass('svc_platform.' || name) IS NOT NULL THEN
        RETURN false;
    END IF;
    -- No row may be inserted between the move and the attachment.
    LOCK TABLE svc_platform.sql_call IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('CREATE TABLE svc_platform.%I (LIKE svc_platform.sql_call INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
        name);
    EXECUTE format('WITH moved AS (DELETE FROM svc_platform.sql_call_other WHERE started_at >= %L AND started_at < %L'
        ' RETURNING *) INSERT INTO svc_platform.%I SELECT * FROM moved', first, after, name);
    EXECUTE format('ALTER TABLE svc_platform.sql_call ATTACH PARTITION svc_platform.%I FOR VALUES FROM (%L) TO (%L)',
        name, first, after);
    RETURN true;
END
$$;

-- Creates the partitions of this month and those ahead, moves rows out of the default partition, and drops each partition
-- whose newest row is older than months_kept. Returns the number of partitions created or dropped. May run concurrently: one
-- works, the others find nothing to do. Calls wait for it at most for its lock timeout, after which it fails unchanged.
CREATE FUNCTION svc_platform.maintain_sql_call_partitions(at timestamptz, ahead integer, months_kept integer)
    RETURNS integer
    LANGUAGE plpgsql
    SET search_path = pg_catalog
    SET lock_timeout = '2s'
AS $$
DECLARE
    now_utc timestamp := at AT TIME ZONE 'UTC';
    oldest timestamp := now_utc - make_interval(months => months_kept);
    months timestamp[];
    month timestamp;
    name text;
    changes integer := 0;
BEGIN
    IF ahead < 0 OR months_kept < 1 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'at least the month at hand is kept';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('svc_platform.sql_call'));
    DELETE FROM svc_platform.sql_call_other WHERE started_at < oldest AT TIME ZONE 'UTC';
    -- Not a loop over the query: an open cursor would block altering the table.
    months := ARRAY(
        SELECT date_trunc('month', now_utc) + make_interval(months => i) FROM generate_series(0, ahead) AS i
        UNION
        SELECT date_trunc('month', o.started_at AT TIME ZONE 'UTC') FROM svc_platform.sql_call_other AS o);
    FOREACH month IN ARRAY months LOOP
        changes := changes + svc_platform.add_sql_call_month(month)::integer;
    END LOOP;
    FOR name IN
        SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'svc_platform.sql_call'::regclass AND c.relname ~ '^sql_call_\d{4}_\d{2}$'
          AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= oldest
    LOOP
        EXECUTE format('DROP TABLE svc_platform.%I', name);
        changes := changes + 1;
    END LOOP;
    RETURN changes;
END
$$;

REVOKE ALL ON FUNCTION svc_platform.add_sql_call_month(timestamp) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_platform.maintain_sql_call_partitions(timestamptz, integer, integer) FROM PUBLIC;

INSERT INTO svc_platform.sql_call (id, project_id, ref, organisation_id, actor, token_id, request_id, address, text_hash,
    text_bytes, statement_kinds, started_at, result, code, rows_returned, duration_ms)
SELECT id, project_id, ref, organisation_id, actor, token_id, request_id, address, text_hash,
    text_bytes, statement_kinds, started_at, result, code, rows_returned, duration_ms
FROM svc_platform.sql_call_before;
DROP TABLE svc_platform.sql_call_before;

-- Moves existing rows into their partitions; drops nothing, whatever its age.
SELECT svc_platform.maintain_sql_call_partitions(now(), 2, 1200);
