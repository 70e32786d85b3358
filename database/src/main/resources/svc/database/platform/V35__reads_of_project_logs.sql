-- What most queries over many lines read is in the index, so they touch neither the table nor lines of other projects. The writer
-- bounds both texts: an entry has 2,704 bytes at most.
DROP INDEX svc_platform.project_log_project_id_at_seq_idx;
CREATE INDEX project_log_lines ON svc_platform.project_log (project_id, at DESC, seq DESC)
    INCLUDE (source, severity, status, duration_us, bytes, method, path);

-- Lines are grouped by minutes and hours. PostgreSQL takes each time for a group of its own, and would sort all lines instead of
-- counting in a table of the groups.
ALTER TABLE svc_platform.project_log ALTER COLUMN at SET (n_distinct_inherited = 1440);
