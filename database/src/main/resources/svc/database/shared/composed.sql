-- SQL that a function composes at run time, with Supabase's names of schemas and roles: the SQL gate puts a call of own_names
-- around the expression behind EXECUTE.
--
-- Hazards that shape this file:
--   * It is a convenience and no wall. Who composes SQL can write any name, mapped or not; privileges and the guard decide what it
--     reaches. So a text that is read wrongly is at worst an error, or names another object of the same project.
--   * Tenants can call it with any text: its work is linear in the text, and beyond 256 KB, the size of a script, it does nothing.
--   * It runs with a superuser's rights, because tenants cannot list schemas. It executes nothing.
--   * Two control characters mark the places that were found: a text that has them is left as it is.

--@ function svc_guard.own_role_name(text,text)
-- The project's role for a role of Supabase's, in lower case; the name itself for any other.
CREATE OR REPLACE FUNCTION svc_guard.own_role_name(own text, role_alias text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE role_alias
    WHEN 'anon' THEN own || '_anon'
    WHEN 'authenticated' THEN own || '_authenticated'
    WHEN 'service_role' THEN own || '_service'
    WHEN 'authenticator' THEN own || '_api'
    WHEN 'postgres' THEN own || '_owner'
    WHEN 'supabase_auth_admin' THEN own || '_system'
    WHEN 'supabase_storage_admin' THEN own || '_system'
    ELSE role_alias END;
REVOKE ALL ON FUNCTION svc_guard.own_role_name(text, text) FROM PUBLIC;

--@ function svc_guard.own_schema_name(text,text,text,text[])
-- The schema that a qualifier of Supabase's stands for, in lower case; the name itself for any other.
CREATE OR REPLACE FUNCTION svc_guard.own_schema_name(own text, schema_alias text, member text, further text[]) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN schema_alias = 'public' THEN own
    WHEN schema_alias IN ('cron', 'net', 'supabase_functions', 'vault')
        AND pg_catalog.to_regnamespace('svc_' || schema_alias) IS NOT NULL THEN 'svc_' || schema_alias
    WHEN schema_alias = 'pgmq' AND (
        EXISTS (SELECT FROM pg_catalog.pg_proc p
                WHERE p.proname = member::name AND p.pronamespace = pg_catalog.to_regnamespace('svc_pgmq'))
        OR EXISTS (SELECT FROM pg_catalog.pg_class c
                   WHERE c.relname = member::name AND c.relnamespace = pg_catalog.to_regnamespace('svc_pgmq')))
        THEN 'svc_pgmq'
    WHEN schema_alias = ANY (further) THEN svc_guard.schema_of(own, schema_alias)
    WHEN schema_alias IN ('auth', 'storage', 'realtime') THEN
        CASE WHEN EXISTS (
                SELECT FROM pg_catalog.pg_proc p
                WHERE p.proname = member::name AND p.pronamespace = pg_catalog.to_regnamespace('svc_' || schema_alias))
            THEN 'svc_' || schema_alias ELSE own || '_' || schema_alias END
    WHEN schema_alias = 'pg_catalog' AND (
        EXISTS (SELECT FROM pg_catalog.pg_class c
                WHERE c.relname = member::name AND c.relnamespace = pg_catalog.to_regnamespace('svc_views'))
        OR EXISTS (SELECT FROM pg_catalog.pg_proc p
                   WHERE p.proname = member::name AND p.pronamespace = pg_catalog.to_regnamespace('svc_views')))
        THEN 'svc_views'
    WHEN schema_alias = 'information_schema' AND EXISTS (
        SELECT FROM pg_catalog.pg_class c
        WHERE c.relname = member::name AND c.relnamespace = pg_catalog.to_regnamespace('svc_information_schema'))
        THEN 'svc_information_schema'
    ELSE schema_alias END;
REVOKE ALL ON FUNCTION svc_guard.own_schema_name(text, text, text, text[]) FROM PUBLIC;

--@ function svc_guard.own_qualifier(text,text,text,text[])
-- A qualifier with its dot.
CREATE OR REPLACE FUNCTION svc_guard.own_qualifier(own text, qualifier text, member text, further text[]) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    named constant text := lower(btrim(qualifier, E'. "\t\r\n'));
    schema_name constant text := svc_guard.own_schema_name(own, named, member, further);
BEGIN
    RETURN CASE WHEN schema_name = named THEN qualifier ELSE schema_name || '.' END;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.own_qualifier(text, text, text, text[]) FROM PUBLIC;

--@ function svc_guard.own_list(text,text,text,text[],boolean)
-- A list of names behind a word, with the separators that it has: schemas behind SCHEMA, roles behind TO, FROM and ROLE. The last
-- name is a qualifier where a member is given. What is no alias stays as it was written.
CREATE OR REPLACE FUNCTION svc_guard.own_list(own text, list text, member text, further text[], roles boolean) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    names constant text[] := regexp_split_to_array(list, '[^\w"]+');
    separators constant text[] := regexp_split_to_array(list, '[\w"]+');
    schemas constant boolean := lower(names[1]) = 'schema';
    result text[] := ARRAY[names[1]];
    named text;
    actual text;
BEGIN
    FOR i IN 2..cardinality(names) LOOP
        named := lower(replace(names[i], '"', ''));
        actual := CASE
            WHEN member IS NOT NULL AND i = cardinality(names) THEN svc_guard.own_schema_name(own, named, member, further)
            WHEN schemas THEN svc_guard.own_schema_name(own, named, '', further)
            WHEN roles THEN svc_guard.own_role_name(own, named)
            ELSE named END;
        result := array_append(result, separators[i] || CASE WHEN actual = named THEN names[i] ELSE actual END);
    END LOOP;
    RETURN array_to_string(result, '');
END $body$;
REVOKE ALL ON FUNCTION svc_guard.own_list(text, text, text, text[], boolean) FROM PUBLIC;

--@ function svc_guard.called_instead(text,text)
-- The call that the gate sends for a change of the realtime publication, of a further schema or of an extension. Empty for anything else, and for
-- names in quotes with further signs.
CREATE OR REPLACE FUNCTION svc_guard.called_instead(own text, statement text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    parts text[];
    relation constant text := format('(?:only\s+)?(?:(?:public|"public"|%1$s|"%1$s")\s*\.\s*)?', own);
BEGIN
    parts := regexp_match(statement, format(
        '^\s*alter\s+publication\s+"?(supabase_realtime|svc_realtime)"?\s+(add|drop|set)\s+table\s+'
        || '(%1$s(?:\w+|"[^"]+")(?:\s*,\s*(?:table\s+)?%1$s(?:\w+|"[^"]+"))*)\s*;?\s*$', relation), 'i');
    IF parts IS NOT NULL THEN
        RETURN (
            SELECT format('CALL svc_statements.publish(%L, %L, %L)', upper(parts[2]), lower(parts[1]), array_agg(
                CASE WHEN starts_with(m[1], '"') THEN replace(m[1], '"', '') ELSE lower(m[1]) END))
            FROM regexp_matches(parts[3], format('(?:^|,)\s*(?:table\s+)?%s(\w+|"[^"]+")', relation), 'gi') m);
    END IF;
    parts := regexp_match(statement,
        '^\s*create\s+extension\s+(?:if\s+not\s+exists\s+)?"?([a-z_][\w-]*)"?(?:\s+(?:with\s+)?schema\s+"?[a-z_]\w*"?)?(?:\s+cascade)?\s*;?\s*$',
        'i');
    IF parts IS NOT NULL THEN
        RETURN CASE WHEN EXISTS (SELECT FROM svc_guard.platform_extension p WHERE p.extname = lower(parts[1]))
            THEN format('CALL svc_statements.create_extension(%L)', lower(parts[1]))
            ELSE format('CREATE EXTENSION IF NOT EXISTS %I', lower(parts[1])) END;
    END IF;
    parts := regexp_match(statement,
        '^\s*drop\s+extension\s+(if\s+exists\s+)?"?([a-z_]\w*)"?\s*(cascade|restrict)?\s*;?\s*$', 'i');
    IF parts IS NOT NULL AND EXISTS (SELECT FROM svc_guard.platform_extension p WHERE p.extname = lower(parts[2])) THEN
        RETURN format('CALL svc_statements.drop_extensions(%L, %L, %L)',
            ARRAY[lower(parts[2])], parts[1] IS NOT NULL, coalesce(parts[3] ~* 'cascade', false));
    END IF;
    parts := regexp_match(statement,
        '^\s*create\s+schema\s+(if\s+not\s+exists\s+)?"?([a-z_]\w*)"?(?:\s+authorization\s+"?postgres"?)?\s*;?\s*$', 'i');
    IF parts IS NOT NULL AND lower(parts[2]) NOT IN ('public', 'auth', 'storage', 'realtime') THEN
        RETURN format('CALL svc_statements.create_schema(%L, %L, %L)', lower(parts[2]), parts[1] IS NOT NULL, '{}');
    END IF;
    parts := regexp_match(statement,
        '^\s*drop\s+schema\s+(if\s+exists\s+)?"?([a-z_]\w*)"?\s*(cascade|restrict)?\s*;?\s*$', 'i');
    IF parts IS NOT NULL THEN
        RETURN format('CALL svc_statements.drop_schemas(%L, %L, %L)',
            ARRAY[lower(parts[2])], parts[1] IS NOT NULL, coalesce(parts[3] ~* 'cascade', false));
    END IF;
    parts := regexp_match(statement,
        '^\s*(grant|revoke)\s+(?:usage|all|all\s+privileges)\s+on\s+schema\s+"?([a-z_]\w*)"?\s+(?:to|from)\s+'
        || '("?[a-z_]\w*"?(?:\s*,\s*"?[a-z_]\w*"?)*)\s*;?\s*$', 'i');
    IF parts IS NOT NULL AND lower(parts[2]) NOT IN ('public', 'auth', 'storage', 'realtime') THEN
        RETURN (
            SELECT format('CALL svc_statements.grant_on_schemas(%L, %L, %L)', ARRAY[lower(parts[2])],
                array_agg(svc_guard.own_role_name(own, lower(m[1]))), parts[1] ~* 'grant')
            FROM regexp_matches(parts[3], '([a-z_]\w*)', 'gi') m);
    END IF;
    RETURN NULL;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.called_instead(text, text) FROM PUBLIC;

--@ function svc_functions.own_names(text)
CREATE OR REPLACE FUNCTION svc_functions.own_names(statement text) RETURNS text
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    login constant text := session_user;
    own constant text := left(login, 37);
    further text[] := '{}';
    others text := 'auth|storage|realtime|pg_catalog|information_schema|cron|net|pgmq|supabase_functions|vault';
    schemas text;
    marked text;
    pieces text[];
    aliases text[];
    mark text;
    behind text;
    member text;
    closing integer;
    revokes constant boolean := statement ~* '\mrevoke\M';
BEGIN
    IF octet_length(statement) > 262144 OR NOT starts_with(login, 'proj_') OR substr(login, 38, 1) <> '_' THEN
        RETURN statement;
    END IF;
    IF strpos(statement, '.') > 0 OR statement ~* 'schema' THEN
        SELECT coalesce(array_agg(f.alias), '{}') INTO further FROM svc_guard.further_schemas(own) f;
        others := array_to_string(others || further, '|');
    END IF;
    schemas := 'public|' || others;
    IF statement !~* (others || '|schema|extension|anon|service_role|postgres|supabase') THEN
        -- The one name is public, and in a text without strings, quotes and comments it needs no marks.
        IF statement !~* 'public' THEN
            RETURN statement;
        ELSIF statement !~ $re$['"\\]|--|/\*$re$ THEN
            RETURN regexp_replace(statement, '(?<!\.)\mpublic\s*\.', own || '.', 'gi');
        END IF;
    ELSIF statement ~* '^\s*(?:alter\s+publication|(?:create|drop)\s+(?:schema|extension)|grant|revoke)\M' THEN
        mark := svc_guard.called_instead(own, statement);
        IF mark IS NOT NULL THEN
            RETURN mark;
        END IF;
    END IF;
    IF statement ~ E'[\x01\x02]' THEN
        RETURN statement;
    END IF;
    -- A mark holds a qualifier with its dot, or a list of names behind the word that says what they are. Strings, quoted names
    -- and comments are passed over. One that has no end ends with the text: to search for the end of each of a hundred
    -- thousand would take the square of that.
    marked := replace(regexp_replace(statement,
        $re$('[^']*(?:'|$)|\m[eE]'(?:[^'\\]|\\.|'')*(?:'|\\?$)|"[^"]*(?:"|$)|--[^\n\r]*|/\*(?:[^*]|\*+[^*/])*(?:\*+/|\**$))$re$
        || format($re$|(\m(?:%1$s)\s*\.|"(?:%1$s)"\s*\.$re$, schemas)
        || $re$|\m(?:to|from|role|schema)\s+(?:if\s+(?:not\s+)?exists\s+)?(?:[a-z_]\w*|"[a-z_]\w*")(?:\s*,\s*(?:[a-z_]\w*|"[a-z_]\w*"))*(?!['\w]))$re$,
        E'\\1\x01\\2\x02', 'gi'), E'\x01\x02', '');
    pieces := string_to_array(marked, E'\x01');
    FOR i IN 2..cardinality(pieces) LOOP
        closing := strpos(pieces[i], E'\x02');
        mark := left(pieces[i], closing - 1);
        behind := substr(pieces[i], closing + 1);
        IF right(mark, 1) <> '.' THEN
            member := CASE WHEN behind ~ '^\s*\.' THEN coalesce(lower(substring(behind FROM '^\s*\.\s*"?(\w+)')), '') END;
            mark := svc_guard.own_list(own, mark, member, further, CASE lower(left(mark, 2))
                WHEN 'fr' THEN revokes
                WHEN 'to' THEN pieces[i - 1] !~* '\m(?:rename|rename\s+column\s+\S+|set\s+(?:local\s+|session\s+)?[\w."]+)\s*$'
                ELSE true END);
        ELSIF right(pieces[i - 1], 1) <> '.' THEN
            IF aliases IS NULL AND mark !~* '^"?public' THEN
                -- A table, or its alias, may be called as a schema.
                aliases := ARRAY(
                    SELECT lower(m[1])
                    FROM regexp_matches(regexp_replace(marked, E'\x01schema[^\x02]*\x02', '', 'gi'),
                        format($re$[\w")\x02]\s+(%s)\M(?!\x02?\s*[.(])$re$, schemas), 'gi') m);
            END IF;
            IF mark ~* '^"?public' OR lower(btrim(mark, E'. "\t\r\n')) <> ALL (aliases) THEN
                member := lower(substring(behind FROM '^\s*"?(\w+)'));
                mark := svc_guard.own_qualifier(own, mark, member, further);
            END IF;
        END IF;
        pieces[i] := mark || behind;
    END LOOP;
    RETURN array_to_string(pieces, '');
END $body$;
GRANT EXECUTE ON FUNCTION svc_functions.own_names(text) TO PUBLIC;
