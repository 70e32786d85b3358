-- Messages of the queues that pgmq.sql makes: sending, reading, deleting and archiving. The hazards are those of that file.
--
-- A message that is read stays in its queue with the time from which it is visible again, vt; who has done its work deletes or archives
-- it. Readers pass over rows that another transaction holds, so that none waits and none gets a message of another.

--@ function svc_pgmq.send(text,jsonb,jsonb,timestamptz)
CREATE OR REPLACE FUNCTION svc_pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY EXECUTE format('INSERT INTO %s (vt, message, headers) VALUES ($1, $2, $3) RETURNING msg_id',
        svc_pgmq.relation_of('q_', queue_name)) USING delay, msg, headers;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send(text, jsonb, jsonb, timestamptz) TO PUBLIC;

--@ function svc_pgmq.send(text,jsonb)
CREATE OR REPLACE FUNCTION svc_pgmq.send(queue_name text, msg jsonb) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send(queue_name, msg, NULL, clock_timestamp());
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send(text, jsonb) TO PUBLIC;

--@ function svc_pgmq.send(text,jsonb,jsonb)
CREATE OR REPLACE FUNCTION svc_pgmq.send(queue_name text, msg jsonb, headers jsonb) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send(queue_name, msg, headers, clock_timestamp());
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send(text, jsonb, jsonb) TO PUBLIC;

--@ function svc_pgmq.send(text,jsonb,integer)
CREATE OR REPLACE FUNCTION svc_pgmq.send(queue_name text, msg jsonb, delay integer) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send(queue_name, msg, NULL, clock_timestamp() + make_interval(secs => delay));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send(text, jsonb, integer) TO PUBLIC;

--@ function svc_pgmq.send(text,jsonb,timestamptz)
CREATE OR REPLACE FUNCTION svc_pgmq.send(queue_name text, msg jsonb, delay timestamptz) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send(queue_name, msg, NULL, delay);
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send(text, jsonb, timestamptz) TO PUBLIC;

--@ function svc_pgmq.send(text,jsonb,jsonb,integer)
CREATE OR REPLACE FUNCTION svc_pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send(text, jsonb, jsonb, integer) TO PUBLIC;

