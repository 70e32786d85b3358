-- The audit by months, so that what is too old goes with its month in one act. The rows of before move into it.
ALTER TABLE svc_platform.sql_call RENAME TO sql_call_before;

CREATE TABLE svc_platform.sql_call (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    ref text NOT NULL,
    organisation_id text NOT NULL,
    actor text NOT NULL CHECK (actor IN ('token', 'service_role')),
    token_id uuid,
    -- Of the service-role key; not known of calls before this column.
    key_version integer,
    request_id text NOT NULL,
    address text,
    text_hash bytea NOT NULL CHECK (octet_length(text_hash) = 32),
    text_bytes integer NOT NULL CHECK (text_bytes >= 0),
    -- The same for scripts that differ in constants and blanks only; empty for what was not read.
    fingerprint text CHECK (fingerprint ~ '^[0-9a-f]{16}$'),
    statement_kinds text[] NOT NULL DEFAULT '{}',
    started_at timestamptz NOT NULL,
    -- 'running' stays when the instance that ran it fell: what became of the script is then not known here.
    result text NOT NULL CHECK (result IN ('running', 'committed', 'rolled_back', 'replayed', 'failed', 'refused',
        'denied', 'throttled', 'timed_out', 'unknown')),
    code text,
    rows_returned integer,
    duration_ms integer,
    PRIMARY KEY (started_at, id),
    CONSTRAINT sql_call_token_check CHECK ((actor = 'token') = (token_id IS NOT NULL))
) PARTITION BY RANGE (started_at);

-- Answers "who ran what in this project", newest first, also of a project that is gone.
CREATE INDEX ON svc_platform.sql_call (organisation_id, ref, started_at DESC, id DESC);

-- Takes every row whose month was not made yet: an audit that cannot be written stops all SQL.
CREATE TABLE svc_platform.sql_call_other PARTITION OF svc_platform.sql_call DEFAULT;

-- A call can be added and its end filled in; who called and with what can never be changed. Rights are asked of the table
-- as a whole only, so its months need none.
GRANT SELECT, INSERT ON svc_platform.sql_call TO svc_platform;
GRANT UPDATE (result, code, rows_returned, duration_ms) ON svc_platform.sql_call TO svc_platform;

-- Makes one month and moves what waited for it into it. True when it was not there.
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
    -- Nothing may arrive between the move and the attachment.
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

-- Makes this month and those ahead, gives waiting rows their months, and drops each month of which no row is younger than
-- months_kept. Returns how many months it made or dropped. May run at any time and from several places: one works, the
-- others find it done. Calls wait for it, but never longer than the lock timeout, after which it fails and changes nothing.
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
    -- Not a loop over the query: it would hold the table open that is to be altered.
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

-- Rows of other months are waiting and get theirs here; nothing is dropped, whatever its age.
SELECT svc_platform.maintain_sql_call_partitions(now(), 2, 1200);
