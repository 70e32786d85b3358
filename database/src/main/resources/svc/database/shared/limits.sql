-- How many objects a project may have. Catalogs, their caches and the loops of maintenance serve all projects of the database,
-- and a call of a function or an operator reads all of its name in all schemas.
--
-- Hazards: those of guard.sql, whose check_command calls require_room. Each count follows indexes from the project's schemas to its
-- own objects, so that its cost does not depend on other projects; OFFSET 0 keeps that order whatever the statistics say. PL/pgSQL
-- keeps the plans for the session: a script runs many commands.

--@ table svc_guard.object_count
-- What was counted last of a kind, and the newest object at that time.
CREATE TABLE IF NOT EXISTS svc_guard.object_count (
    schema_name text NOT NULL,
    kind text NOT NULL,
    counted bigint NOT NULL,
    newest oid NOT NULL,
    PRIMARY KEY (schema_name, kind)
) WITH (fillfactor = 50);
REVOKE ALL ON svc_guard.object_count FROM PUBLIC;

--@ function svc_guard.object_limits(text)
-- The limit of each kind. The defaults are those of svc.database.project.ObjectKind.
CREATE OR REPLACE FUNCTION svc_guard.object_limits(own text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    defaults constant jsonb := '{"relations": 5000, "columns": 100000, "indexes": 10000, "functions": 5000, "functionsOfOneName": 100,
        "operators": 100, "types": 2000, "policies": 10000, "triggers": 10000}';
BEGIN
    RETURN defaults || coalesce(
        (SELECT s.value::jsonb FROM svc_guard.setting s WHERE s.name = 'object limits of ' || own), '{}');
END $body$;
REVOKE ALL ON FUNCTION svc_guard.object_limits(text) FROM PUBLIC;

