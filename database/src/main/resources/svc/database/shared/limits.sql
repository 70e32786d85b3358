-- How many objects a project may have. Catalogs, their caches and the loops of maintenance serve all projects of the database,
-- and a call of a function or an operator reads all of its name in all schemas.
--
-- Hazards: those of guard.sql, whose check_command calls require_room. Each count follows indexes from the project's schemas to its
-- own objects, so that its cost does not depend on other projects; OFFSET 0 keeps that order whatever the statistics say. PL/pgSQL
-- keeps the plans for the session: a script runs many commands.

--@ table svc_guard.object_count
-- What was counted last of a kind, and the newest object at that time. Counts up to a hundred are not noted.
CREATE TABLE IF NOT EXISTS svc_guard.object_count (
    schema_name text NOT NULL,
    kind text NOT NULL,
    counted bigint NOT NULL,
    newest oid NOT NULL,
    PRIMARY KEY (schema_name, kind)
) WITH (fillfactor = 50);
REVOKE ALL ON svc_guard.object_count FROM PUBLIC;

--@ function svc_guard.object_limit(text,text)
-- The defaults are those of svc.database.project.ObjectKind.
CREATE OR REPLACE FUNCTION svc_guard.object_limit(own text, kind text) RETURNS integer
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN coalesce(
        (SELECT (s.value::jsonb ->> kind)::integer FROM svc_guard.setting s WHERE s.name = 'object limits of ' || own),
        CASE kind
            WHEN 'relations' THEN 2000
            WHEN 'columns' THEN 50000
            WHEN 'indexes' THEN 4000
            WHEN 'functions' THEN 5000
            WHEN 'functionsOfOneName' THEN 100
            WHEN 'operators' THEN 100
            WHEN 'types' THEN 1000
            WHEN 'policies' THEN 4000
            WHEN 'triggers' THEN 4000
        END);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.object_limit(text, text) FROM PUBLIC;

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
-- What hangs on the relations of these schemas.
CREATE OR REPLACE FUNCTION svc_guard.count_on_relations(schemas oid[], kind text) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    relations constant oid[] := ARRAY(
        SELECT d.objid FROM pg_depend d
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = ANY (schemas) AND d.classid = 'pg_class'::regclass);
BEGIN
    RETURN CASE kind
        WHEN 'indexes' THEN (
            SELECT count(*) FROM unnest(relations) r (oid)
            CROSS JOIN LATERAL (SELECT FROM pg_index i WHERE i.indrelid = r.oid OFFSET 0) i)
        WHEN 'policies' THEN (
            SELECT count(*) FROM unnest(relations) r (oid)
            CROSS JOIN LATERAL (SELECT FROM pg_policy p WHERE p.polrelid = r.oid OFFSET 0) p)
        WHEN 'triggers' THEN (
            SELECT count(*) FROM unnest(relations) r (oid)
            CROSS JOIN LATERAL (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid AND NOT t.tgisinternal OFFSET 0) t)
    END;
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

