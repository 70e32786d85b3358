-- The audit has calls other than SQL, too: those that are about no project (tokens, projects that do not exist yet) have no
-- project_id and no ref. Partitions follow the partitioned table.
ALTER TABLE svc_platform.sql_call
    ALTER COLUMN project_id DROP NOT NULL,
    ALTER COLUMN ref DROP NOT NULL,
    ADD CONSTRAINT sql_call_project_check CHECK ((project_id IS NULL) = (ref IS NULL));

-- For queries by organisation, newest first.
CREATE INDEX ON svc_platform.sql_call (organisation_id, started_at DESC, id DESC);
