package svc.rest.error;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.ErrorVerbosity;
import svc.platform.tenancy.Tenant;
import svc.rest.RestCall;
import svc.rest.testing.SharedDataPlane;

/** Details and hints name columns, values and similar objects: a project may leave them out. */
class ErrorVerbosityTest {
    private static Tenant tenant;

    @BeforeAll
    static void serve() {
        Tenant main = SharedDataPlane.project("CREATE TABLE todos (id int PRIMARY KEY); INSERT INTO todos VALUES (1)");
        tenant = SharedDataPlane.PLANE.serve(
                main, SharedDataPlane.ref(), main.rest().withErrorVerbosity(ErrorVerbosity.MINIMAL));
    }

    private static RestCall ask(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, tenant, request);
    }

    @Test
    void minimalErrorsHaveCodeAndMessage() {
        ask("GET /todoz")
                .status(404)
                .answersExactly("{\"code\":\"PGRST205\","
                        + "\"message\":\"Could not find the table 'public.todoz' in the schema cache\"}");
        ask("POST /todos")
                .body("{\"id\":1}")
                .status(409)
                .answersExactly("{\"code\":\"23505\","
                        + "\"message\":\"duplicate key value violates unique constraint \\\"todos_pkey\\\"\"}");
    }

    @Test
    void errorsOfABatchToo() {
        ask("POST /")
                .body("[{\"method\":\"GET\",\"path\":\"/todoz\"}]")
                .status(404)
                .contains("\"request\":0")
                .hasNoText("hint")
                .hasNoText("details");
    }
}
