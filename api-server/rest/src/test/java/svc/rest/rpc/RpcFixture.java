package svc.rest.rpc;

import svc.platform.tenancy.Tenant;
import svc.rest.RestCall;
import svc.rest.testing.SharedDataPlane;

/** A project with one function of each kind. */
final class RpcFixture {
    private static final String SCHEMA = """
            CREATE TABLE clients (id int PRIMARY KEY, name text);
            CREATE TABLE projects (id int PRIMARY KEY, name text, client_id int REFERENCES clients);
            INSERT INTO clients VALUES (1, 'Microsoft'), (2, 'Apple');
            INSERT INTO projects VALUES (1, 'Windows 7', 1), (2, 'Windows 10', 1), (3, 'IOS', 2), (4, 'Orphan', NULL);
            CREATE TABLE written (n int);
            CREATE FUNCTION loud_name(projects) RETURNS text LANGUAGE sql STABLE AS 'SELECT upper($1.name)';
            CREATE FUNCTION siblings(projects) RETURNS SETOF projects LANGUAGE sql STABLE
                AS 'SELECT * FROM projects p WHERE p.client_id = $1.client_id AND p.id <> $1.id';

            CREATE FUNCTION hello() RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'hello'$$;
            CREATE FUNCTION add_them(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
            CREATE FUNCTION greet(name text, greeting text DEFAULT 'Hi') RETURNS text LANGUAGE sql STABLE
                AS $$SELECT greeting || ', ' || name$$;
            CREATE FUNCTION nothing() RETURNS text LANGUAGE sql STABLE AS 'SELECT NULL::text';
            CREATE FUNCTION as_json() RETURNS jsonb LANGUAGE sql STABLE AS $$SELECT '{"a": [1, null]}'::jsonb$$;
            CREATE FUNCTION three() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT generate_series(1, 3)';
            CREATE FUNCTION one_project(id int) RETURNS projects LANGUAGE sql STABLE
                AS 'SELECT * FROM projects p WHERE p.id = $1';
            CREATE FUNCTION all_projects() RETURNS SETOF projects LANGUAGE sql STABLE
                AS 'SELECT * FROM projects ORDER BY id';
            CREATE FUNCTION pairs() RETURNS TABLE (n int, s text) LANGUAGE sql STABLE
                AS $$VALUES (1, 'one'), (2, 'two')$$;
            CREATE FUNCTION out_both(x int, OUT double int, OUT half numeric) LANGUAGE sql STABLE
                AS 'SELECT x * 2, x / 2.0';
            CREATE FUNCTION out_one(x int, OUT next int) LANGUAGE sql STABLE AS 'SELECT x + 1';
            CREATE FUNCTION inout_it(INOUT x int) LANGUAGE sql STABLE AS 'SELECT x + 10';
            CREATE FUNCTION a_record() RETURNS record LANGUAGE sql STABLE AS $$SELECT 1 AS a, 'x'::text AS b$$;
            CREATE FUNCTION write_it(n int) RETURNS void LANGUAGE sql AS 'INSERT INTO written VALUES (n)';
            CREATE FUNCTION write_many(n int) RETURNS SETOF written LANGUAGE sql
                AS 'INSERT INTO written SELECT generate_series(1, n) RETURNING *';
            CREATE FUNCTION pretends() RETURNS int LANGUAGE plpgsql STABLE
                AS 'BEGIN PERFORM write_it(9); RETURN 1; END';
            CREATE FUNCTION sum_all(VARIADIC v int[]) RETURNS int LANGUAGE sql IMMUTABLE
                AS 'SELECT sum(x)::int FROM unnest(v) x';
            CREATE FUNCTION join_all(VARIADIC v text[]) RETURNS text LANGUAGE sql IMMUTABLE
                AS $$SELECT array_to_string(v, '|')$$;
            CREATE FUNCTION length_of(v text[]) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT cardinality(v)';
            CREATE FUNCTION whole(json) RETURNS json LANGUAGE sql IMMUTABLE AS 'SELECT $1';
            CREATE FUNCTION whole_text(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT upper($1)';
            CREATE FUNCTION whole_bytes(bytea) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT length($1)';
            CREATE FUNCTION whole_xml(xml) RETURNS xml LANGUAGE sql IMMUTABLE AS 'SELECT $1';
            CREATE FUNCTION over(a int) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'a'$$;
            CREATE FUNCTION over(a int, b int) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'ab'$$;
            CREATE FUNCTION twice(x int) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'int'$$;
            CREATE FUNCTION twice(x text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT 'text'$$;
            CREATE FUNCTION bytes() RETURNS bytea LANGUAGE sql IMMUTABLE AS $$SELECT '\\x00ff10'::bytea$$;
            CREATE FUNCTION "odd Name"("a b" int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';
            CREATE FUNCTION slow() RETURNS text LANGUAGE sql STABLE SET statement_timeout = '3s'
                AS $$SELECT current_setting('statement_timeout')$$;
            """;

    private final Tenant tenant = SharedDataPlane.project(SCHEMA);

    private RpcFixture() {}

    static RpcFixture serve() {
        return new RpcFixture();
    }

    RestCall ask(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, tenant, request);
    }

    String schema() {
        return tenant.names().schemaName();
    }

    String stored(String expression) {
        return SharedDataPlane.PROJECTS.ask(
                "SELECT " + expression.replace("$", tenant.names().schemaName() + "."));
    }

    void asOwner(String sql) {
        SharedDataPlane.PROJECTS.asOwner(tenant, sql);
    }
}
