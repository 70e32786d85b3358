package svc.rest.openapi;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.project.service.OpenApiMode;
import svc.platform.tenancy.Tenant;
import svc.rest.RestCall;
import svc.rest.testing.SharedDataPlane;

/** A function of the project answers the root where the project's settings name one. */
class RootFunctionTest {
    private static Tenant tenant;
    private static Tenant disabled;
    private static Tenant missing;

    @BeforeAll
    static void serve() {
        Tenant main = SharedDataPlane.project("""
                CREATE DOMAIN "application/openapi+json" AS json;
                CREATE TABLE todos (id int);
                CREATE FUNCTION "my root"() RETURNS "application/openapi+json" STABLE LANGUAGE sql
                    AS $$SELECT '{"swagger":"2.0","info":{"title":"Mine"}}'::"application/openapi+json"$$;
                """);
        tenant = SharedDataPlane.PLANE.serve(
                main, SharedDataPlane.ref(), main.rest().withRootSpec("my root"));
        disabled = SharedDataPlane.PLANE.serve(
                main, SharedDataPlane.ref(), main.rest().withRootSpec("my root").withOpenapiMode(OpenApiMode.DISABLED));
        missing = SharedDataPlane.PLANE.serve(
                main, SharedDataPlane.ref(), main.rest().withRootSpec("absent"));
    }

    private static RestCall ask(String request) {
        return RestCall.ask(SharedDataPlane.PLANE, tenant, request);
    }

    @Test
    void itAnswersInTheAcceptedType() {
        ask("GET /")
                .header("Accept", "application/openapi+json")
                .status(200)
                .has("Content-Type", "application/openapi+json; charset=utf-8")
                .answers("{\"swagger\":\"2.0\",\"info\":{\"title\":\"Mine\"}}");
        ask("GET /")
                .header("Accept", "application/json")
                .status(200)
                .has("Content-Type", "application/json; charset=utf-8")
                .contains("\"title\":\"Mine\"");
        ask("HEAD /").status(200);
        ask("OPTIONS /").has("Allow", "OPTIONS,GET,HEAD,POST");
    }

    @Test
    void otherMethodsAreThoseOfTheRoot() {
        ask("POST /")
                .body("[{\"method\":\"GET\",\"path\":\"/todos\"}]")
                .status(200)
                .contains("\"body\":[]");
        ask("PATCH /").fails(405, "PGRST117");
        ask("GET /todos").answers("[]");
    }

    @Test
    void aDisabledDescriptionStaysDisabled() {
        RestCall.ask(SharedDataPlane.PLANE, disabled, "GET /").fails(404, "PGRST126");
    }

    @Test
    void aFunctionThatDoesNotExistIsSaid() {
        RestCall.ask(SharedDataPlane.PLANE, missing, "GET /")
                .fails(404, "PGRST202")
                .contains("public.absent");
    }
}
