-- The migrations of each project, with their text: the user's own history. A row is written while its script runs and stays
-- if the script is committed; a failed script leaves none.
CREATE TABLE svc_platform.migration (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    version text NOT NULL CHECK (version ~ '^\d{14}$'),
    name text CHECK (char_length(name) BETWEEN 1 AND 100),
    query text NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'applied')),
    -- The transaction of the script and its database: the server knows the outcome, also after a crash of the
    -- instance.
    database_name text NOT NULL,
    transaction_id text NOT NULL CHECK (transaction_id ~ '^\d{1,20}$'),
    idempotency_key text CHECK (char_length(idempotency_key) BETWEEN 1 AND 255),
    -- SHA-256 of the request: the same key with another request is an error of the caller.
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    actor text NOT NULL CHECK (actor IN ('token', 'service_role')),
    token_id uuid,
    request_id text NOT NULL,
    started_at timestamptz NOT NULL,
    applied_at timestamptz,
    CONSTRAINT migration_version_key UNIQUE (project_id, version),
    CONSTRAINT migration_idempotency_key UNIQUE (project_id, idempotency_key),
    CONSTRAINT migration_applied_check CHECK ((state = 'applied') = (applied_at IS NOT NULL))
);

GRANT SELECT, INSERT, DELETE ON svc_platform.migration TO svc_platform;
GRANT UPDATE (state, applied_at) ON svc_platform.migration TO svc_platform;

-- Applied migrations are immutable.
ALTER TABLE svc_platform.migration ENABLE ROW LEVEL SECURITY;
CREATE POLICY migration_read ON svc_platform.migration FOR SELECT TO svc_platform USING (true);
CREATE POLICY migration_begin ON svc_platform.migration FOR INSERT TO svc_platform WITH CHECK (state = 'running');
CREATE POLICY migration_end ON svc_platform.migration FOR UPDATE TO svc_platform
    USING (state = 'running') WITH CHECK (state = 'applied');
CREATE POLICY migration_undo ON svc_platform.migration FOR DELETE TO svc_platform USING (state = 'running');

-- The history is deleted with its project. The audit is not: it belongs to the organisation.
CREATE FUNCTION svc_platform.forget_migrations()
    RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    DELETE FROM svc_platform.migration AS m WHERE m.project_id = OLD.project_id;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION svc_platform.forget_migrations() FROM PUBLIC;

CREATE TRIGGER forget_migrations AFTER DELETE ON svc_platform.project
    FOR EACH ROW EXECUTE FUNCTION svc_platform.forget_migrations();
