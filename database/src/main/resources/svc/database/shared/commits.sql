-- How many commits of the data plane wait for the disk once.
--
-- The data plane sends the writes of several callers together, each a transaction of its own that does not wait for the
-- disk, and a last one that calls this and waits. PostgreSQL's log is one sequence: what it flushes for the last has the
-- others before it. No caller is answered before that. A message in the log is the least that makes a transaction wait, and
-- changes no table; nothing reads it.
--
-- Hazard: the session's user is the project's login, so it is open to PUBLIC. It takes nothing from the caller, who can
-- make the server wait for its disk with any other write as well.

--@ function svc_functions.flush_log()
CREATE OR REPLACE FUNCTION svc_functions.flush_log() RETURNS pg_lsn
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_logical_emit_message(true, 'svc', '');
ALTER FUNCTION svc_functions.flush_log() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.flush_log() TO PUBLIC;