--@ function svc_guard.refuse_excess(text,text,bigint)
CREATE OR REPLACE FUNCTION svc_guard.refuse_excess(own text, kind text, counted bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    maximum constant integer := svc_guard.object_limit(own, kind);
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
REVOKE ALL ON FUNCTION svc_guard.refuse_excess(text, text, bigint) FROM PUBLIC;

--@ function svc_guard.require_room_of(text,oid[],text,oid)
-- Refuses the current command when there are too many of a kind. The newest object carries the server's last number: what was
-- counted before, and all numbers since, are no fewer than what there is now, and while that is within the limit nothing is
-- counted again. Without a newest object it is counted, and not noted.
CREATE OR REPLACE FUNCTION svc_guard.require_room_of(own text, schemas oid[], wanted text, last_object oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    -- Of a relation's 1600 columns for each of its three numbers, with those of its row type and of the type's array.
    each constant integer := CASE wanted WHEN 'columns' THEN 534 ELSE 1 END;
    maximum constant integer := svc_guard.object_limit(own, wanted);
    number bigint;
BEGIN
    IF EXISTS (
        SELECT FROM svc_guard.object_count c
        WHERE c.schema_name = own AND c.kind = wanted
          -- Numbers begin again behind the last of 32 bits.
          AND c.counted + each * ((last_object::bigint - c.newest::bigint) & 4294967295) <= maximum)
    THEN
        RETURN;
    END IF;
    number := svc_guard.count_objects(schemas, wanted);
    PERFORM svc_guard.refuse_excess(own, wanted, number);
    -- Few are counted sooner than noted.
    IF last_object IS NOT NULL AND number > 100 THEN
        INSERT INTO svc_guard.object_count AS c (schema_name, kind, counted, newest)
        VALUES (own, wanted, number, last_object)
        ON CONFLICT (schema_name, kind) DO UPDATE SET counted = EXCLUDED.counted, newest = EXCLUDED.newest;
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_room_of(text, oid[], text, oid) FROM PUBLIC;

--@ function svc_guard.newest_index()
-- The last index that the transaction made on a table of the current command; null for none.
CREATE OR REPLACE FUNCTION svc_guard.newest_index() RETURNS oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    -- The age of what the transaction or a part of it wrote is zero or less.
    RETURN (SELECT max(i.indexrelid) FROM (
        SELECT t.indexrelid, t.xmin FROM pg_event_trigger_ddl_commands() c JOIN pg_index t ON t.indrelid = c.objid
        WHERE c.classid = 'pg_class'::regclass
        UNION ALL
        SELECT t.indexrelid, t.xmin FROM pg_event_trigger_ddl_commands() c JOIN pg_index t ON t.indexrelid = c.objid
        WHERE c.classid = 'pg_class'::regclass) i
    WHERE age(i.xmin) <= 0);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.newest_index() FROM PUBLIC;

--@ function svc_guard.adds_columns()
-- Whether the current ALTER TABLE, or a command before it in the transaction, gave its table a column: a project above a limit
-- that was lowered may still change its tables.
CREATE OR REPLACE FUNCTION svc_guard.adds_columns() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    -- ADD COLUMN writes the row of the table too; DROP COLUMN and changes of a column leave it.
    RETURN EXISTS (
        SELECT FROM pg_event_trigger_ddl_commands() c
        JOIN pg_class r ON r.oid = c.objid
        JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0
        WHERE c.classid = 'pg_class'::regclass AND age(r.xmin) <= 0 AND age(a.xmin) <= 0);
END $body$;
REVOKE ALL ON FUNCTION svc_guard.adds_columns() FROM PUBLIC;

--@ function svc_guard.require_room_of_relations(text,oid[],text,oid)
CREATE OR REPLACE FUNCTION svc_guard.require_room_of_relations(own text, schemas oid[], tag text, newest oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    index constant oid := svc_guard.newest_index();
BEGIN
    IF tag <> 'ALTER TABLE' THEN
        PERFORM svc_guard.require_room_of(own, schemas, 'relations', newest);
        PERFORM svc_guard.require_room_of(own, schemas, 'columns', newest);
    ELSIF svc_guard.adds_columns() THEN
        -- A column takes no number of the server: what was noted holds no longer.
        PERFORM svc_guard.require_room_of(own, schemas, 'columns', NULL);
        DELETE FROM svc_guard.object_count c WHERE c.schema_name = own AND c.kind = 'columns';
    END IF;
    IF index IS NOT NULL THEN
        PERFORM svc_guard.require_room_of(own, schemas, 'indexes', CASE WHEN newest IS NOT NULL THEN index END);
    END IF;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_room_of_relations(text, oid[], text, oid) FROM PUBLIC;

--@ function svc_guard.require_room_of_functions(text,oid[],text,oid)
CREATE OR REPLACE FUNCTION svc_guard.require_room_of_functions(own text, schemas oid[], tag text, newest oid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    routine oid;
BEGIN
    -- ALTER can give a name.
    IF tag ~ '^CREATE' THEN
        PERFORM svc_guard.require_room_of(own, schemas, 'functions', newest);
    END IF;
    FOR routine IN SELECT c.objid FROM pg_event_trigger_ddl_commands() c WHERE c.classid = 'pg_proc'::regclass LOOP
        PERFORM svc_guard.refuse_excess(own, 'functionsOfOneName', svc_guard.count_of_name(schemas, routine));
    END LOOP;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_room_of_functions(text, oid[], text, oid) FROM PUBLIC;

--@ function svc_guard.require_room(text,text,boolean)
-- Refuses the current command when the project has more objects of a kind that it creates than it may have. What is temporary
-- counts in its own session and is not noted: its commands do not lock the project's version.
CREATE OR REPLACE FUNCTION svc_guard.require_room(own text, tag text, temporary boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    schemas oid[];
    newest oid;
BEGIN
    IF tag !~ '^(CREATE|SELECT INTO|ALTER (TABLE|TYPE|FUNCTION|PROCEDURE|ROUTINE|AGGREGATE))' THEN
        RETURN;
    END IF;
    schemas := svc_guard.counted_schemas(own);
    IF NOT temporary THEN
        newest := (SELECT max(c.objid) FROM pg_event_trigger_ddl_commands() c);
    END IF;
    CASE
        WHEN tag IN ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE VIEW', 'CREATE MATERIALIZED VIEW',
                     'CREATE SEQUENCE', 'ALTER TABLE') THEN
            PERFORM svc_guard.require_room_of_relations(own, schemas, tag, newest);
        WHEN tag = 'CREATE INDEX' THEN
            PERFORM svc_guard.require_room_of(own, schemas, 'indexes', newest);
        WHEN tag ~ '(FUNCTION|PROCEDURE|ROUTINE|AGGREGATE)$' THEN
            PERFORM svc_guard.require_room_of_functions(own, schemas, tag, newest);
        WHEN tag = 'CREATE OPERATOR' THEN
            PERFORM svc_guard.require_room_of(own, schemas, 'operators', newest);
        WHEN tag IN ('CREATE TYPE', 'CREATE DOMAIN') THEN
            PERFORM svc_guard.require_room_of(own, schemas, 'types', newest);
            PERFORM svc_guard.require_room_of(own, schemas, 'columns', newest);
        WHEN tag = 'ALTER TYPE' THEN
            PERFORM svc_guard.require_room_of(own, schemas, 'columns', NULL);
            DELETE FROM svc_guard.object_count c WHERE c.schema_name = own AND c.kind = 'columns';
        WHEN tag IN ('CREATE POLICY', 'CREATE TRIGGER') THEN
            -- These may stand on companions' tables as well.
            schemas := schemas || ARRAY(SELECT n.oid FROM svc_guard.own_namespaces() n WHERE n.oid <> ALL (schemas));
            PERFORM svc_guard.require_room_of(
                own, schemas, CASE tag WHEN 'CREATE POLICY' THEN 'policies' ELSE 'triggers' END, newest);
        ELSE
            -- Collations, statistics, text search: looked up by their schema and name.
            NULL;
    END CASE;
END $body$;
REVOKE ALL ON FUNCTION svc_guard.require_room(text, text, boolean) FROM PUBLIC;
