-- Flushes the WAL once for several commits of the data plane.
--
-- The data plane sends the writes of several callers together, each in its own transaction with synchronous_commit off, and a
-- last one that calls this and waits. The WAL is one sequence: flushing it for the last transaction flushes the others too. No
-- caller gets a response before that. A logical message is the smallest write that makes a transaction wait; nothing reads
-- it.
--
-- Hazard: session_user is the project's login, so EXECUTE is granted to PUBLIC. That gives a tenant nothing: any other write
-- makes the server flush too.

--@ function svc_functions.flush_log()
CREATE OR REPLACE FUNCTION svc_functions.flush_log() RETURNS pg_lsn
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_logical_emit_message(true, 'svc', '');
ALTER FUNCTION svc_functions.flush_log() OWNER TO CURRENT_USER;
GRANT EXECUTE ON FUNCTION svc_functions.flush_log() TO PUBLIC;
