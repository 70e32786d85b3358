-- Every call that requested SQL in a project: one row before the SQL runs, updated with the outcome. Also for calls that were
-- denied, throttled or refused. The SQL text is not stored: it may contain secrets.
CREATE TABLE svc_platform.sql_call (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    ref text NOT NULL,
    organisation_id text NOT NULL,
    actor text NOT NULL CHECK (actor IN ('token', 'service_role')),
    token_id uuid,
    request_id text NOT NULL,
    address text,
    text_hash bytea NOT NULL CHECK (octet_length(text_hash) = 32),
    text_bytes integer NOT NULL CHECK (text_bytes >= 0),
    statement_kinds text[] NOT NULL DEFAULT '{}',
    started_at timestamptz NOT NULL,
    -- 'running' stays when the instance crashed: the outcome of the script is unknown.
    result text NOT NULL
        CHECK (result IN ('running', 'committed', 'failed', 'refused', 'denied', 'throttled', 'timed_out', 'unknown')),
    code text,
    rows_returned integer,
    duration_ms integer,
    CONSTRAINT sql_call_token_check CHECK ((actor = 'token') = (token_id IS NOT NULL))
);

CREATE INDEX sql_call_project_id_idx ON svc_platform.sql_call (project_id, started_at DESC, id);
CREATE INDEX sql_call_started_at_idx ON svc_platform.sql_call USING brin (started_at);

-- A call can be inserted and its outcome updated; caller and request are immutable.
GRANT SELECT, INSERT ON svc_platform.sql_call TO svc_platform;
GRANT UPDATE (result, code, rows_returned, duration_ms) ON svc_platform.sql_call TO svc_platform;
