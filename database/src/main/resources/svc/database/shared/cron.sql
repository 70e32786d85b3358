-- The jobs of all projects and their runs, under the names of pg_cron: a project sees its own through views, and a worker of the
-- platform runs them as their project's owner through the SQL gate.
--
-- Hazards that shape this file:
--   * Those of statements.sql: tenants can call all of it with any arguments, and only session_user says who they are.
--   * A job runs as the owner: a caller that may make one has the owner's rights. Only the owner's own sessions may.
--   * The worker must not wait for a tenant's transaction: it passes over rows that one has locked.
--   * A calendar that no date fits would be searched for ever: the worker's search has an end (svc.extensions.cron.Calendar).

--@ table svc_cron.stored_job
-- calendar: what svc_cron.calendar made of the schedule. due_at: when the job runs next; null until the worker has computed it, and
-- infinity for a job that never runs. last_run: the number of its latest run, which no later one of the project gets, though the
-- project may delete the run's row.
CREATE TABLE IF NOT EXISTS svc_cron.stored_job (
    schema_name text NOT NULL,
    jobid bigint NOT NULL,
    jobname text,
    schedule text NOT NULL,
    calendar bigint[] NOT NULL,
    command text NOT NULL,
    active boolean NOT NULL DEFAULT true,
    due_at timestamptz,
    last_run bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (schema_name, jobid),
    UNIQUE (schema_name, jobname)
) WITH (fillfactor = 80);
ALTER TABLE svc_cron.stored_job ADD COLUMN IF NOT EXISTS last_run bigint NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS stored_job_due_idx ON svc_cron.stored_job (due_at NULLS FIRST) WHERE active;
-- Each run gives a row another due_at, and the index a dead entry.
ALTER TABLE svc_cron.stored_job SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
REVOKE ALL ON svc_cron.stored_job FROM PUBLIC;
GRANT SELECT, UPDATE (due_at, last_run) ON svc_cron.stored_job TO svc_extensions;

--@ table svc_cron.stored_run
CREATE TABLE IF NOT EXISTS svc_cron.stored_run (
    schema_name text NOT NULL,
    runid bigint NOT NULL,
    jobid bigint NOT NULL,
    command text NOT NULL,
    status text NOT NULL CHECK (status IN ('running', 'succeeded', 'failed')),
    return_message text,
    start_time timestamptz,
    end_time timestamptz,
    PRIMARY KEY (schema_name, runid)
);
ALTER TABLE svc_cron.stored_run SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
CREATE INDEX IF NOT EXISTS stored_run_running_idx ON svc_cron.stored_run (schema_name, runid) WHERE status = 'running';
REVOKE ALL ON svc_cron.stored_run FROM PUBLIC;
GRANT SELECT, INSERT, UPDATE, DELETE ON svc_cron.stored_run TO svc_extensions;

--@ function svc_cron.field_value(text,integer,text[])
-- Of a number, or of the name at this place of the list, which begins with the lowest value; null for anything else.
CREATE OR REPLACE FUNCTION svc_cron.field_value(word text, low integer, names text[]) RETURNS integer
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN word ~ '^[0-9]{1,2}$' THEN word::integer ELSE array_position(names, word) + low - 1 END;
REVOKE ALL ON FUNCTION svc_cron.field_value(text, integer, text[]) FROM PUBLIC;

--@ function svc_cron.field_bits(text,integer,integer,text[])
-- A bit for each value of a field; null for one that cannot be read. A step needs a range, as in pg_cron.
CREATE OR REPLACE FUNCTION svc_cron.field_bits(field text, low integer, high integer, names text[]) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    part text;
    parts text[];
    first integer;
    last integer;
    step integer;
    bits bigint := 0;
