package svc.rest.read;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.platform.tenancy.Tenant;
import svc.rest.RestCall;
import svc.rest.testing.SharedDataPlane;

/** Reading: select, filters, order, ranges, counts, media types. */
class ReadTest {
    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        tenant = SharedDataPlane.project("""
                CREATE TABLE todo (id int PRIMARY KEY, task text, done boolean, due date, tags text[], extra jsonb);
                INSERT INTO todo VALUES
                    (1, 'wash', true, '2026-01-01', '{a,b}', '{"k":{"n":1},"l":["x","y"]}'),
                    (2, 'cook', false, '2026-01-02', '{b}', '{"k":{"n":2}}'),
                    (3, 'a, "b" (c)', NULL, NULL, NULL, NULL),
                    (4, 'WASH', false, '2026-01-04', '{}', '{}');
                CREATE TABLE "odd name" ("some ""col"\"" int, "ünï-cödé" text);
                INSERT INTO "odd name" VALUES (7, 'x');
                CREATE VIEW open_todo AS SELECT id, task FROM todo WHERE NOT done;
                CREATE TABLE empty_one (id int);
                """);
    }

    private static RestCall ask(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, tenant, request);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // filters
                "id=eq.1 | 1",
                "id=neq.1 | 2,3,4",
                "id=gt.3 | 4",
                "id=gte.3 | 3,4",
                "id=lt.2 | 1",
                "id=lte.2 | 1,2",
                "task=like.wa* | 1",
                "task=ilike.wa%25 | 1,4",
                "task=match.%5Ew | 1",
                "task=imatch.%5Ew | 1,4",
                "id=in.(1,3) | 1,3",
                "id=in.() |",
                "task=in.(wash,%22a,%20%5C%22b%5C%22%20(c)%22) | 1,3",
                "done=is.true | 1",
                "done=is.null | 3",
                "done=is.NOT_NULL | 1,2,4",
                "done=is.unknown | 3",
                "done=not.is.null | 1,2,4",
                "id=not.in.(1,2) | 3,4",
                "task=not.ilike.wash | 2,3",
                "done=isdistinct.true | 2,3,4",
                "tags=cs.{b} | 1,2",
                "tags=cd.{b} | 2,4",
                "tags=ov.{a} | 1",
                "id=eq(any).{1,2} | 1,2",
                "task=ilike(all).{w*,*h} | 1,4",
                "extra->k->>n=eq.2 | 2",
                "extra->l->>0=eq.x | 1",
                "extra->l->>-1=eq.y | 1",
                "id=gte.2&id=lte.3 | 2,3",
                // logic trees
                "or=(id.eq.1,id.eq.4) | 1,4",
                "or=(id.eq.1,and(done.is.false,id.gt.3)) | 1,4",
                "and=(id.gt.1,not.or(id.eq.2,id.eq.3)) | 4",
                "not.and=(id.gt.1,id.lt.4) | 1,4",
                "or=(id.in.(1,2),task.eq.WASH) | 1,2,4",
                "or=(task.eq.%22a,%20%5C%22b%5C%22%20(c)%22,tags.cs.{a,b}) | 1,3",
                // an API key in the query is no filter
                "apikey=svc_anon_x&id=eq.2 | 2",
            })
    void aFilterGivesTheseRows(String filter, String ids) {
        String expected = ids == null ? "[]" : "[{\"id\":" + ids.replace(",", "},{\"id\":") + "}]";
        ask("GET /todo?select=id&order=id&" + filter).status(200).answers(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "select=task | [{\"task\":\"wash\"}]",
                "select=t:task,id | [{\"t\":\"wash\",\"id\":1}]",
                "select=id::text | [{\"id\":\"1\"}]",
                "select=n:id::bigint | [{\"n\":1}]",
                "select=due::timestamp%20without%20time%20zone | [{\"due\":\"2026-01-01T00:00:00\"}]",
                "select=extra->k | [{\"k\":{\"n\": 1}}]",
                "select=extra->k->>n | [{\"n\":\"1\"}]",
                "select=v:extra->l->1 | [{\"v\":\"y\"}]",
                "select=extra->l->0 | [{\"l\":\"x\"}]",
                "select=id,tags | [{\"id\":1,\"tags\":[\"a\",\"b\"]}]",
                "select=%22id%22 | [{\"id\":1}]",
            })
    void aSelectGivesTheseColumns(String select, String expected) {
        ask("GET /todo?id=eq.1&" + select).status(200).answers(expected);
    }

    @Test
    void everyColumnIsTheDefault() {
        ask("GET /open_todo?order=id")
                .status(200)
                .answers("[{\"id\":2,\"task\":\"cook\"},{\"id\":4,\"task\":\"WASH\"}]");
        ask("GET /open_todo?select=*&order=id&limit=1").answers("[{\"id\":2,\"task\":\"cook\"}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order=id.desc | 4,3,2,1",
                "order=done.desc.nullslast,id | 1,2,4,3",
                "order=done.nullsfirst,id.desc | 3,4,2,1",
                "order=extra->k->>n.desc.nullslast,id | 2,1,3,4",
                "order=id&limit=2 | 1,2",
                "order=id&limit=2&offset=1 | 2,3",
                "order=id&offset=3 | 4",
                "order=id&limit=nonsense | 1,2,3,4",
            })
    void rowsComeInOrderAndRange(String query, String ids) {
        ask("GET /todo?select=id&" + query).status(200).answers("[{\"id\":" + ids.replace(",", "},{\"id\":") + "}]");
    }

    @Test
    void theRangeOfTheResponseIsInItsHeader() {
        ask("GET /todo?select=id").has("Content-Range", "0-3/*");
        ask("GET /todo?select=id&limit=2&offset=1").status(200).has("Content-Range", "1-2/*");
        ask("GET /todo?id=eq.99").status(200).has("Content-Range", "*/*").answers("[]");
        ask("GET /todo?limit=0").status(200).has("Content-Range", "*/*").answers("[]");
        ask("GET /todo?select=id").header("Range", "1-2").status(200).has("Content-Range", "1-2/*");
        ask("GET /todo?select=id").header("Range", "2-").has("Content-Range", "2-3/*");
    }

    @Test
    void aCountIsTakenOverAllRows() {
        ask("GET /todo?select=id&limit=2")
                .prefer("count=exact")
                .status(206)
                .has("Content-Range", "0-1/4")
                .has("Preference-Applied", "count=exact");
        ask("GET /todo?select=id").prefer("count=exact").status(200).has("Content-Range", "0-3/4");
        ask("GET /todo?select=id&id=gt.2").prefer("count=exact").status(200).has("Content-Range", "0-1/2");
        ask("GET /empty_one").prefer("count=exact").status(200).has("Content-Range", "*/0");
        ask("HEAD /todo?select=id")
                .prefer("count=exact")
                .status(200)
                .has("Content-Range", "0-3/4")
                .answers("");
        ask("GET /todo?offset=9")
                .prefer("count=exact")
                .fails(416, "PGRST103")
                .contains("An offset of 9 was requested, but there are only 4 rows.");
        ask("GET /todo").header("Range", "3-1").fails(416, "PGRST103");
        ask("GET /todo?limit=-1").fails(416, "PGRST103");
    }

    @Test
    void oneObjectIsExactlyOne() {
        String one = "application/vnd.pgrst.object+json";
        ask("GET /todo?select=id&id=eq.1")
                .header("Accept", one)
                .status(200)
                .has("Content-Type", one + "; charset=utf-8")
                .answers("{\"id\":1}");
        ask("GET /todo?id=eq.99")
                .header("Accept", one)
                .fails(406, "PGRST116")
                .contains("The result contains 0 rows")
                .contains("Cannot coerce the result to a single JSON object");
        ask("GET /todo").header("Accept", one).fails(406, "PGRST116").contains("The result contains 4 rows");
        ask("GET /todo?select=id,due&id=eq.3")
                .header("Accept", one + ";nulls=stripped")
                .answers("{\"id\":3}");
    }

    @Test
    void namesAreTakenAsTheyAre() {
        ask("GET /odd%20name?select=%22some%20%5C%22col%5C%22%22&%22%C3%BCn%C3%AF-c%C3%B6d%C3%A9%22=eq.x")
                .status(200)
                .answers("[{\"some \\\"col\\\"\":7}]");
        ask("GET /odd%20name?select=%C3%BCn%C3%AF-c%C3%B6d%C3%A9").answers("[{\"ünï-cödé\":\"x\"}]");
    }

    @Test
    void theProfileIsTheProjectsSchemaUnderEitherName() {
        ask("GET /todo?select=id&id=eq.1")
                .header("Accept-Profile", "public")
                .status(200)
                .has("Content-Profile", "public");
        ask("GET /todo?id=eq.1")
                .header("Accept-Profile", tenant.names().schemaName())
                .status(200);
        ask("GET /todo").header("Accept-Profile", "auth").fails(406, "PGRST106").contains("Invalid schema: auth");
        ask("POST /todo").header("Content-Profile", "pg_catalog").body("{}").fails(406, "PGRST106");
    }

    @Test
    void theRootAndTheMethodsAreListed() {
        ask("GET /")
                .status(200)
                .has("Content-Type", "application/openapi+json; charset=utf-8")
                .contains("\"swagger\"");
        ask("OPTIONS /todo").status(200).has("Allow", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE");
    }

    @Test
    void noMoreRowsThanTheProjectAllows() {
        Tenant narrow = SharedDataPlane.PLANE.serve(
                tenant, SharedDataPlane.ref(), tenant.rest().withMaxRows(2));
        RestCall.ask(SharedDataPlane.PLANE, narrow, "GET /todo?select=id&order=id")
                .prefer("count=exact")
                .status(206)
                .has("Content-Range", "0-1/4");
        RestCall.ask(SharedDataPlane.PLANE, narrow, "GET /todo?select=id&limit=9")
                .has("Content-Range", "0-1/*");
    }
}