--@ function svc_guard.counted_schemas(text)
-- Those in which the owner of a project creates objects, and the session's temporary one.
CREATE OR REPLACE FUNCTION svc_guard.counted_schemas(own text) RETURNS oid[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN (SELECT ARRAY(
            SELECT n.oid FROM pg_namespace n WHERE n.nspname = own::name
            UNION ALL
            SELECT f.oid FROM svc_guard.further_schemas(own) f
            UNION ALL
            SELECT t.oid FROM pg_my_temp_schema() t (oid) WHERE t.oid <> 0));
END $body$;
REVOKE ALL ON FUNCTION svc_guard.counted_schemas(text) FROM PUBLIC;

--@ function svc_guard.count_in_schemas(oid[],regclass)
-- Objects that lie in a schema by themselves: tables, views and sequences of pg_class, and no index and no row type.
CREATE OR REPLACE FUNCTION svc_guard.count_in_schemas(schemas oid[], catalog regclass) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN (SELECT count(*) FROM pg_depend d
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = ANY (schemas) AND d.classid = catalog);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.count_in_schemas(oid[], regclass) FROM PUBLIC;

--@ function svc_guard.count_columns(oid[])
-- Of relations and composite types; the dropped ones of a table keep their row in the catalog, and count.
CREATE OR REPLACE FUNCTION svc_guard.count_columns(schemas oid[]) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN (SELECT coalesce(sum(c.relnatts), 0)
        FROM (
            SELECT d.classid, d.objid FROM pg_depend d
            WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = ANY (schemas)
              AND d.classid IN ('pg_class'::regclass, 'pg_type'::regclass)
            OFFSET 0
        ) o
        CROSS JOIN LATERAL (
            SELECT r.relnatts FROM pg_class r
            WHERE r.oid = CASE o.classid
                WHEN 'pg_class'::regclass THEN o.objid
                ELSE (SELECT t.typrelid FROM pg_type t WHERE t.oid = o.objid) END
              AND r.relkind <> 'S'
            OFFSET 0
        ) c);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.count_columns(oid[]) FROM PUBLIC;

--@ function svc_guard.count_on_relations(oid[],text)
-- What hangs on the relations of these schemas. A branch for each kind, and not one CASE: its plan would be made again each time.
CREATE OR REPLACE FUNCTION svc_guard.count_on_relations(schemas oid[], kind text) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $body$
DECLARE
    relations constant oid[] := ARRAY(
        SELECT d.objid FROM pg_depend d
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = ANY (schemas) AND d.classid = 'pg_class'::regclass);
BEGIN
    IF kind = 'indexes' THEN
        RETURN (SELECT count(*) FROM unnest(relations) r (oid)
            CROSS JOIN LATERAL (SELECT FROM pg_index i WHERE i.indrelid = r.oid OFFSET 0) i);
    ELSIF kind = 'policies' THEN
        RETURN (SELECT count(*) FROM unnest(relations) r (oid)
            CROSS JOIN LATERAL (SELECT FROM pg_policy p WHERE p.polrelid = r.oid OFFSET 0) p);
    ELSE
        RETURN (SELECT count(*) FROM unnest(relations) r (oid)
            CROSS JOIN LATERAL (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid AND NOT t.tgisinternal OFFSET 0) t);
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.count_on_relations(oid[], text) FROM PUBLIC;

--@ function svc_guard.count_of_name(oid[],oid)
-- The functions that have the name of a function. By the name, as each call of it looks: this limit keeps that short.
CREATE OR REPLACE FUNCTION svc_guard.count_of_name(schemas oid[], routine oid) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    shared constant name := (SELECT p.proname FROM pg_proc p WHERE p.oid = routine);
BEGIN
    RETURN (SELECT count(*) FROM pg_proc p WHERE p.proname = shared AND p.pronamespace = ANY (schemas));
END $body$;
REVOKE ALL ON FUNCTION svc_guard.count_of_name(oid[], oid) FROM PUBLIC;

--@ function svc_guard.count_objects(oid[],text)
CREATE OR REPLACE FUNCTION svc_guard.count_objects(schemas oid[], kind text) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN CASE
        WHEN kind = 'relations' THEN svc_guard.count_in_schemas(schemas, 'pg_class')
        WHEN kind = 'functions' THEN svc_guard.count_in_schemas(schemas, 'pg_proc')
        WHEN kind = 'operators' THEN svc_guard.count_in_schemas(schemas, 'pg_operator')
        WHEN kind = 'types' THEN svc_guard.count_in_schemas(schemas, 'pg_type')
        WHEN kind = 'columns' THEN svc_guard.count_columns(schemas)
        ELSE svc_guard.count_on_relations(schemas, kind) END;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.count_objects(oid[], text) FROM PUBLIC;

--@ function svc_guard.refuse_excess(text,bigint,integer)
CREATE OR REPLACE FUNCTION svc_guard.refuse_excess(kind text, counted bigint, maximum integer) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    IF counted > maximum THEN
        RAISE EXCEPTION USING
            ERRCODE = 'program_limit_exceeded',
            MESSAGE = format('the project would have %s %s; it may have %s', counted,
                CASE kind WHEN 'functionsOfOneName' THEN 'functions of one name' ELSE kind END, maximum),
            DETAIL = CASE kind
                WHEN 'relations' THEN 'Tables, partitions, views, materialized views and sequences of all schemas of the project count.'
                WHEN 'columns' THEN 'The columns of all relations and composite types of the project count, with the dropped ones of'
                    ' tables that still exist.'
                WHEN 'functions' THEN 'Functions, procedures and aggregates of all schemas of the project count.'
                ELSE 'Those of all schemas of the project count.' END,
            HINT = format('Drop what is not needed, or have spec.limits.objects.%s of the Project raised.', kind);
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.refuse_excess(text, bigint, integer) FROM PUBLIC;

--@ function svc_guard.uncertain_kinds(text,text[],oid,jsonb)
-- The kinds that must be counted. The last number tells how many the server gave away since a count: what was counted then, and all
-- of these, are no fewer than what there is now.
CREATE OR REPLACE FUNCTION svc_guard.uncertain_kinds(own text, wanted text[], last_object oid, limits jsonb) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN (SELECT ARRAY(
        SELECT w.kind FROM unnest(wanted) w (kind)
        LEFT JOIN svc_guard.object_count c ON c.schema_name = own AND c.kind = w.kind
        WHERE (c.counted
            -- Of a relation's 1600 columns for each of its three numbers, with those of its row type and of the type's array.
            + CASE w.kind WHEN 'columns' THEN 534 ELSE 1 END
            -- Numbers begin again behind the last of 32 bits.
            * ((last_object::bigint - c.newest::bigint) & 4294967295) <= (limits ->> w.kind)::integer) IS NOT TRUE));
END $body$;
REVOKE ALL ON FUNCTION svc_guard.uncertain_kinds(text, text[], oid, jsonb) FROM PUBLIC;

--@ function svc_guard.require_room_of(text,oid[],text[],oid,jsonb)
-- Refuses the current command when there are too many of a kind. Without a last number the count is not noted.
CREATE OR REPLACE FUNCTION svc_guard.require_room_of(own text, schemas oid[], kinds text[], last_object oid, limits jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    wanted text;
    number bigint;
BEGIN
    FOREACH wanted IN ARRAY kinds LOOP
        number := svc_guard.count_objects(schemas, wanted);
        PERFORM svc_guard.refuse_excess(wanted, number, (limits ->> wanted)::integer);
        IF last_object IS NOT NULL THEN
            INSERT INTO svc_guard.object_count AS c (schema_name, kind, counted, newest)
            VALUES (own, wanted, number, last_object)
            ON CONFLICT (schema_name, kind) DO UPDATE SET counted = EXCLUDED.counted, newest = EXCLUDED.newest;
        END IF;
    END LOOP;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_room_of(text, oid[], text[], oid, jsonb) FROM PUBLIC;

--@ function svc_guard.newest_index(oid[])
-- The last index that the transaction made on a relation of the current command; null for none.
CREATE OR REPLACE FUNCTION svc_guard.newest_index(made oid[]) RETURNS oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $body$
BEGIN
    -- The age of what the transaction or a part of it wrote is zero or less.
    RETURN (SELECT max(i.indexrelid) FROM pg_index i
        WHERE (i.indrelid = ANY (made) OR i.indexrelid = ANY (made)) AND age(i.xmin) <= 0);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.newest_index(oid[]) FROM PUBLIC;

--@ function svc_guard.newest_sequence(oid[])
-- The last sequence that an ALTER TABLE made for a serial or identity column; null for none.
CREATE OR REPLACE FUNCTION svc_guard.newest_sequence(made oid[]) RETURNS oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN (SELECT max(r.oid) FROM pg_class r WHERE r.oid = ANY (made) AND r.relkind = 'S' AND age(r.xmin) <= 0);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.newest_sequence(oid[]) FROM PUBLIC;

--@ function svc_guard.adds_columns(oid[])
-- Whether the current ALTER TABLE, or a command before it in the transaction, gave its table a column: a project above a limit
-- that was lowered may still change its tables.
CREATE OR REPLACE FUNCTION svc_guard.adds_columns(made oid[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    -- ADD COLUMN writes the row of the table too; DROP COLUMN and changes of a column leave it.
    RETURN EXISTS (
        SELECT FROM pg_class r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0
        WHERE r.oid = ANY (made) AND age(r.xmin) <= 0 AND age(a.xmin) <= 0);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.adds_columns(oid[]) FROM PUBLIC;

--@ function svc_guard.created_kinds(text,oid[])
-- What a command adds to. Collations, statistics and text search are none of these: they are looked up by their schema and name.
CREATE OR REPLACE FUNCTION svc_guard.created_kinds(tag text, made oid[]) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN CASE
        WHEN tag IN ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE VIEW', 'CREATE MATERIALIZED VIEW', 'CREATE SEQUENCE')
            THEN '{relations,columns}'::text[]
        WHEN tag = 'CREATE INDEX' THEN '{indexes}'
        -- ALTER can give a name, and adds none.
        WHEN tag ~ '^CREATE (FUNCTION|PROCEDURE|AGGREGATE)$' THEN '{functions}'
        WHEN tag = 'CREATE OPERATOR' THEN '{operators}'
        WHEN tag IN ('CREATE TYPE', 'CREATE DOMAIN') THEN '{types,columns}'
        WHEN tag = 'CREATE POLICY' THEN '{policies}'
        WHEN tag = 'CREATE TRIGGER' THEN '{triggers}'
        WHEN tag = 'ALTER TYPE' OR tag = 'ALTER TABLE' AND svc_guard.adds_columns(made) THEN '{columns}'
        ELSE '{}' END;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.created_kinds(text, oid[]) FROM PUBLIC;

--@ function svc_guard.require_room(text,text,oid[],boolean)
-- Refuses the current command when the project has more objects of a kind that it creates than it may have. What is temporary
-- counts in its own session and is not noted: its commands do not lock the project's version.
CREATE OR REPLACE FUNCTION svc_guard.require_room(own text, tag text, made oid[], temporary boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    kinds text[];
    schemas oid[];
    limits jsonb;
    newest oid;
    index oid;
    sequence oid;
    routine oid;
BEGIN
    IF tag !~ '^(CREATE|SELECT INTO|ALTER (TABLE|TYPE|FUNCTION|PROCEDURE|ROUTINE|AGGREGATE))' THEN
        RETURN;
    END IF;
    limits := svc_guard.object_limits(own);
    kinds := svc_guard.created_kinds(tag, made);
    IF tag IN ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE MATERIALIZED VIEW', 'ALTER TABLE') THEN
        index := svc_guard.newest_index(made);
    END IF;
    IF index IS NOT NULL THEN
        kinds := kinds || ARRAY['indexes'];
    END IF;
    IF tag ~ '^ALTER' THEN
        IF 'columns' = ANY (kinds) THEN
            -- A column takes no number of the server: what was noted holds no longer.
            DELETE FROM svc_guard.object_count c WHERE c.schema_name = own AND c.kind = 'columns';
            sequence := svc_guard.newest_sequence(made);
            IF sequence IS NOT NULL THEN
                kinds := kinds || ARRAY['relations'];
            END IF;
        END IF;
        newest := greatest(index, sequence);
    ELSE
        newest := greatest(index, (SELECT max(m.oid) FROM unnest(made) m (oid)));
    END IF;
    IF temporary THEN
        newest := NULL;
    ELSE
        kinds := svc_guard.uncertain_kinds(own, kinds, newest, limits);
    END IF;
    IF kinds <> '{}' THEN
        schemas := svc_guard.counted_schemas(own);
        IF tag IN ('CREATE POLICY', 'CREATE TRIGGER') THEN
            -- These may stand on companions' tables as well.
            schemas := schemas || ARRAY(SELECT n.oid FROM svc_guard.own_namespaces() n WHERE n.oid <> ALL (schemas));
        END IF;
        PERFORM svc_guard.require_room_of(own, schemas, kinds, newest, limits);
    END IF;
    IF tag ~ '(FUNCTION|PROCEDURE|ROUTINE|AGGREGATE)$' THEN
        schemas := coalesce(schemas, svc_guard.counted_schemas(own));
        FOREACH routine IN ARRAY made LOOP
            PERFORM svc_guard.refuse_excess('functionsOfOneName', svc_guard.count_of_name(schemas, routine),
                (limits ->> 'functionsOfOneName')::integer);
        END LOOP;
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_room(text, text, oid[], boolean) FROM PUBLIC;