BEGIN
    FOREACH part IN ARRAY string_to_array(field, ',') LOOP
        parts := regexp_match(part, '^(?:([*])|([0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?)(?:/([0-9]{1,2}))?$');
        IF parts IS NULL OR (parts[1] IS NULL AND parts[3] IS NULL AND parts[4] IS NOT NULL) THEN
            RETURN NULL;
        END IF;
        first := CASE WHEN parts[1] IS NULL THEN svc_cron.field_value(parts[2], low, names) ELSE low END;
        last := CASE
            WHEN parts[1] IS NOT NULL THEN high
            WHEN parts[3] IS NOT NULL THEN svc_cron.field_value(parts[3], low, names)
            ELSE first END;
        step := coalesce(parts[4]::integer, 1);
        IF (first >= low AND last <= high AND first <= last AND step > 0) IS NOT TRUE THEN
            RETURN NULL;
        END IF;
        FOR value IN first..last BY step LOOP
            bits := bits | (1::bigint << value);
        END LOOP;
    END LOOP;
    RETURN bits;
END $body$;
REVOKE ALL ON FUNCTION svc_cron.field_bits(text, integer, integer, text[]) FROM PUBLIC;

--@ function svc_cron.calendar(text)
-- What the worker needs of a schedule: the seconds of an interval alone; or minutes, hours, days of the month (bit 32: its last),
-- months and days of the week (Sunday is 0) as bits, and 1 if either of the two kinds of days is enough, which is so when
-- both are restricted (crontab(5)). Null for a schedule that cannot be read.
CREATE OR REPLACE FUNCTION svc_cron.calendar(schedule text) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    plain constant text := lower(btrim(schedule, E' \t\n\r'));
    seconds constant text := substring(plain FROM '^([0-9]{1,2})[[:space:]]+seconds?$');
    fields text[];
    days text[];
    bits bigint[];
    weekdays bigint;
