package svc.rest.range;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.rest.ReadFixture;

/** Which rows are given: by parameters, by the Range header, by the project's limit. */
class RangeTest {
    private static ReadFixture fixture;
    private static Tenant narrow;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.shared();
        narrow = fixture.serve(fixture.tenant().rest().withMaxRows(2));
    }

    @Test
    void theHeaderAsksForRows() {
        fixture.ask("GET /tasks?select=id&order=id")
                .header("Range-Unit", "items")
                .header("Range", "2-4")
                .status(200)
                .has("Content-Range", "2-4/*")
                .answers("[{\"id\":3},{\"id\":4},{\"id\":5}]");
        fixture.ask("GET /tasks?select=id&order=id&limit=2&offset=6")
                .header("Range", "0-6")
                .has("Content-Range", "6-6/*");
        fixture.ask("GET /tasks?select=id").header("Range", "nonsense").has("Content-Range", "0-7/*");
    }

    @Test
    void onlyGetLooksAtTheHeader() {
        fixture.ask("HEAD /tasks?select=id").header("Range", "0-1").has("Content-Range", "0-7/*");
    }

    @Test
    void whatCannotBeSatisfied() {
        fixture.ask("GET /tasks")
                .header("Range", "4-2")
                .fails(416, "PGRST103")
                .contains("The lower boundary must be lower than or equal to the upper boundary in the Range header.");
        fixture.ask("GET /tasks?offset=9")
                .prefer("count=exact")
                .fails(416, "PGRST103")
                .contains("An offset of 9 was requested, but there are only 8 rows.");
        fixture.ask("GET /tasks?limit=1&offset=6")
                .header("Range", "0-4")
                .fails(416, "PGRST103")
                .contains("Limit should be greater than or equal to zero.");
        fixture.ask("GET /tasks?offset=9&select=id")
                .prefer("count=exact")
                .has("Content-Range", "*/8")
                .has("Content-Location", "/tasks?offset=9&select=id")
                .has("Preference-Applied", "count=exact");
        fixture.ask("GET /tasks?offset=8").prefer("count=exact").has("Content-Range", "*/8");
        fixture.ask("GET /tasks?offset=9").status(200).answers("[]").has("Content-Range", "*/*");
        fixture.ask("GET /tasks?limit=-1")
                .fails(416, "PGRST103")
                .contains("Limit should be greater than or equal to zero.");
        fixture.ask("GET /projects?select=id,tasks(id)&tasks.limit=-1").fails(416, "PGRST103");
    }

    @Test
    void theProjectsLimitHoldsForEachList() {
        fixture.ask(narrow, "GET /users?select=id,tasks(id)&order=id&tasks.order=id")
                .has("Content-Range", "0-1/*")
                .answers(
                        "[{\"id\":1,\"tasks\":[{\"id\": 1}, {\"id\": 2}]},{\"id\":2,\"tasks\":[{\"id\": 5}, {\"id\": 6}]}]");
        fixture.ask(narrow, "GET /users?select=...tasks(t:id)&id=eq.1&tasks.order=id&tasks.limit=9")
                .answers("[{\"t\":[1, 2]}]");
    }

    @Test
    void aResourceOfOneRowMayHaveARangeToo() {
        fixture.ask("GET /projects?select=id,clients(id)&clients.limit=0&id=eq.1")
                .answers("[{\"id\":1,\"clients\":null}]");
        fixture.ask("GET /projects?select=id,clients!inner(id)&clients.limit=0").answers("[]");
    }
}
