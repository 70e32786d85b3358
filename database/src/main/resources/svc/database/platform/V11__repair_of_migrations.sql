-- The history of a project may be corrected by its owner: versions that the database has already are recorded without being
-- run, and versions that it has not are forgotten. A forgotten row is kept for the administrator of the database.
CREATE POLICY migration_record ON svc_platform.migration FOR INSERT TO svc_platform
    WITH CHECK (state = 'applied' AND transaction_id = '0' AND database_name = '');

CREATE TABLE svc_platform.reverted_migration (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL,
    version text NOT NULL,
    name text,
    query text NOT NULL,
    started_at timestamptz NOT NULL,
    applied_at timestamptz,
    actor text NOT NULL,
    token_id uuid,
    request_id text NOT NULL,
    reverted_at timestamptz NOT NULL
);

CREATE INDEX ON svc_platform.reverted_migration (project_id);

-- Applied migrations stay immutable for the control plane's login: a row leaves the history whole, and through this only.
CREATE FUNCTION svc_platform.revert_migration(
    project uuid, of_version text, by_actor text, by_token uuid, in_request text, at timestamptz)
    RETURNS boolean
    LANGUAGE sql
    SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
    WITH gone AS (
        DELETE FROM svc_platform.migration AS m WHERE m.project_id = project AND m.version = of_version RETURNING *
    ), kept AS (
        INSERT INTO svc_platform.reverted_migration (id, project_id, version, name, query, started_at, applied_at, actor,
            token_id, request_id, reverted_at)
        SELECT g.id, g.project_id, g.version, g.name, g.query, g.started_at, g.applied_at, by_actor, by_token, in_request, at
        FROM gone AS g
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM kept);
$$;

REVOKE ALL ON FUNCTION svc_platform.revert_migration(uuid, text, text, uuid, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_platform.revert_migration(uuid, text, text, uuid, text, timestamptz) TO svc_platform;

CREATE OR REPLACE FUNCTION svc_platform.forget_migrations()
    RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    DELETE FROM svc_platform.migration AS m WHERE m.project_id = OLD.project_id;
    DELETE FROM svc_platform.reverted_migration AS m WHERE m.project_id = OLD.project_id;
    RETURN NULL;
END
$$;
