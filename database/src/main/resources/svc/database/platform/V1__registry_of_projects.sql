-- Organisations own projects and tokens.
CREATE TABLE svc_platform.organisation (
    id text PRIMARY KEY,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO svc_platform.organisation (id, name) VALUES ('default', 'Default');

-- The registry of projects and their holders. This table, not the age of a custom resource, decides between two claims: with
-- its unique keys exactly one of two racing operators wins.
CREATE TABLE svc_platform.project (
    project_id uuid PRIMARY KEY,
    ref text NOT NULL,
    schema_name text NOT NULL,
    layout text NOT NULL CHECK (layout IN ('shared', 'dedicated')),
    namespace text NOT NULL,
    name text NOT NULL,
    database_name text NOT NULL,
    -- Deleted with the row when a project is deleted, which revokes every key that was derived for the project.
    incarnation bytea NOT NULL CHECK (octet_length(incarnation) = 32),
    master_key_version integer NOT NULL CHECK (master_key_version > 0),
    -- 0 until the project was provisioned for the first time.
    companion_version integer NOT NULL DEFAULT 0 CHECK (companion_version >= 0),
    state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'retained')),
    created_at timestamptz NOT NULL DEFAULT now(),
    retained_at timestamptz,
    CONSTRAINT project_ref_key UNIQUE (ref),
    CONSTRAINT project_schema_name_key UNIQUE (schema_name),
    CONSTRAINT project_schema_name_check CHECK (schema_name = 'proj_' || replace(project_id::text, '-', '')),
    CONSTRAINT project_retained_check CHECK ((state = 'retained') = (retained_at IS NOT NULL))
);

-- Placement counts the projects of each shared database.
CREATE INDEX project_database_name_idx ON svc_platform.project (database_name);
CREATE INDEX project_holder_idx ON svc_platform.project (namespace, name);

-- Transfers a project to another custom resource. Only an administrator calls it. Afterwards the former holder is in conflict
-- and can neither use nor drop the project.
CREATE FUNCTION svc_platform.transfer_project(project_id uuid, namespace text, name text)
    RETURNS svc_platform.project
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    moved svc_platform.project;
BEGIN
    UPDATE svc_platform.project AS p
    SET namespace = transfer_project.namespace, name = transfer_project.name
    WHERE p.project_id = transfer_project.project_id
    RETURNING p.* INTO moved;
    IF moved.project_id IS NULL THEN
        RAISE no_data_found USING MESSAGE = format('no project %s is registered', transfer_project.project_id);
    END IF;
    RETURN moved;
END
$$;

REVOKE ALL ON FUNCTION svc_platform.transfer_project(uuid, text, text) FROM PUBLIC;
