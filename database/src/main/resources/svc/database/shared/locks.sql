-- Advisory locks of a project, under pg_catalog's names. pg_catalog's own are closed to tenants: all projects of a database share
-- one space of keys, and one table of locks.
--
-- Hazards that shape this file:
--   * Tenants can call all of it with any arguments, and only session_user says whose keys they are.
--   * The server keeps keys of one bigint apart from keys of two integers. Locks of the platform have one bigint, and the locks
--     here two integers: so no key of a tenant is the platform's. The first integer is the number of the project's schema, which
--     no other schema of the database has: so no key is a neighbour's. Only within a project can two keys share a lock.
--   * A login of the data plane is used by one caller after the other, and a lock of a session would outlive its caller. There
--     each lock ends with its transaction, also the one that is taken for a session.
--   * Each lock takes a place in the table that all projects share. To count a project's means to read the whole table, so one
--     lock in 32 counts. The dice are the server's strong random numbers: those of random() begin with a seed that tenants set.
--     Code that catches the error goes on, so at twice the number the session is ended, which nothing catches.

--@ function svc_guard.lock_number()
-- The first integer of all locks of the session's project: the number of its schema, which has 32 bits and no sign.
CREATE OR REPLACE FUNCTION svc_guard.lock_number() RETURNS integer
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    -- By its parts: a regular expression takes longer than all the rest.
    login constant text := session_user;
    own constant oid := CASE WHEN starts_with(login, 'proj_') AND substr(login, 38) IN ('_owner', '_api', '_service', '_system')
        THEN to_regnamespace(substr(login, 1, 37))::oid END;
BEGIN
    IF own IS NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'advisory locks belong to a project',
            HINT = 'Only the logins of a project can take them.';
    END IF;
    RETURN own::bigint::bit(32)::integer;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.lock_number() FROM PUBLIC;

--@ function svc_guard.new_lock_number()
-- The same for a lock that is to be taken. Counts what the project holds and waits for, see above.
CREATE OR REPLACE FUNCTION svc_guard.new_lock_number() RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    number constant integer := svc_guard.lock_number();
    held bigint;
BEGIN
    IF get_byte(uuid_send(gen_random_uuid()), 0) < 8 THEN
        SELECT count(*) INTO held FROM pg_lock_status() l
        WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = number::bit(32)::bigint::oid
          AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
        IF held >= 2000 THEN
            PERFORM pg_terminate_backend(pg_backend_pid());
        END IF;
        IF held >= 1000 THEN
            RAISE EXCEPTION USING
                ERRCODE = 'program_limit_exceeded',
                MESSAGE = 'a project may hold 1000 advisory locks at once',
                DETAIL = 'The locks of all its sessions count.',
                HINT = 'End the transaction or call pg_advisory_unlock earlier, or take one lock for many rows.';
        END IF;
    END IF;
    RETURN number;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.new_lock_number() FROM PUBLIC;

--@ function svc_guard.lock_hash(integer,integer,bigint)
-- 30 bits of both numbers. The hash of a bigint would not do: it only adds its halves up.
CREATE OR REPLACE FUNCTION svc_guard.lock_hash(key1 integer, key2 integer, seed bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashint4extended(key2, hashint4extended(key1, seed)) & 1073741823;
REVOKE ALL ON FUNCTION svc_guard.lock_hash(integer, integer, bigint) FROM PUBLIC;

--@ function svc_guard.lock_key(bigint)
-- The second integer. Numbers between -2^30 and 2^30 stay as they are and have a lock of their own each; others share what is
-- left above them by their hash, so that two of them have the same lock with a probability of 2^-30.
CREATE OR REPLACE FUNCTION svc_guard.lock_key(key bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN key >= -1073741824 AND key < 1073741824 THEN key
    ELSE 1073741824 + svc_guard.lock_hash((key >> 32)::integer, key::bit(32)::integer, 0) END::integer;
REVOKE ALL ON FUNCTION svc_guard.lock_key(bigint) FROM PUBLIC;

--@ function svc_guard.lock_key(integer,integer)
-- Keys of two integers have a space apart, as in every PostgreSQL: what is left below.
CREATE OR REPLACE FUNCTION svc_guard.lock_key(key1 integer, key2 integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (-2147483648 + svc_guard.lock_hash(key1, key2, 1))::integer;
REVOKE ALL ON FUNCTION svc_guard.lock_key(integer, integer) FROM PUBLIC;

--@ function svc_guard.keeps_locks()
-- Whether a lock of the session may outlive its transaction: the owner's sessions have one caller.
CREATE OR REPLACE FUNCTION svc_guard.keeps_locks() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN starts_with(session_user::text, 'proj_') AND substr(session_user::text, 38) = '_owner';
REVOKE ALL ON FUNCTION svc_guard.keeps_locks() FROM PUBLIC;

--@ function svc_views.pg_advisory_xact_lock(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_xact_lock(bigint) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1));
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_xact_lock(bigint) TO PUBLIC;

--@ function svc_views.pg_advisory_lock(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_lock(bigint) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1))
    ELSE pg_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_lock(bigint) TO PUBLIC;

--@ function svc_views.pg_advisory_xact_lock(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_xact_lock(integer, integer) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2));
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_xact_lock(integer, integer) TO PUBLIC;

