package svc.rest.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/** A project with an unavailable database answers 503 with PostgREST's message, and discloses no internal name. */
class DatabaseAwayTest {
    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("away1234");
    private TestingDataPlane plane;

    @BeforeEach
    void serve() {
        projects.asOwner(tenant, "CREATE TABLE todos (id int PRIMARY KEY)");
        plane = new TestingDataPlane(projects, PoolSettings.defaults(), false);
        plane.serve(tenant);
    }

    @AfterEach
    void close() {
        plane.close();
    }

    private void disconnect() {
        projects.asOperator("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    private void assertAway(String method, String body) {
        HttpResponse<String> answer = plane.request(tenant, method, "/todos", Map.of(), body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith("application/json");
        assertThat(answer.body())
                .contains("PGRST001")
                .doesNotContain(
                        "svc_", "jdbc", projects.database(), tenant.names().schemaName());
    }

    @Test
    void aLoginThatIsRefused() {
        String login = tenant.names().role(DatabaseRole.API).sql();
        assertThat(plane.get(tenant, "/todos").statusCode()).isEqualTo(200);
        projects.asOperator("ALTER ROLE " + login + " NOLOGIN");
        disconnect();
        // A connection that the server ended is only found dead by its next use.
        plane.get(tenant, "/todos");

        assertAway("GET", null);
        assertAway("POST", "{\"id\":1}");
        projects.asOperator("ALTER ROLE " + login + " LOGIN");
        assertThat(plane.get(tenant, "/todos").statusCode()).isEqualTo(200);
    }

    @Test
    void aLoginWithoutAConnectionLeft() {
        projects.asOperator(
                "ALTER ROLE " + tenant.names().role(DatabaseRole.API).sql() + " CONNECTION LIMIT 0");

        assertAway("GET", null);
    }

    @Test
    void aDatabaseThatRefusesConnections() {
        projects.asOperator("REVOKE CONNECT ON DATABASE " + projects.database() + " FROM PUBLIC");

        assertAway("GET", null);
    }

    @Test
    void aDatabaseThatIsNotPrepared() {
        projects.asOperator("REVOKE USAGE ON SCHEMA svc_guard FROM svc_catalog");

        assertAway("GET", null);
        projects.asOperator("ALTER SCHEMA svc_guard RENAME TO not_yet");
        assertAway("GET", null);
        projects.asOperator("ALTER SCHEMA not_yet RENAME TO svc_guard");
    }
}
