-- A migration whose rollback runs. As with a migration that is applied, the server knows the outcome of the transaction, also after
-- a crash of the instance: the row leaves the history if it was committed, and stays if it was not.
CREATE TABLE svc_platform.migration_rollback (
    migration_id uuid PRIMARY KEY REFERENCES svc_platform.migration (id) ON DELETE CASCADE,
    database_name text NOT NULL,
    transaction_id text NOT NULL CHECK (transaction_id ~ '^\d{1,20}$'),
    actor text NOT NULL CHECK (actor IN ('token', 'service_role')),
    token_id uuid,
    request_id text NOT NULL,
    started_at timestamptz NOT NULL
);

-- A claim is made by the function alone; one whose transaction was rolled back is deleted.
GRANT SELECT, DELETE ON svc_platform.migration_rollback TO svc_platform;

-- Claims all applied versions from from_version on; false if these are not the chosen ones, or one of them is claimed.
CREATE FUNCTION svc_platform.begin_rollback(
    of_project uuid, from_version text, chosen text[], in_database text, in_transaction text, by_actor text, by_token uuid,
    in_request text, began timestamptz)
    RETURNS boolean
    LANGUAGE plpgsql
    SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- In one order, so that two calls wait for each other and not both.
    PERFORM FROM svc_platform.migration AS m
    WHERE m.project_id = of_project AND m.version >= from_version
    ORDER BY m.id FOR UPDATE;
    IF cardinality(chosen) <> (
        SELECT count(*) FROM svc_platform.migration AS m WHERE m.project_id = of_project AND m.version >= from_version)
        OR cardinality(chosen) <> (
        SELECT count(*)
        FROM svc_platform.migration AS m
        WHERE m.project_id = of_project AND m.version >= from_version AND m.state = 'applied'
            AND m.id = ANY (chosen::uuid[])
            AND NOT EXISTS (SELECT FROM svc_platform.migration_rollback AS r WHERE r.migration_id = m.id))
    THEN
        RETURN false;
    END IF;
    INSERT INTO svc_platform.migration_rollback AS r (migration_id, database_name, transaction_id, actor, token_id, request_id,
        started_at)
    SELECT one, in_database, in_transaction, by_actor, by_token, in_request, began FROM unnest(chosen::uuid[]) AS one;
    RETURN true;
END
$$;

REVOKE ALL ON FUNCTION svc_platform.begin_rollback(uuid, text, text[], text, text, text, uuid, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_platform.begin_rollback(uuid, text, text[], text, text, text, uuid, text, timestamptz)
    TO svc_platform;

-- Takes out of the history what the committed transaction has rolled back; answers with the number of versions.
CREATE FUNCTION svc_platform.end_rollback(of_project uuid, in_database text, in_transaction text, ended timestamptz)
    RETURNS bigint
    LANGUAGE sql
    SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
AS $$
    WITH locked AS (
        SELECT m.id, r.actor, r.token_id, r.request_id
        FROM svc_platform.migration AS m
        JOIN svc_platform.migration_rollback AS r ON r.migration_id = m.id
        WHERE m.project_id = of_project AND r.database_name = in_database AND r.transaction_id = in_transaction
        ORDER BY m.id
        FOR UPDATE OF m
    ), gone AS (
        DELETE FROM svc_platform.migration AS m USING locked AS l WHERE m.id = l.id
        RETURNING m.id, m.project_id, m.version, m.name, m.query, m.rollback, m.started_at, m.applied_at, l.actor, l.token_id,
            l.request_id
    ), kept AS (
        INSERT INTO svc_platform.reverted_migration (id, project_id, version, name, query, rollback, started_at, applied_at,
            actor, token_id, request_id, reverted_at)
        SELECT g.id, g.project_id, g.version, g.name, g.query, g.rollback, g.started_at, g.applied_at, g.actor, g.token_id,
            g.request_id, ended
        FROM gone AS g
        RETURNING 1
    )
    SELECT count(*) FROM kept;
$$;

REVOKE ALL ON FUNCTION svc_platform.end_rollback(uuid, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_platform.end_rollback(uuid, text, text, timestamptz) TO svc_platform;
