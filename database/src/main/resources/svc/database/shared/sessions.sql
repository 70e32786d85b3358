-- Ends sessions of projects, and restores their passwords, for the platform's own processes.
--
-- Hazards that shape this file:
--   * A tenant's function catches its cancellation and lifts every timeout of its session. Closing the socket does not stop it,
--     and the pool would count a backend as gone that still runs. Only pg_terminate_backend ends it.
--   * A process number is used again. The time at which a session began makes it certain; the login must fit as well.
--   * A login may always change its own password and its own settings; neither event triggers nor privileges prevent it.

--@ function svc_functions.session_began()
-- In microseconds since 1970, for the session that asks.
CREATE OR REPLACE FUNCTION svc_functions.session_began() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN (SELECT (extract(epoch FROM a.backend_start) * 1000000)::bigint
        FROM pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()) a);
GRANT EXECUTE ON FUNCTION svc_functions.session_began() TO PUBLIC;

--@ function svc_functions.end_sessions(integer[],bigint[],text[])
-- Ends sessions of the data plane's logins of projects and of no other login. Returns the process numbers of those that still
-- run, so that the caller asks again until there is none.
CREATE OR REPLACE FUNCTION svc_functions.end_sessions(pids integer[], began bigint[], logins text[]) RETURNS integer[]
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    given record;
    running integer[] := '{}';
BEGIN
    FOR given IN SELECT * FROM unnest(end_sessions.pids, end_sessions.began, end_sessions.logins) AS g (pid, began, login) LOOP
        CONTINUE WHEN given.login !~ '^proj_[0-9a-f]{32}_(api|service|system)$' OR NOT EXISTS (
            SELECT FROM pg_stat_get_activity(given.pid) a JOIN pg_authid r ON r.oid = a.usesysid
            WHERE r.rolname = given.login AND (extract(epoch FROM a.backend_start) * 1000000)::bigint = given.began);
        PERFORM pg_terminate_backend(given.pid);
        running := running || given.pid;
    END LOOP;
    RETURN running;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.end_sessions(integer[], bigint[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.end_sessions(integer[], bigint[], text[]) TO svc_catalog;

--@ function svc_functions.end_overdue_sessions(interval)
-- Ends sessions of the data plane's logins whose transaction began longer ago: of a process that is gone, for one that runs
-- ends its own. At least a minute, so that no mistake of a caller ends sessions at work.
CREATE OR REPLACE FUNCTION svc_functions.end_overdue_sessions(longest interval) RETURNS integer
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    overdue integer;
    ended integer := 0;
BEGIN
    FOR overdue IN
        SELECT a.pid FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.usename ~ '^proj_[0-9a-f]{32}_(api|service|system)$'
          AND a.xact_start < clock_timestamp() - greatest(end_overdue_sessions.longest, interval '1 minute')
    LOOP
        PERFORM pg_terminate_backend(overdue);
        ended := ended + 1;
    END LOOP;
    RETURN ended;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.end_overdue_sessions(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.end_overdue_sessions(interval) TO svc_catalog;

--@ function svc_functions.restore_login(text,text)
-- Sets the password of a login that was refused again, and drops settings of its own that neither the platform sets nor its project:
-- one could end its sessions. The password becomes the verifier that the operator set last, which it noted as a hash: a process
-- that is behind a rotation of keys can bring no older password back. The control plane restores owners, the data plane its
-- own logins.
CREATE OR REPLACE FUNCTION svc_functions.restore_login(login text, verifier text) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own record;
    level text := CASE session_user WHEN 'svc_platform' THEN 'owner' WHEN 'svc_catalog' THEN 'api|service|system' END;
BEGIN
    IF level IS NULL OR restore_login.login !~ ('^proj_[0-9a-f]{32}_(' || level || ')$')
        OR NOT EXISTS (
            SELECT FROM svc_guard.setting s
            WHERE s.name = 'verifier of ' || restore_login.login
              AND s.value = encode(sha256(convert_to(restore_login.verifier, 'UTF8')), 'hex'))
    THEN
        RETURN false;
    END IF;
    -- Two that change a role at once fail.
    PERFORM pg_advisory_xact_lock(hashtextextended(restore_login.login, 0));
    FOR own IN
        SELECT split_part(c.setting, '=', 1) AS name, s.setdatabase <> 0 AS here
        FROM pg_db_role_setting s CROSS JOIN LATERAL unnest(s.setconfig) AS c (setting)
        WHERE s.setrole = to_regrole(restore_login.login)
          AND s.setdatabase IN (0, (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))
          AND (s.setdatabase <> 0 OR split_part(c.setting, '=', 1) NOT IN ('search_path', 'statement_timeout',
               'lock_timeout', 'idle_in_transaction_session_timeout', 'temp_file_limit'))
          AND NOT (s.setdatabase = 0 AND svc_guard.is_own_setting(split_part(c.setting, '=', 1)))
    LOOP
        EXECUTE format('ALTER ROLE %I %s RESET %I', restore_login.login,
            CASE WHEN own.here THEN format('IN DATABASE %I', current_database()) ELSE '' END, own.name);
    END LOOP;
    EXECUTE format('ALTER ROLE %I PASSWORD %L', restore_login.login, restore_login.verifier);
    RETURN true;
END $body$;
REVOKE ALL ON FUNCTION svc_functions.restore_login(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_functions.restore_login(text, text) TO svc_catalog, svc_platform;
