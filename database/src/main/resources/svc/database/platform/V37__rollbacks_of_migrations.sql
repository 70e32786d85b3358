-- The SQL that undoes a migration, as its author sent it. It is kept and shown, and never run by the platform.
ALTER TABLE svc_platform.migration ADD COLUMN rollback text;
ALTER TABLE svc_platform.reverted_migration ADD COLUMN rollback text;

CREATE OR REPLACE FUNCTION svc_platform.revert_migration(
    project uuid, of_version text, by_actor text, by_token uuid, in_request text, at timestamptz)
    RETURNS boolean
    LANGUAGE sql
    SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
    WITH gone AS (
        DELETE FROM svc_platform.migration AS m WHERE m.project_id = project AND m.version = of_version RETURNING *
    ), kept AS (
        INSERT INTO svc_platform.reverted_migration (id, project_id, version, name, query, rollback, started_at, applied_at,
            actor, token_id, request_id, reverted_at)
        SELECT g.id, g.project_id, g.version, g.name, g.query, g.rollback, g.started_at, g.applied_at, by_actor, by_token,
            in_request, at
        FROM gone AS g
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM kept);
$$;

-- Applied migrations stay immutable for the control plane's login, but for what describes them; null keeps a value.
CREATE FUNCTION svc_platform.describe_migration(project uuid, of_version text, new_name text, new_rollback text)
    RETURNS boolean
    LANGUAGE sql
    SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
    WITH changed AS (
        UPDATE svc_platform.migration AS m
        SET name = coalesce(new_name, m.name), rollback = coalesce(new_rollback, m.rollback)
        WHERE m.project_id = project AND m.version = of_version AND m.state = 'applied'
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM changed);
$$;

REVOKE ALL ON FUNCTION svc_platform.describe_migration(uuid, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_platform.describe_migration(uuid, text, text, text) TO svc_platform;