BEGIN
    IF seconds IS NOT NULL THEN
        RETURN CASE WHEN seconds::integer BETWEEN 1 AND 59 THEN ARRAY[seconds::bigint] END;
    END IF;
    fields := regexp_split_to_array(CASE plain
        WHEN '@yearly' THEN '0 0 1 1 *'
        WHEN '@annually' THEN '0 0 1 1 *'
        WHEN '@monthly' THEN '0 0 1 * *'
        WHEN '@weekly' THEN '0 0 * * 0'
        WHEN '@daily' THEN '0 0 * * *'
        WHEN '@midnight' THEN '0 0 * * *'
        WHEN '@hourly' THEN '0 * * * *'
        ELSE plain END, '[[:space:]]+');
    IF octet_length(plain) > 256 OR cardinality(fields) IS DISTINCT FROM 5 THEN
        RETURN NULL;
    END IF;
    days := array_remove(string_to_array(fields[3], ','), '$');
    weekdays := svc_cron.field_bits(fields[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat}');
    bits := ARRAY[
        svc_cron.field_bits(fields[1], 0, 59, NULL),
        svc_cron.field_bits(fields[2], 0, 23, NULL),
        CASE WHEN cardinality(days) = 0 THEN 0 ELSE svc_cron.field_bits(array_to_string(days, ','), 1, 31, NULL) END
            | CASE WHEN '$' = ANY (string_to_array(fields[3], ',')) THEN 1::bigint << 32 ELSE 0 END,
        svc_cron.field_bits(fields[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}'),
        -- Sunday is 7 as well.
        (weekdays | (weekdays >> 7)) & 127,
        CASE WHEN starts_with(fields[3], '*') OR starts_with(fields[5], '*') THEN 0 ELSE 1 END];
    RETURN CASE WHEN array_position(bits, NULL) IS NULL THEN bits END;
END $body$;
REVOKE ALL ON FUNCTION svc_cron.calendar(text) FROM PUBLIC;

--@ function svc_cron.require_calendar(text)
CREATE OR REPLACE FUNCTION svc_cron.require_calendar(schedule text) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    found constant bigint[] := svc_cron.calendar(schedule);
BEGIN
    IF found IS NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('invalid schedule: %s', coalesce(left(schedule, 100), 'NULL')),
            HINT = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
    END IF;
    RETURN found;
END $body$;
REVOKE ALL ON FUNCTION svc_cron.require_calendar(text) FROM PUBLIC;

--@ function svc_cron.require_command(text)
CREATE OR REPLACE FUNCTION svc_cron.require_command(command text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF (octet_length(command) BETWEEN 1 AND 65536) IS NOT TRUE THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = 'a command of a job has 1 to 65536 bytes',
            HINT = 'Put a longer one into a function, and call it.';
    END IF;
    RETURN command;
END $body$;
REVOKE ALL ON FUNCTION svc_cron.require_command(text) FROM PUBLIC;

--@ function svc_cron.require_own_database(text,text)
CREATE OR REPLACE FUNCTION svc_cron.require_own_database(database text, username text) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF coalesce(database, 'postgres') NOT IN ('postgres', current_database()) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_catalog_name',
            MESSAGE = format('database "%s" does not exist', left(database, 63)),
            HINT = 'A job runs in the database of its project, postgres.';
    ELSIF coalesce(username, 'postgres') NOT IN ('postgres', session_user::text) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'a job runs as the owner of its project',
            HINT = 'Omit the user name, or begin the command with SET ROLE.';
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_cron.require_own_database(text, text) FROM PUBLIC;

--@ function svc_cron.store_job(text,text,text,text,boolean)
-- A job without a name is a new one each time.
CREATE OR REPLACE FUNCTION svc_cron.store_job(own text, name text, schedule text, command text, active boolean) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    times constant bigint[] := svc_cron.require_calendar(schedule);
    checked constant text := svc_cron.require_command(command);
    stored bigint;
BEGIN
    IF octet_length(name) NOT BETWEEN 1 AND 255 THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'a name of a job has 1 to 255 bytes';
    END IF;
    -- Two that count at once would both find room.
    PERFORM pg_advisory_xact_lock(hashtextextended('jobs of ' || own, 0));
    PERFORM svc_guard.note_extension(own, 'pg_cron');
    UPDATE svc_cron.stored_job j
    SET schedule = store_job.schedule, calendar = times, command = checked, active = store_job.active, due_at = NULL
    WHERE j.schema_name = own AND j.jobname = name
    RETURNING j.jobid INTO stored;
    IF stored IS NOT NULL THEN
        RETURN stored;
    END IF;
    IF (SELECT count(*) FROM svc_cron.stored_job j WHERE j.schema_name = own) >= 100 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = 'a project may have 100 jobs',
            HINT = 'Remove one with cron.unschedule, or do the work of several in one.';
    END IF;
    INSERT INTO svc_cron.stored_job (schema_name, jobid, jobname, schedule, calendar, command, active)
    SELECT own, 1 + greatest(
            (SELECT max(j.jobid) FROM svc_cron.stored_job j WHERE j.schema_name = own),
            (SELECT max(r.jobid) FROM svc_cron.stored_run r WHERE r.schema_name = own), 0),
        name, store_job.schedule, times, checked, store_job.active
    RETURNING jobid INTO stored;
    RETURN stored;
END $body$;
REVOKE ALL ON FUNCTION svc_cron.store_job(text, text, text, text, boolean) FROM PUBLIC;

--@ function svc_cron.schedule(text,text)
CREATE OR REPLACE FUNCTION svc_cron.schedule(schedule text, command text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN svc_cron.store_job(svc_guard.require_owner(), NULL, schedule, command, true);
GRANT EXECUTE ON FUNCTION svc_cron.schedule(text, text) TO PUBLIC;

--@ function svc_cron.schedule(text,text,text)
CREATE OR REPLACE FUNCTION svc_cron.schedule(job_name text, schedule text, command text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN svc_cron.store_job(svc_guard.require_owner(), job_name, schedule, command, true);
GRANT EXECUTE ON FUNCTION svc_cron.schedule(text, text, text) TO PUBLIC;

--@ function svc_cron.schedule_in_database(text,text,text,text,text,boolean)
CREATE OR REPLACE FUNCTION svc_cron.schedule_in_database(
    job_name text, schedule text, command text, database text, username text DEFAULT NULL, active boolean DEFAULT true) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
BEGIN
    PERFORM svc_cron.require_own_database(database, username);
    RETURN svc_cron.store_job(own, job_name, schedule, command, coalesce(active, true));
END $body$;
GRANT EXECUTE ON FUNCTION svc_cron.schedule_in_database(text, text, text, text, text, boolean) TO PUBLIC;

--@ function svc_cron.alter_job(bigint,text,text,text,text,boolean)
-- Null leaves a setting as it is.
CREATE OR REPLACE FUNCTION svc_cron.alter_job(
    job_id bigint, schedule text DEFAULT NULL, command text DEFAULT NULL, database text DEFAULT NULL, username text DEFAULT NULL,
    active boolean DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
BEGIN
    PERFORM svc_cron.require_own_database(database, username);
    UPDATE svc_cron.stored_job j
    SET schedule = coalesce(alter_job.schedule, j.schedule),
        calendar = CASE WHEN alter_job.schedule IS NULL THEN j.calendar ELSE svc_cron.require_calendar(alter_job.schedule) END,
        command = CASE WHEN alter_job.command IS NULL THEN j.command ELSE svc_cron.require_command(alter_job.command) END,
        active = coalesce(alter_job.active, j.active),
        due_at = NULL
    WHERE j.schema_name = own AND j.jobid = job_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION USING
            ERRCODE = 'no_data_found',
            MESSAGE = format('job %s does not exist or you don''t own it', coalesce(job_id::text, 'NULL'));
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_cron.alter_job(bigint, text, text, text, text, boolean) TO PUBLIC;

--@ function svc_cron.unschedule(bigint)
CREATE OR REPLACE FUNCTION svc_cron.unschedule(job_id bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
BEGIN
    DELETE FROM svc_cron.stored_job j WHERE j.schema_name = own AND j.jobid = job_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION USING
            ERRCODE = 'no_data_found',
            MESSAGE = format('could not find valid entry for job %s', coalesce(job_id::text, 'NULL'));
    END IF;
    RETURN true;
END $body$;
GRANT EXECUTE ON FUNCTION svc_cron.unschedule(bigint) TO PUBLIC;

--@ function svc_cron.unschedule(text)
CREATE OR REPLACE FUNCTION svc_cron.unschedule(job_name text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := svc_guard.require_owner();
BEGIN
    DELETE FROM svc_cron.stored_job j WHERE j.schema_name = own AND j.jobname = job_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION USING
            ERRCODE = 'no_data_found',
            MESSAGE = format('could not find valid entry for job ''%s''', coalesce(left(job_name, 255), 'NULL'));
    END IF;
    RETURN true;
END $body$;
GRANT EXECUTE ON FUNCTION svc_cron.unschedule(text) TO PUBLIC;

--@ view svc_cron.job
-- For the owner, in its sessions and in its own functions: a command may hold secrets.
CREATE OR REPLACE VIEW svc_cron.job WITH (security_barrier) AS
SELECT j.jobid, j.schedule, j.command, 'localhost'::text AS nodename, 5432 AS nodeport, 'postgres'::text AS database,
    'postgres'::text AS username, j.active, j.jobname
FROM svc_cron.stored_job j
WHERE j.schema_name = (SELECT o.schema_name FROM svc_guard.own_project o)
  AND current_user::text = (SELECT o.schema_name FROM svc_guard.own_project o) || '_owner';
GRANT SELECT ON svc_cron.job TO PUBLIC;

--@ view svc_cron.job_run_details
-- The worker deletes old rows. A right to DELETE would be one to LOCK the runs of all projects.
CREATE OR REPLACE VIEW svc_cron.job_run_details WITH (security_barrier) AS
SELECT r.jobid, r.runid, NULL::integer AS job_pid, 'postgres'::text AS database, 'postgres'::text AS username, r.command, r.status,
    r.return_message, r.start_time, r.end_time
FROM svc_cron.stored_run r
WHERE r.schema_name = (SELECT o.schema_name FROM svc_guard.own_project o)
  AND current_user::text = (SELECT o.schema_name FROM svc_guard.own_project o) || '_owner';
GRANT SELECT ON svc_cron.job_run_details TO PUBLIC;

--@ function svc_cron.take_lead()
-- Whether the session of the worker leads, for as long as it lasts: one process works at the jobs and requests of a database. No
-- lock of a tenant has one number alone.
CREATE OR REPLACE FUNCTION svc_cron.take_lead() RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_try_advisory_lock(8317144389713293937);
REVOKE ALL ON FUNCTION svc_cron.take_lead() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION svc_cron.take_lead() TO svc_extensions;
