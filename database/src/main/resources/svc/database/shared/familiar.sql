-- Definitions as the server prints them, with Supabase's names for the project's own: clients of PostgreSQL's protocol compare what
-- they read with what they wrote. The endpoint asks for it by the setting svc.names of its sessions: "short" leaves out what a search
-- path with public and extensions makes needless, "full" names every schema. Without the setting the names are the real ones.
--
-- Hazards that shape this file:
--   * It is a convenience and no wall: what is printed has no rights. A text that is read wrongly shows a real name.
--   * A tenant decides how long a definition is: the work is linear in it, and beyond a megabyte nothing is done.
--   * Two control characters mark the places that were found: a text that has them is left as it is.

--@ function svc_guard.familiar_name(text,text,boolean)
-- For a schema with its dot, or a role.
CREATE OR REPLACE FUNCTION svc_guard.familiar_name(own text, found text, short boolean) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN found = own || '.' THEN CASE WHEN short THEN '' ELSE 'public.' END
    WHEN found = 'extensions.' THEN CASE WHEN short THEN '' ELSE found END
    WHEN found = 'svc_views.' THEN CASE WHEN short THEN '' ELSE 'pg_catalog.' END
    WHEN found = 'svc_information_schema.' THEN 'information_schema.'
    WHEN starts_with(found, 'svc_') THEN substr(found, 5)
    WHEN starts_with(found, own || '__') THEN substr(found, 40)
    ELSE CASE substr(found, 39)
        WHEN 'owner' THEN 'postgres'
        WHEN 'api' THEN 'authenticator'
        WHEN 'service' THEN 'service_role'
        WHEN 'system' THEN 'supabase_auth_admin'
        ELSE substr(found, 39) END END;
REVOKE ALL ON FUNCTION svc_guard.familiar_name(text, text, boolean) FROM PUBLIC;

--@ function svc_guard.familiar(text,boolean)
-- A definition of the session's own project. Where it is qualified, as the server prints the object of a CREATE statement,
-- no search path makes a name shorter.
CREATE OR REPLACE FUNCTION svc_guard.familiar(definition text, qualified boolean) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    names constant text := current_setting('svc.names', true);
    own constant text := left(session_user, 37);
    short constant boolean := names = 'short' AND NOT qualified;
    schemas text := 'svc_auth|svc_storage|svc_realtime|svc_views|svc_information_schema|svc_cron|svc_net|svc_supabase_functions|svc_pgmq'
        '|svc_supabase_functions|svc_vault';
    marked text;
    pieces text[];
    closing integer;
    mark text;
BEGIN
    IF definition IS NULL OR names IS NULL OR names NOT IN ('short', 'full') OR own !~ '^proj_[0-9a-f]{32}$'
        OR definition !~ 'proj_|svc_|extensions\.' OR octet_length(definition) > 1048576 OR definition ~ E'[\x01\x02]' THEN
        RETURN definition;
    END IF;
    -- A table of the project's, or its alias, may be called as the schema of extensions.
    IF definition !~ '\mextensions\M(?!\.)|\.extensions\M' THEN
        schemas := schemas || '|extensions';
    END IF;
    -- Passed over are strings, but for those that are names of relations and the like, quoted names and comments. One that has no
    -- end ends with the text.
    marked := replace(regexp_replace(definition, format(
        $re$('(?!%1$s\w*\.[^']*'::reg)[^']*(?:'|$)|\m[eE]'(?:[^'\\]|\\.|'')*(?:'|\\?$)|"[^"]*(?:"|$)|--[^\n\r]*|/\*(?:[^*]|\*+[^*/])*(?:\*+/|\**$))$re$
        || $re$|('%1$s\w*\.[^']*'(?=::reg)|\m(?:%1$s(?:_auth|_storage|_realtime|__[a-z]\w*)?|%2$s)\.|\m%1$s_(?:anon|authenticated|service|api|owner|system)\M)$re$,
        own, schemas), E'\\1\x01\\2\x02', 'g'), E'\x01\x02', '');
    pieces := string_to_array(marked, E'\x01');
    FOR i IN 2..cardinality(pieces) LOOP
        closing := strpos(pieces[i], E'\x02');
        mark := left(pieces[i], closing - 1);
        mark := CASE WHEN starts_with(mark, '''')
            THEN '''' || svc_guard.familiar_name(own, substr(mark, 2, strpos(mark, '.') - 1), short)
                || substr(mark, strpos(mark, '.') + 1)
            ELSE svc_guard.familiar_name(own, mark, short) END;
        pieces[i] := mark || substr(pieces[i], closing + 1);
    END LOOP;
    RETURN array_to_string(pieces, '');
END $body$;
REVOKE ALL ON FUNCTION svc_guard.familiar(text, boolean) FROM PUBLIC;
