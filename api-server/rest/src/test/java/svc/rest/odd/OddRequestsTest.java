package svc.rest.odd;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;
import svc.rest.RestCall;

/** Unusual but valid requests; {@code OracleTest} compares the same ones with PostgREST where it is installed. */
class OddRequestsTest {
    private static ReadFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.ownProject();
        fixture.projects().asOwner(fixture.tenant(), """
                CREATE FUNCTION add(a int, b int DEFAULT 10) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b';
                CREATE FUNCTION echo(json) RETURNS json LANGUAGE sql IMMUTABLE AS 'SELECT $1';
                """);
    }

    private static RestCall ask(String request) {
        return fixture.ask(request);
    }

    @Test
    void ofTwoWordsTheFirstCountsAsInPostgrest() {
        ask("GET /clients?select=id,projects!inner!left()&order=id").answers("[{\"id\":1},{\"id\":2}]");
        ask("GET /todo?select=id&order=id&order=id.desc").answers("[{\"id\":1},{\"id\":2},{\"id\":3}]");
        ask("GET /todo?select=id&limit=1")
                .prefer("count=planned, count=exact")
                .has("Preference-Applied", "count=planned");
        ask("GET /todo?select=id&order=id&limit=1&limit=2").answers("[{\"id\":1},{\"id\":2}]");
    }

    @Test
    void aNameWithoutAValueIsPassedOver() {
        ask("GET /todo?select=id&id&order=id").answers("[{\"id\":1},{\"id\":2},{\"id\":3}]");
        ask("GET /rpc/add?a=1&b").answers("11");
        ask("GET /projects?select=client_id&distinct&order=client_id&client_id=lt.3")
                .answers("[{\"client_id\":1},{\"client_id\":2}]");
    }

    @Test
    void aListThatNamesNoArgumentsIsAnError() {
        for (String body : new String[] {"[1]", "[null]", "[{\"a\":1},{\"b\":2}]", "[{\"a\":1},2]"}) {
            ask("POST /rpc/add").body(body).fails(400, "PGRST102").contains("All object keys must match");
            ask("POST /clients").body(body).fails(400, "PGRST102").contains("All object keys must match");
            ask("POST /rpc/echo").body(body).status(200);
        }
        ask("POST /rpc/add").body("[{\"a\":1},{\"a\":2}]").answers("11");
        ask("POST /rpc/add").body("[1").fails(400, "PGRST102").contains("Empty or invalid json");
        ask("POST /rpc/add").body("1").fails(404, "PGRST202");
    }

    @Test
    void whatIsNotThereIsSaidOfItself() {
        ask("GET /rpc/").fails(404, "PGRST202");
        ask("GET /todo/").fails(404, "PGRST125");
        ask("POST /clients?on_conflict=nope")
                .prefer("resolution=merge-duplicates")
                .body("{\"id\":1}")
                .fails(400, "42703");
        ask("POST /clients?on_conflict=name")
                .prefer("resolution=merge-duplicates")
                .body("{\"id\":1}")
                .fails(400, "42P10");
        ask("POST /clients?on_conflict=" + "x".repeat(64))
                .prefer("resolution=merge-duplicates")
                .body("{\"id\":1}")
                .fails(400, "42703");
    }

    @Test
    void spacesAndStarsAreReadWhereTheyStand() {
        ask("GET /todo?select=extra-> k&id=eq.1").answers("[{\"k\":{\"n\": 1}}]");
        ask("GET /todo?select=id&order=id&limit= 1").answers("[{\"id\":1}]");
        ask("GET /projects?select=id,tasks(id)&not.tasks.or=(id.gt.1)&id=eq.1")
                .answers("[{\"id\":1,\"tasks\":[{\"id\": 1}]}]");
        ask("GET /places?select=*&id=eq.1").has("Content-Location", "/places?id=eq.1&select=%2A");
    }

    /** A function of that name stands for PostGIS, which no test server has: both are found along the search path. */
    @Test
    void geoJsonIsWhatPostgisMakesOfEachRow() {
        ask("GET /places?select=id").header("Accept", "application/geo+json").fails(406, "PGRST107");
        fixture.projects().asOwner(fixture.tenant(), """
                CREATE FUNCTION st_asgeojson(r record) RETURNS text LANGUAGE plpgsql STABLE AS $$
                BEGIN RETURN json_build_object('type', 'Feature', 'properties', row_to_json(r)); END $$;
                """);
        ask("GET /places?select=id&id=eq.1")
                .header("Accept", "application/geo+json")
                .status(200)
                .has("Content-Type", "application/geo+json; charset=utf-8")
                .answersExactly("{\"type\" : \"FeatureCollection\", \"features\" : "
                        + "[{\"type\" : \"Feature\", \"properties\" : {\"id\":1}}]}");
        ask("GET /places?id=eq.9")
                .header("Accept", "application/geo+json")
                .answersExactly("{\"type\" : \"FeatureCollection\", \"features\" : []}");
    }

    @Test
    void everyAnswerSaysWhatDecidedIt() {
        String varying = "Accept, Accept-Encoding, Accept-Profile, apikey, Authorization, Prefer, Range";
        ask("GET /todo").has("Vary", varying);
        ask("GET /nope").has("Vary", varying);
    }
}
