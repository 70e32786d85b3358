-- The log of each project: requests, errors of its database, lines of its functions. One table, partitioned by day (UTC), so that
-- old lines are dropped with their partition.
CREATE SEQUENCE svc_platform.project_log_seq CACHE 1;

CREATE TABLE svc_platform.project_log (
    project_id uuid NOT NULL,
    at timestamptz NOT NULL,
    -- Increases with the commits: one writer at a time adds lines.
    seq bigint NOT NULL DEFAULT nextval('svc_platform.project_log_seq'),
    -- svc.platform.projectlog.LogSource and LogSeverity.
    source smallint NOT NULL,
    severity smallint NOT NULL,
    -- Of a request; null for other lines.
    status smallint,
    duration_us bigint,
    bytes bigint,
    method text,
    path text,
    user_agent text,
    request_id text,
    -- Null for a request, which the other columns describe.
    message text,
    attributes jsonb
) PARTITION BY RANGE (at);

CREATE INDEX ON svc_platform.project_log (project_id, at DESC, seq DESC);

-- Takes lines without a partition of their day: no line is refused while no operator runs.
CREATE TABLE svc_platform.project_log_other PARTITION OF svc_platform.project_log DEFAULT;

-- How much each project has, by minute: what exceeds a project's share is deleted from its oldest minute on.
CREATE TABLE svc_platform.project_log_volume (
    project_id uuid NOT NULL,
    minute timestamptz NOT NULL,
    lines bigint NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (project_id, minute)
) WITH (fillfactor = 70);

-- Its one row is locked by the writer at work.
CREATE TABLE svc_platform.project_log_writer (one boolean PRIMARY KEY DEFAULT true CHECK (one));
INSERT INTO svc_platform.project_log_writer DEFAULT VALUES;

GRANT SELECT, INSERT, DELETE ON svc_platform.project_log TO svc_platform;
GRANT USAGE ON SEQUENCE svc_platform.project_log_seq TO svc_platform;
GRANT SELECT, INSERT, UPDATE, DELETE ON svc_platform.project_log_volume TO svc_platform;
GRANT SELECT, UPDATE ON svc_platform.project_log_writer TO svc_platform;

-- Queries of tokens run as this role, which can read the lines of one project and nothing else. The control plane says which,
-- and takes the role for one transaction.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'svc_log_reader') THEN
        CREATE ROLE svc_log_reader NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

GRANT svc_log_reader TO svc_platform WITH INHERIT FALSE, SET TRUE;
GRANT USAGE ON SCHEMA svc_platform TO svc_log_reader;
GRANT SELECT ON svc_platform.project_log TO svc_log_reader;

ALTER TABLE svc_platform.project_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY writer ON svc_platform.project_log TO svc_platform USING (true) WITH CHECK (true);
-- The subquery is evaluated once for a query, not for each row.
CREATE POLICY reader ON svc_platform.project_log FOR SELECT TO svc_log_reader
    USING (project_id = (SELECT nullif(current_setting('svc.log_project', true), '')::uuid));

-- Creates the partition of one day and moves its rows from the default partition. True when it did not exist.
CREATE FUNCTION svc_platform.add_project_log_day(day timestamp)
    RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    name text := 'project_log_' || to_char(day, 'YYYY_MM_DD');
    first timestamptz := day AT TIME ZONE 'UTC';
    after timestamptz := (day + interval '1 day') AT TIME ZONE 'UTC';
BEGIN
    IF to_regclass('svc_platform.' || name) IS NOT NULL THEN
        RETURN false;
    END IF;
    -- No row may be inserted between the move and the attachment.
    LOCK TABLE svc_platform.project_log IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('CREATE TABLE svc_platform.%I (LIKE svc_platform.project_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
    EXECUTE format('WITH moved AS (DELETE FROM svc_platform.project_log_other WHERE at >= %L AND at < %L'
        ' RETURNING *) INSERT INTO svc_platform.%I SELECT * FROM moved', first, after, name);
    EXECUTE format('ALTER TABLE svc_platform.project_log ATTACH PARTITION svc_platform.%I FOR VALUES FROM (%L) TO (%L)',
        name, first, after);
    RETURN true;
END
$$;

-- Creates the partitions of today and the days ahead, and drops each one whose newest line is older than days_kept. Returns the
-- number of partitions created or dropped. May run concurrently. Waits at most for its lock timeout, after which it fails unchanged.
CREATE FUNCTION svc_platform.maintain_project_log_partitions(at timestamptz, ahead integer, days_kept integer)
    RETURNS integer
    LANGUAGE plpgsql
    SET search_path = pg_catalog
    SET lock_timeout = '2s'
AS $$
DECLARE
    now_utc timestamp := maintain_project_log_partitions.at AT TIME ZONE 'UTC';
    oldest timestamp := now_utc - make_interval(days => days_kept);
    days timestamp[];
    day timestamp;
    name text;
    changes integer := 0;
BEGIN
    IF ahead < 0 OR days_kept < 1 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'at least the day at hand is kept';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('svc_platform.project_log'));
    DELETE FROM svc_platform.project_log_other AS o WHERE o.at < oldest AT TIME ZONE 'UTC';
    DELETE FROM svc_platform.project_log_volume AS v WHERE v.minute < oldest AT TIME ZONE 'UTC';
    -- Not a loop over the query: an open cursor would block altering the table.
    days := ARRAY(
        SELECT date_trunc('day', now_utc) + make_interval(days => i) FROM generate_series(0, ahead) AS i
        UNION
        SELECT date_trunc('day', o.at AT TIME ZONE 'UTC') FROM svc_platform.project_log_other AS o);
    FOREACH day IN ARRAY days LOOP
        changes := changes + svc_platform.add_project_log_day(day)::integer;
    END LOOP;
    FOR name IN
        SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'svc_platform.project_log'::regclass AND c.relname ~ '^project_log_\d{4}_\d{2}_\d{2}$'
          AND to_date(right(c.relname, 10), 'YYYY_MM_DD') + interval '1 day' <= oldest
    LOOP
        EXECUTE format('DROP TABLE svc_platform.%I', name);
        changes := changes + 1;
    END LOOP;
    RETURN changes;
END
$$;

REVOKE ALL ON FUNCTION svc_platform.add_project_log_day(timestamp) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_platform.maintain_project_log_partitions(timestamptz, integer, integer) FROM PUBLIC;