--@ function svc_pgmq.send_batch(text,jsonb[],jsonb[],timestamptz)
CREATE OR REPLACE FUNCTION svc_pgmq.send_batch(
    queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF msgs IS NULL OR cardinality(msgs) = 0 THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'msgs cannot be NULL or empty';
    ELSIF headers IS NOT NULL AND cardinality(headers) <> cardinality(msgs) THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
            MESSAGE = 'headers array must be empty or have as many elements as msgs';
    END IF;
    RETURN QUERY EXECUTE format('INSERT INTO %s (vt, message, headers) SELECT $1, u.message, u.headers'
        ' FROM unnest($2, coalesce($3, ''{}''::jsonb[])) u (message, headers) RETURNING msg_id',
        svc_pgmq.relation_of('q_', queue_name)) USING delay, msgs, headers;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send_batch(text, jsonb[], jsonb[], timestamptz) TO PUBLIC;

--@ function svc_pgmq.send_batch(text,jsonb[])
CREATE OR REPLACE FUNCTION svc_pgmq.send_batch(queue_name text, msgs jsonb[]) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send_batch(queue_name, msgs, NULL, clock_timestamp());
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send_batch(text, jsonb[]) TO PUBLIC;

--@ function svc_pgmq.send_batch(text,jsonb[],jsonb[])
CREATE OR REPLACE FUNCTION svc_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send_batch(queue_name, msgs, headers, clock_timestamp());
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send_batch(text, jsonb[], jsonb[]) TO PUBLIC;

--@ function svc_pgmq.send_batch(text,jsonb[],integer)
CREATE OR REPLACE FUNCTION svc_pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send_batch(queue_name, msgs, NULL, clock_timestamp() + make_interval(secs => delay));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send_batch(text, jsonb[], integer) TO PUBLIC;

--@ function svc_pgmq.send_batch(text,jsonb[],timestamptz)
CREATE OR REPLACE FUNCTION svc_pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send_batch(queue_name, msgs, NULL, delay);
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send_batch(text, jsonb[], timestamptz) TO PUBLIC;

--@ function svc_pgmq.send_batch(text,jsonb[],jsonb[],integer)
CREATE OR REPLACE FUNCTION svc_pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT svc_pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.send_batch(text, jsonb[], jsonb[], integer) TO PUBLIC;

--@ function svc_pgmq.read(text,integer,integer,jsonb)
-- A message that another transaction has taken is passed over; taken, it is visible again after vt seconds.
CREATE OR REPLACE FUNCTION svc_pgmq.read(
    queue_name text, vt integer, qty integer, conditional jsonb DEFAULT '{}') RETURNS SETOF svc_pgmq.message_record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY EXECUTE format('WITH due AS MATERIALIZED ('
        'SELECT q.msg_id FROM %1$s q WHERE q.vt <= clock_timestamp() AND ($3 IS NULL OR $3 = ''{}''::jsonb OR q.message @> $3)'
        ' ORDER BY q.msg_id LIMIT $1 FOR UPDATE SKIP LOCKED),'
        ' taken AS (UPDATE %1$s q SET vt = clock_timestamp() + make_interval(secs => $2), read_ct = q.read_ct + 1'
        ' FROM due WHERE q.msg_id = due.msg_id RETURNING q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers)'
        ' SELECT * FROM taken ORDER BY msg_id', svc_pgmq.relation_of('q_', queue_name)) USING qty, vt, conditional;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.read(text, integer, integer, jsonb) TO PUBLIC;

--@ function svc_pgmq.read_with_poll(text,integer,integer,integer,integer,jsonb)
-- Waits 5 s at most, however long it is asked to: a caller that waits holds one of the project's connections.
CREATE OR REPLACE FUNCTION svc_pgmq.read_with_poll(
    queue_name text, vt integer, qty integer, max_poll_seconds integer DEFAULT 5, poll_interval_ms integer DEFAULT 100,
    conditional jsonb DEFAULT '{}') RETURNS SETOF svc_pgmq.message_record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    until constant timestamptz := clock_timestamp() + make_interval(secs => greatest(least(max_poll_seconds, 5), 0));
BEGIN
    LOOP
        RETURN QUERY SELECT r.* FROM svc_pgmq.read(queue_name, vt, qty, conditional) r;
        EXIT WHEN FOUND OR clock_timestamp() >= until;
        PERFORM pg_sleep(greatest(least(poll_interval_ms, 1000), 10) / 1000.0);
    END LOOP;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.read_with_poll(text, integer, integer, integer, integer, jsonb) TO PUBLIC;

--@ function svc_pgmq.pop(text,integer)
CREATE OR REPLACE FUNCTION svc_pgmq.pop(queue_name text, qty integer) RETURNS SETOF svc_pgmq.message_record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY EXECUTE format('WITH due AS MATERIALIZED ('
        'SELECT q.msg_id FROM %1$s q WHERE q.vt <= clock_timestamp() ORDER BY q.msg_id LIMIT $1 FOR UPDATE SKIP LOCKED),'
        ' taken AS (DELETE FROM %1$s q USING due WHERE q.msg_id = due.msg_id'
        ' RETURNING q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers)'
        ' SELECT * FROM taken ORDER BY msg_id', svc_pgmq.relation_of('q_', queue_name)) USING qty;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.pop(text, integer) TO PUBLIC;

--@ function svc_pgmq.pop(text)
CREATE OR REPLACE FUNCTION svc_pgmq.pop(queue_name text) RETURNS SETOF svc_pgmq.message_record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT p.* FROM svc_pgmq.pop(queue_name, 1) p;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.pop(text) TO PUBLIC;

--@ function svc_pgmq.delete(text,bigint[])
CREATE OR REPLACE FUNCTION svc_pgmq.delete(queue_name text, msg_ids bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY EXECUTE format('DELETE FROM %s q WHERE q.msg_id = ANY ($1) RETURNING q.msg_id',
        svc_pgmq.relation_of('q_', queue_name)) USING msg_ids;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.delete(text, bigint[]) TO PUBLIC;

--@ function svc_pgmq.delete(text,bigint)
CREATE OR REPLACE FUNCTION svc_pgmq.delete(queue_name text, msg_id bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN EXISTS (SELECT FROM svc_pgmq.delete(queue_name, ARRAY[msg_id]));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.delete(text, bigint) TO PUBLIC;

--@ function svc_pgmq.archive(text,bigint[])
CREATE OR REPLACE FUNCTION svc_pgmq.archive(queue_name text, msg_ids bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY EXECUTE format('WITH taken AS (DELETE FROM %s q WHERE q.msg_id = ANY ($1)'
        ' RETURNING q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers)'
        ' INSERT INTO %s (msg_id, read_ct, enqueued_at, vt, message, headers) SELECT * FROM taken RETURNING msg_id',
        svc_pgmq.relation_of('q_', queue_name), svc_pgmq.relation_of('a_', queue_name)) USING msg_ids;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.archive(text, bigint[]) TO PUBLIC;

--@ function svc_pgmq.archive(text,bigint)
CREATE OR REPLACE FUNCTION svc_pgmq.archive(queue_name text, msg_id bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN EXISTS (SELECT FROM svc_pgmq.archive(queue_name, ARRAY[msg_id]));
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.archive(text, bigint) TO PUBLIC;

--@ function svc_pgmq.set_vt(text,bigint[],integer)
CREATE OR REPLACE FUNCTION svc_pgmq.set_vt(queue_name text, msg_ids bigint[], vt integer) RETURNS SETOF svc_pgmq.message_record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY EXECUTE format('UPDATE %s q SET vt = clock_timestamp() + make_interval(secs => $2) WHERE q.msg_id = ANY ($1)'
        ' RETURNING q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers',
        svc_pgmq.relation_of('q_', queue_name)) USING msg_ids, vt;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.set_vt(text, bigint[], integer) TO PUBLIC;

--@ function svc_pgmq.set_vt(text,bigint,integer)
CREATE OR REPLACE FUNCTION svc_pgmq.set_vt(queue_name text, msg_id bigint, vt integer) RETURNS SETOF svc_pgmq.message_record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN QUERY SELECT s.* FROM svc_pgmq.set_vt(queue_name, ARRAY[msg_id], vt) s;
END $body$;
GRANT EXECUTE ON FUNCTION svc_pgmq.set_vt(text, bigint, integer) TO PUBLIC;
