package svc.rest.filter;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;

/** Types that are not built in: an extension's with its operators, a domain with its representations. */
class OwnTypesTest {
    private static ReadFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.ownProject();
        fixture.projects().asOwner(fixture.tenant(), """
                CREATE TABLE people (id int PRIMARY KEY, email extensions.citext);
                INSERT INTO people VALUES (1, 'Ada@example.org'), (2, 'bob@example.org');
                CREATE DOMAIN color AS int;
                CREATE FUNCTION color_json(color) RETURNS json LANGUAGE sql IMMUTABLE
                    AS $$ SELECT to_json('#' || to_hex($1)) $$;
                CREATE FUNCTION color_text(text) RETURNS color LANGUAGE sql IMMUTABLE
                    AS $$ SELECT (('x' || lpad(substr($1, 2), 8, '0'))::bit(32)::int)::color $$;
                """);
        String schema = fixture.tenant().names().schemaName();
        // Only a superuser may create casts, which belong to no schema.
        fixture.projects()
                .asOperator("CREATE CAST (" + schema + ".color AS json) WITH FUNCTION " + schema
                        + ".color_json(" + schema + ".color) AS IMPLICIT; CREATE CAST (text AS " + schema
                        + ".color) WITH FUNCTION " + schema + ".color_text(text) AS IMPLICIT");
        fixture.projects().asOwner(fixture.tenant(), """
                CREATE TABLE paints (id int PRIMARY KEY, shade color);
                INSERT INTO paints VALUES (1, 255), (2, 4096);
                """);
    }

    @Test
    void anExtensionsOperatorsDecide() {
        fixture.ask("GET /people?select=id&email=eq.ADA@example.org").answers("[{\"id\":1}]");
        fixture.ask("GET /people?select=id&email=in.(ADA@example.org,BOB@example.org)&order=id")
                .answers("[{\"id\":1},{\"id\":2}]");
        fixture.ask("GET /people?select=id&email=like.ADA*").answers("[{\"id\":1}]");
        fixture.ask("GET /people?select=email.max()").answers("[{\"max\":\"bob@example.org\"}]");
    }

    @Test
    void aDomainIsReadAndFilteredAsItSays() {
        fixture.ask("GET /paints?order=id").answers("[{\"id\":1,\"shade\":\"#ff\"},{\"id\":2,\"shade\":\"#1000\"}]");
        fixture.ask("GET /paints?select=s:shade,t:shade::text&shade=eq.%23ff")
                .answers("[{\"s\":\"#ff\",\"t\":\"\\\"#ff\\\"\"}]");
        fixture.ask("GET /paints?select=id&shade=in.(%23ff,%231000)&order=id").answers("[{\"id\":1},{\"id\":2}]");
    }
}
