package svc.rest.write;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.rest.ReadFixture;

/** What a write returns holds related resources as a read does. */
class RepresentationEmbedTest {
    private static ReadFixture fixture;

    @BeforeAll
    static void serve() {
        fixture = ReadFixture.ownProject();
    }

    @Test
    void resourcesOfWrittenRows() {
        fixture.ask("POST /projects?select=name,clients(name),tasks(id)")
                .prefer("return=representation")
                .body("{\"id\":50,\"name\":\"New\",\"client_id\":2}")
                .status(201)
                .answers("[{\"name\":\"New\",\"clients\":{\"name\": \"Apple\"},\"tasks\":[]}]");
        fixture.ask("PATCH /projects?id=eq.50&select=id,...clients(c:name)")
                .prefer("return=representation")
                .body("{\"client_id\":1}")
                .status(200)
                .answers("[{\"id\":50,\"c\":\"Microsoft\"}]");
        fixture.ask("DELETE /projects?id=eq.50&select=*,clients(name)")
                .prefer("return=representation")
                .status(200)
                .answers("[{\"id\":50,\"name\":\"New\",\"client_id\":1,\"budget\":null,"
                        + "\"clients\":{\"name\": \"Microsoft\"}}]");
    }

    @Test
    void computedRelationshipsAndColumns() {
        fixture.ask("PATCH /clients?id=eq.3&select=*,upper_name,client_projects(id)")
                .prefer("return=representation")
                .body("{\"note\":\"seen\"}")
                .status(200)
                .answers("[{\"id\":3,\"name\":\"None\",\"note\":\"seen\",\"upper_name\":\"NONE\","
                        + "\"client_projects\":[]}]");
    }

    @Test
    void aColumnStandsInTheAnswerOnce() {
        fixture.ask("PATCH /clients?id=eq.2&select=*,upper_name")
                .prefer("return=representation")
                .body("{\"note\":\"n\"}")
                .answers("[{\"id\":2,\"name\":\"Apple\",\"note\":\"n\",\"upper_name\":\"APPLE\"}]");
        fixture.ask("PATCH /clients?id=eq.2&order=upper_name")
                .prefer("return=representation")
                .body("{\"note\":\"n\"}")
                .answers("[{\"id\":2,\"name\":\"Apple\",\"note\":\"n\"}]");
    }

    @Test
    void orderAndRangeOfTheAnswerOnly() {
        fixture.ask("PATCH /tasks?id=lte.3&select=id,projects(name)&order=projects(name),id.desc&limit=2")
                .prefer("return=representation,count=exact")
                .body("{\"name\":\"same\"}")
                .status(200)
                .has("Content-Range", "0-2/3")
                .answers("[{\"id\":3,\"projects\":{\"name\": \"Windows 10\"}},"
                        + "{\"id\":2,\"projects\":{\"name\": \"Windows 7\"}}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select=id,projects!inner(name)&projects.name=eq.Windows 7",
                "select=name&distinct=true",
                "select=name,count()",
                "select=name,count()&having=(count.gt.5)"
            })
    void rowsThatTheAnswerLeavesOutWereWrittenAllTheSame(String select) {
        for (String returned : List.of("representation", "minimal")) {
            fixture.ask("PATCH /tasks?id=lte.3&" + select)
                    .prefer("return=" + returned + ",count=exact")
                    .body("{\"name\":\"same\"}")
                    .status(returned.equals("minimal") ? 204 : 200)
                    .has("Content-Range", "0-2/3");
            fixture.ask("PATCH /tasks?id=lte.3&" + select)
                    .prefer("return=" + returned + ",handling=strict,max-affected=2")
                    .body("{\"name\":\"same\"}")
                    .fails(400, "PGRST124")
                    .contains("affects 3 rows");
        }
    }
}
