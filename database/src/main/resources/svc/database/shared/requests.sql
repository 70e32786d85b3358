-- HTTP requests of all projects and their responses, under the names of pg_net, and the trigger of database webhooks. A request is
-- a row of the caller's transaction: what is rolled back is never sent. A worker of the platform sends what is committed.
--
-- Hazards that shape this file:
--   * Any session of a project may queue requests, in triggers of its tables as well: only session_user says which project pays.
--   * Nothing here may wait for another transaction of the project, or of others: numbers come from the clock, and no row
--     counts what is queued.
--   * Headers and bodies hold secrets: the owner and the service role read them, and callers with the anon key do not.
--   * setseed() is the tenant's: what must not be foreseen comes from gen_random_uuid().

--@ table svc_net.queued_request
-- id: microseconds since 1970. bytes: what counts of the row against its project's limit. claimed_until: no other process sends it
-- before, though the one that has claimed it may have ended. tried_at: when it was claimed first.
CREATE TABLE IF NOT EXISTS svc_net.queued_request (
    schema_name text NOT NULL,
    id bigint NOT NULL,
    method text NOT NULL,
    url text NOT NULL,
    headers jsonb NOT NULL,
    body text,
    timeout_milliseconds integer NOT NULL,
    bytes integer NOT NULL,
    claimed_until timestamptz,
    tried_at timestamptz,
    PRIMARY KEY (schema_name, id)
);
ALTER TABLE svc_net.queued_request
    ADD COLUMN IF NOT EXISTS claimed_until timestamptz, ADD COLUMN IF NOT EXISTS tried_at timestamptz;
-- A row is inserted, claimed and deleted: the claim finds room on its page, and what is dead is removed soon.
ALTER TABLE svc_net.queued_request
    SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
REVOKE ALL ON svc_net.queued_request FROM PUBLIC;
GRANT SELECT, DELETE, UPDATE (claimed_until, tried_at) ON svc_net.queued_request TO svc_extensions;

--@ table svc_net.stored_response
CREATE TABLE IF NOT EXISTS svc_net.stored_response (
    schema_name text NOT NULL,
    id bigint NOT NULL,
    status_code integer,
    content_type text,
    headers jsonb,
    content text,
    timed_out boolean,
    error_msg text,
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    bytes integer NOT NULL,
    PRIMARY KEY (schema_name, id)
);
CREATE INDEX IF NOT EXISTS stored_response_created_idx ON svc_net.stored_response (created);
ALTER TABLE svc_net.stored_response SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
REVOKE ALL ON svc_net.stored_response FROM PUBLIC;
GRANT SELECT, INSERT, UPDATE, DELETE ON svc_net.stored_response TO svc_extensions;

