-- Refs and ids of deleted projects. Applications and signed-in browsers go on calling the host of a deleted project for a
-- while: a project of another namespace must not answer there.
CREATE TABLE svc_platform.reserved_ref (
    ref text PRIMARY KEY,
    project_id uuid NOT NULL,
    namespace text NOT NULL,
    until timestamptz NOT NULL
);

CREATE INDEX ON svc_platform.reserved_ref (project_id);
CREATE INDEX ON svc_platform.reserved_ref (until);
