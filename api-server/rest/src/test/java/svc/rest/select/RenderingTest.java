package svc.rest.select;

import org.junit.jupiter.api.Test;
import svc.rest.ReadFixture;

/** The bytes of a body are those of PostgREST, rendered by the same PostgreSQL functions. */
class RenderingTest {
    private static final ReadFixture FIXTURE = ReadFixture.shared();

    @Test
    void rowsStandOnLines() {
        FIXTURE.ask("GET /clients?select=id,name&order=id&limit=2")
                .has("Content-Type", "application/json; charset=utf-8")
                .answersExactly("[{\"id\":1,\"name\":\"Microsoft\"}, \n {\"id\":2,\"name\":\"Apple\"}]");
    }

    @Test
    void resourcesAreJsonb() {
        FIXTURE.ask("GET /projects?select=name,detail(txt,project_id),tasks(name,id)&id=eq.1&tasks.order=id")
                .answersExactly("[{\"name\":\"Windows 7\",\"detail\":{\"txt\": \"d1\", \"project_id\": 1},"
                        + "\"tasks\":[{\"id\": 1, \"name\": \"Design w7\"}, {\"id\": 2, \"name\": \"Code w7\"}]}]");
    }

    @Test
    void oneObjectHoldsResourcesToo() {
        FIXTURE.ask("GET /projects?select=name,clients(name,note)&id=eq.1")
                .header("Accept", "application/vnd.pgrst.object+json")
                .answersExactly("{\"name\":\"Windows 7\",\"clients\":{\"name\": \"Microsoft\", \"note\": null}}");
        FIXTURE.ask("GET /projects?select=name,clients(name,note)&id=eq.1")
                .header("Accept", "application/vnd.pgrst.object+json;nulls=stripped")
                .answersExactly("{\"name\":\"Windows 7\",\"clients\":{\"name\":\"Microsoft\"}}");
    }
}