--@ function svc_net.url_encoded(text)
-- RFC 3986, section 2.3: all but the unreserved characters.
CREATE OR REPLACE FUNCTION svc_net.url_encoded(plain text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN (SELECT coalesce(string_agg(CASE
        WHEN c.letter COLLATE "C" ~ '^[A-Za-z0-9_.~-]$' THEN c.letter
        ELSE regexp_replace(upper(encode(convert_to(c.letter, 'UTF8'), 'hex')), '(..)', '%' || chr(92) || '1', 'g') END,
    '' ORDER BY c.place), '')
    FROM regexp_split_to_table(plain, '') WITH ORDINALITY AS c (letter, place));
REVOKE ALL ON FUNCTION svc_net.url_encoded(text) FROM PUBLIC;

--@ function svc_net.require_url(text,jsonb)
-- The address with its parameters.
CREATE OR REPLACE FUNCTION svc_net.require_url(url text, params jsonb) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    plain constant text := split_part(url, '#', 1);
    -- What follows the last colon of the host; an address in brackets has colons of its own.
    port constant text := substring(plain COLLATE "C" FROM '^[A-Za-z]+://(?:[[][^]]*[]]|[^][/?:]*):([^/?]*)');
    whole text;
BEGIN
    IF jsonb_typeof(params) <> 'object' OR octet_length(params::text) > 8192 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = 'params must be a JSON object of at most 8192 bytes';
    END IF;
    whole := plain || coalesce((
        SELECT CASE WHEN strpos(plain, '?') > 0 THEN '&' ELSE '?' END
            || string_agg(svc_net.url_encoded(p.key) || '=' || svc_net.url_encoded(p.value), '&' ORDER BY p.key)
        FROM jsonb_each_text(params) p), '');
    IF (octet_length(whole) <= 8192 AND whole COLLATE "C" ~* '^https?://[^/?#@[:space:][:cntrl:]]+([/?][^[:space:][:cntrl:]]*)?$')
        IS NOT TRUE
        OR (port ~ '^[0-9]{1,5}$' AND port::integer BETWEEN 1 AND 65535) IS FALSE
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('invalid URL: %s', coalesce(left(whole, 100), 'NULL')),
            HINT = 'Write http:// or https://, a host, a port of at most 65535 if any, and at most 8192 bytes in all, without a'
                ' user, a password or spaces.';
    END IF;
    RETURN whole;
END $body$;
REVOKE ALL ON FUNCTION svc_net.require_url(text, jsonb) FROM PUBLIC;

--@ function svc_net.require_headers(jsonb)
-- Those of the connection are the platform's, and so are those in which proxies say where a request comes from: the platform's
-- own API believes them from its own machine.
CREATE OR REPLACE FUNCTION svc_net.require_headers(headers jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    wrong text;
BEGIN
    IF headers IS NULL OR headers = 'null' THEN
        RETURN '{}';
    END IF;
    IF jsonb_typeof(headers) <> 'object' OR octet_length(headers::text) > 32768 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = 'headers must be a JSON object of at most 32768 bytes';
    END IF;
    SELECT h.key INTO wrong FROM jsonb_each_text(headers) h
    WHERE (h.key COLLATE "C" ~ '^[A-Za-z0-9!#$%&''*+.^_`|~-]{1,128}$' AND h.value COLLATE "C" !~ '[[:cntrl:]]'
        AND lower(h.key) NOT IN ('host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te',
            'trailer', 'expect', 'forwarded', 'x-real-ip')
        AND NOT starts_with(lower(h.key), 'proxy-') AND NOT starts_with(lower(h.key), 'x-forwarded-')) IS NOT TRUE
    LIMIT 1;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('the header %s cannot be set', left(quote_literal(wrong), 140)),
            HINT = 'A name has letters, digits and a few signs, a value has no control characters; what belongs to the connection'
                ' or to proxies, such as Host, Content-Length and X-Forwarded-For, is set by the platform.';
    END IF;
    RETURN headers;
END $body$;
REVOKE ALL ON FUNCTION svc_net.require_headers(jsonb) FROM PUBLIC;

--@ function svc_net.require_room(text)
CREATE OR REPLACE FUNCTION svc_net.require_room(own text) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    waiting bigint;
    waiting_bytes bigint;
BEGIN
    SELECT count(*), coalesce(sum(q.bytes), 0) INTO waiting, waiting_bytes
    FROM svc_net.queued_request q WHERE q.schema_name = own;
    IF waiting >= 10000 OR waiting_bytes >= 16777216 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'configuration_limit_exceeded',
            MESSAGE = 'the project has as many HTTP requests waiting as it may',
            DETAIL = format('%s requests with %s bytes wait to be sent.', waiting, waiting_bytes),
            HINT = 'A project may have about 10,000 requests and 16 MB waiting. Queue fewer in one transaction, or one for many rows.';
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_net.require_room(text) FROM PUBLIC;

--@ function svc_net.queue_request(text,text,jsonb,jsonb,integer,text)
-- The room is counted for one request of 32, so that a transaction of many is not quadratic in them, and for each large one.
CREATE OR REPLACE FUNCTION svc_net.queue_request(
    method text, url text, params jsonb, headers jsonb, timeout_milliseconds integer, body text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    own constant text := (SELECT o.schema_name FROM svc_guard.own_project o);
    target constant text := svc_net.require_url(url, coalesce(params, '{}'));
    given constant jsonb := svc_net.require_headers(headers);
    size constant integer := octet_length(target) + octet_length(given::text) + coalesce(octet_length(body), 0) + 100;
    number bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
BEGIN
    IF own IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the session belongs to no project';
    END IF;
    -- A longer one is cut: a webhook that was made with it would fail each write of its table.
    IF (timeout_milliseconds >= 1) IS NOT TRUE THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value', MESSAGE = 'timeout_milliseconds must be 1 or more';
    ELSIF octet_length(body) > 262144 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded', MESSAGE = 'the body of an HTTP request has at most 262144 bytes';
    END IF;
    IF size > 32768 OR get_byte(uuid_send(gen_random_uuid()), 0) < 8 THEN
        PERFORM svc_net.require_room(own);
    END IF;
    LOOP
        INSERT INTO svc_net.queued_request (schema_name, id, method, url, headers, body, timeout_milliseconds, bytes)
        VALUES (own, number, method, target, given, body, least(timeout_milliseconds, 60000), size)
        ON CONFLICT DO NOTHING;
        EXIT WHEN FOUND;
        number := number + 1 + get_byte(uuid_send(gen_random_uuid()), 0);
    END LOOP;
    RETURN number;
END $body$;
REVOKE ALL ON FUNCTION svc_net.queue_request(text, text, jsonb, jsonb, integer, text) FROM PUBLIC;

--@ function svc_net.http_get(text,jsonb,jsonb,integer)
CREATE OR REPLACE FUNCTION svc_net.http_get(
    url text, params jsonb DEFAULT '{}', headers jsonb DEFAULT '{}', timeout_milliseconds integer DEFAULT 5000) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN svc_net.queue_request('GET', url, params, headers, timeout_milliseconds, NULL);
END $body$;
GRANT EXECUTE ON FUNCTION svc_net.http_get(text, jsonb, jsonb, integer) TO PUBLIC;

--@ function svc_net.http_post(text,jsonb,jsonb,jsonb,integer)
CREATE OR REPLACE FUNCTION svc_net.http_post(
    url text, body jsonb DEFAULT '{}', params jsonb DEFAULT '{}', headers jsonb DEFAULT '{"Content-Type": "application/json"}',
    timeout_milliseconds integer DEFAULT 5000) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN svc_net.queue_request('POST', url, params,
        CASE
            WHEN jsonb_typeof(headers) = 'object' AND EXISTS (
                SELECT FROM jsonb_object_keys(headers) k WHERE lower(k) = 'content-type') THEN headers
            WHEN jsonb_typeof(headers) = 'object' THEN headers || '{"Content-Type": "application/json"}'
            ELSE coalesce(nullif(headers, 'null'), '{"Content-Type": "application/json"}') END,
        timeout_milliseconds, body::text);
END $body$;
GRANT EXECUTE ON FUNCTION svc_net.http_post(text, jsonb, jsonb, jsonb, integer) TO PUBLIC;

--@ function svc_net.http_delete(text,jsonb,jsonb,integer,jsonb)
CREATE OR REPLACE FUNCTION svc_net.http_delete(
    url text, params jsonb DEFAULT '{}', headers jsonb DEFAULT '{}', timeout_milliseconds integer DEFAULT 5000,
    body jsonb DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN svc_net.queue_request('DELETE', url, params, headers, timeout_milliseconds, body::text);
END $body$;
GRANT EXECUTE ON FUNCTION svc_net.http_delete(text, jsonb, jsonb, integer, jsonb) TO PUBLIC;

--@ view svc_net.http_request_queue
CREATE OR REPLACE VIEW svc_net.http_request_queue WITH (security_barrier) AS
SELECT q.id, q.method, q.url, q.headers, pg_catalog.convert_to(q.body, 'UTF8') AS body, q.timeout_milliseconds
FROM svc_net.queued_request q
WHERE q.schema_name = (SELECT o.schema_name FROM svc_guard.own_project o)
  AND current_user::text IN ((SELECT o.schema_name FROM svc_guard.own_project o) || '_owner',
      (SELECT o.schema_name FROM svc_guard.own_project o) || '_service');
GRANT SELECT ON svc_net.http_request_queue TO PUBLIC;

--@ view svc_net._http_response
-- The worker deletes old rows. A right to DELETE would be one to LOCK the responses of all projects.
CREATE OR REPLACE VIEW svc_net._http_response WITH (security_barrier) AS
SELECT r.id, r.status_code, r.content_type, r.headers, r.content, r.timed_out, r.error_msg, r.created
FROM svc_net.stored_response r
WHERE r.schema_name = (SELECT o.schema_name FROM svc_guard.own_project o)
  AND current_user::text IN ((SELECT o.schema_name FROM svc_guard.own_project o) || '_owner',
      (SELECT o.schema_name FROM svc_guard.own_project o) || '_service');
GRANT SELECT ON svc_net._http_response TO PUBLIC;

--@ function svc_net.http_collect_response(bigint,boolean)
-- For who may read the views. Never waits, whatever async says: the request is sent after the caller's transaction.
CREATE OR REPLACE FUNCTION svc_net.http_collect_response(
    request_id bigint, async boolean DEFAULT true, OUT status text, OUT message text, OUT response jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    found svc_net._http_response;
BEGIN
    SELECT * INTO found FROM svc_net._http_response r WHERE r.id = request_id;
    IF found.id IS NOT NULL AND found.error_msg IS NULL THEN
        status := 'SUCCESS';
        message := 'ok';
        response := jsonb_build_object(
            'status_code', found.status_code, 'headers', found.headers, 'body', found.content);
    ELSIF found.id IS NOT NULL THEN
        status := 'ERROR';
        message := found.error_msg;
    ELSIF EXISTS (SELECT FROM svc_net.http_request_queue q WHERE q.id = request_id) THEN
        status := 'PENDING';
        message := 'request is pending processing';
    ELSE
        status := 'ERROR';
        message := 'request matching request_id not found';
    END IF;
END $body$;
GRANT EXECUTE ON FUNCTION svc_net.http_collect_response(bigint, boolean) TO PUBLIC;

--@ function svc_net.worker_restart()
-- The worker belongs to the platform: there is nothing to restart.
CREATE OR REPLACE FUNCTION svc_net.worker_restart() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp RETURN true;
GRANT EXECUTE ON FUNCTION svc_net.worker_restart() TO PUBLIC;

--@ function svc_net.check_worker_is_up()
CREATE OR REPLACE FUNCTION svc_net.check_worker_is_up() RETURNS void
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp RETURN NULL::void;
GRANT EXECUTE ON FUNCTION svc_net.check_worker_is_up() TO PUBLIC;

--@ function svc_supabase_functions.http_request()
-- The trigger of a database webhook: address, method, headers and parameters as JSON, and milliseconds. With the rights of who
-- changes the row: a type of the project's may have casts of its own.
CREATE OR REPLACE FUNCTION svc_supabase_functions.http_request() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    method constant text := upper(coalesce(TG_ARGV[1], 'POST'));
    headers constant jsonb := coalesce(nullif(TG_ARGV[2], 'null'), '{"Content-Type": "application/json"}')::jsonb;
    params constant jsonb := coalesce(nullif(TG_ARGV[3], 'null'), '{}')::jsonb;
    timeout constant integer := coalesce(nullif(TG_ARGV[4], 'null'), '1000')::integer;
BEGIN
    IF nullif(TG_ARGV[0], 'null') IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = 'url argument is missing';
    ELSIF method = 'GET' THEN
        PERFORM svc_net.http_get(TG_ARGV[0], params, headers, timeout);
    ELSIF method = 'POST' THEN
        PERFORM svc_net.http_post(
            TG_ARGV[0],
            jsonb_build_object(
                'type', TG_OP,
                'table', TG_TABLE_NAME,
                'schema', svc_functions.realtime_schema_alias(TG_TABLE_SCHEMA),
                'record', CASE WHEN TG_LEVEL = 'ROW' AND TG_OP <> 'DELETE' THEN to_jsonb(NEW) END,
                'old_record', CASE WHEN TG_LEVEL = 'ROW' AND TG_OP <> 'INSERT' THEN to_jsonb(OLD) END),
            params, headers, timeout);
    ELSE
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('method argument %s is invalid', left(quote_literal(method), 40)),
            HINT = 'Use GET or POST.';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END $body$;
GRANT EXECUTE ON FUNCTION svc_supabase_functions.http_request() TO PUBLIC;