--@ function svc_views.pg_advisory_lock(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_lock(integer, integer) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2))
    ELSE pg_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_lock(integer, integer) TO PUBLIC;

--@ function svc_views.pg_advisory_xact_lock_shared(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_xact_lock_shared(bigint) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1));
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_xact_lock_shared(bigint) TO PUBLIC;

--@ function svc_views.pg_advisory_lock_shared(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_lock_shared(bigint) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1))
    ELSE pg_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_lock_shared(bigint) TO PUBLIC;

--@ function svc_views.pg_advisory_xact_lock_shared(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_xact_lock_shared(integer, integer) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2));
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_xact_lock_shared(integer, integer) TO PUBLIC;

--@ function svc_views.pg_advisory_lock_shared(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_lock_shared(integer, integer) RETURNS void
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2))
    ELSE pg_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_lock_shared(integer, integer) TO PUBLIC;

--@ function svc_views.pg_try_advisory_xact_lock(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_xact_lock(bigint) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_try_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1));
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_xact_lock(bigint) TO PUBLIC;

--@ function svc_views.pg_try_advisory_lock(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_lock(bigint) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_try_advisory_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1))
    ELSE pg_try_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_lock(bigint) TO PUBLIC;

--@ function svc_views.pg_try_advisory_xact_lock(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_xact_lock(integer, integer) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_try_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2));
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_xact_lock(integer, integer) TO PUBLIC;

--@ function svc_views.pg_try_advisory_lock(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_lock(integer, integer) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_try_advisory_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2))
    ELSE pg_try_advisory_xact_lock(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_lock(integer, integer) TO PUBLIC;

--@ function svc_views.pg_try_advisory_xact_lock_shared(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_xact_lock_shared(bigint) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_try_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1));
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_xact_lock_shared(bigint) TO PUBLIC;

--@ function svc_views.pg_try_advisory_lock_shared(bigint)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_lock_shared(bigint) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_try_advisory_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1))
    ELSE pg_try_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_lock_shared(bigint) TO PUBLIC;

--@ function svc_views.pg_try_advisory_xact_lock_shared(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_xact_lock_shared(integer, integer) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN pg_try_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2));
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_xact_lock_shared(integer, integer) TO PUBLIC;

--@ function svc_views.pg_try_advisory_lock_shared(integer,integer)
CREATE OR REPLACE FUNCTION svc_views.pg_try_advisory_lock_shared(integer, integer) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_try_advisory_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2))
    ELSE pg_try_advisory_xact_lock_shared(svc_guard.new_lock_number(), svc_guard.lock_key($1, $2)) END;
GRANT EXECUTE ON FUNCTION svc_views.pg_try_advisory_lock_shared(integer, integer) TO PUBLIC;

--@ function svc_views.pg_advisory_unlock(bigint)
-- True also where the lock has ended with its transaction already: migrators fail when they hear that it was not theirs.
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_unlock(bigint) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_unlock(svc_guard.lock_number(), svc_guard.lock_key($1)) IS NOT NULL ELSE true END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_unlock(bigint) TO PUBLIC;

--@ function svc_views.pg_advisory_unlock(integer,integer)
-- True also where the lock has ended with its transaction already: migrators fail when they hear that it was not theirs.
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_unlock(integer, integer) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_unlock(svc_guard.lock_number(), svc_guard.lock_key($1, $2)) IS NOT NULL ELSE true END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_unlock(integer, integer) TO PUBLIC;

--@ function svc_views.pg_advisory_unlock_shared(bigint)
-- True also where the lock has ended with its transaction already: migrators fail when they hear that it was not theirs.
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_unlock_shared(bigint) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_unlock_shared(svc_guard.lock_number(), svc_guard.lock_key($1)) IS NOT NULL ELSE true END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_unlock_shared(bigint) TO PUBLIC;

--@ function svc_views.pg_advisory_unlock_shared(integer,integer)
-- True also where the lock has ended with its transaction already: migrators fail when they hear that it was not theirs.
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_unlock_shared(integer, integer) RETURNS boolean
LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_unlock_shared(svc_guard.lock_number(), svc_guard.lock_key($1, $2)) IS NOT NULL ELSE true END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_unlock_shared(integer, integer) TO PUBLIC;

--@ function svc_views.pg_advisory_unlock_all()
-- The platform takes no lock in a session of an owner, so all of them are the project's.
CREATE OR REPLACE FUNCTION svc_views.pg_advisory_unlock_all() RETURNS void
LANGUAGE sql VOLATILE PARALLEL RESTRICTED SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN CASE WHEN svc_guard.keeps_locks() THEN pg_advisory_unlock_all() END;
GRANT EXECUTE ON FUNCTION svc_views.pg_advisory_unlock_all() TO PUBLIC;
