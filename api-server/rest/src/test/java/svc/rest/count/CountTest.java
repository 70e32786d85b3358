package svc.rest.count;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.rest.ReadFixture;

/** The total number of rows: exact, planned and estimated. */
class CountTest {
    private static ReadFixture fixture;
    private static Tenant narrow;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.ownProject();
        fixture.projects().asOwner(fixture.tenant(), """
                CREATE TABLE many (id int PRIMARY KEY);
                INSERT INTO many SELECT generate_series(1, 500);
                ANALYZE many;
                DELETE FROM many WHERE id > 490;
                """);
        narrow = fixture.serve(fixture.tenant().rest().withMaxRows(10));
    }

    @Test
    void exactly() {
        fixture.ask("GET /many?select=id&limit=3&offset=2")
                .prefer("count=exact")
                .status(206)
                .has("Content-Range", "2-4/490")
                .has("Preference-Applied", "count=exact");
        fixture.ask("HEAD /many?id=lt.5")
                .prefer("count=exact")
                .status(200)
                .has("Content-Range", "0-3/4")
                .answers("");
    }

    @Test
    void asPlanned() {
        fixture.ask("GET /many?select=id&limit=3")
                .prefer("count=planned")
                .status(206)
                .has("Content-Range", "0-2/500")
                .has("Preference-Applied", "count=planned");
        fixture.ask("HEAD /many").prefer("count=planned").has("Content-Range", "0-489/500");
    }

    @Test
    void exactlyAsLongAsTheyAreFew() {
        fixture.ask(narrow, "GET /many?select=id&id=lte.7")
                .prefer("count=estimated")
                .status(200)
                .has("Content-Range", "0-6/7")
                .has("Preference-Applied", "count=estimated");
        fixture.ask(narrow, "GET /many?select=id")
                .prefer("count=estimated")
                .status(206)
                .has("Content-Range", "0-9/500");
    }

    @Test
    void rowsWithoutTheirInnerResourceAreNotCounted() {
        fixture.ask("GET /projects?select=id,clients!inner(id)&clients.name=eq.Apple&limit=1")
                .prefer("count=exact")
                .status(206)
                .has("Content-Range", "0-0/2");
        fixture.ask("GET /projects?select=id,clients()&clients=is.null")
                .prefer("count=exact")
                .has("Content-Range", "0-0/1");
        fixture.ask("GET /tasks?select=id,...projects!inner(name)&projects.name=eq.OSX&limit=1")
                .prefer("count=exact")
                .has("Content-Range", "0-0/2");
    }

    @Test
    void nothingIsCountedUnasked() {
        fixture.ask("GET /many?select=id&limit=3").status(200).has("Content-Range", "0-2/*");
        fixture.ask("GET /many?select=id&id=lt.0").prefer("count=exact").has("Content-Range", "*/0");
    }
}
