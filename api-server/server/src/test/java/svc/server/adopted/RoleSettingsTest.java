package svc.server.adopted;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/**
 * Promise: {@code ALTER ROLE … SET} of an adopted database's role applies in transactions under that role, and in no
 * others.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class RoleSettingsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private AdoptedDatabaseForTests database;
    private Http ann;

    @BeforeEach
    void adopt() {
        database = AdoptedDatabaseForTests.adopt(client, tenants);
        ann = database.as(database.role("todo_user"), "ann");
        database.sql("""
                CREATE FUNCTION api.setting(name text) RETURNS text LANGUAGE sql STABLE AS 'SELECT current_setting(name)';
                CREATE FUNCTION api.changed(name text) RETURNS text LANGUAGE sql VOLATILE AS 'SELECT current_setting(name)';
                CREATE FUNCTION api.nap() RETURNS text LANGUAGE sql STABLE AS 'SELECT pg_sleep(3)::text';
                """);
        is(ann, "work_mem", "4MB");
    }

    @Test
    void theyHoldForTheRoleAndForNoOther() {
        alter("todo_user", "SET work_mem = '3MB'");
        awaited(ann, "work_mem", "3MB");
        is(database.http(), "work_mem", "4MB");
        is(database.as(database.role("service_role"), ""), "work_mem", "4MB");

        alter("todo_user", "RESET work_mem");
        awaited(ann, "work_mem", "4MB");
    }

    @Test
    void aTimeoutEndsWhatTakesLonger() {
        alter("web_anon", "SET statement_timeout = '200ms'");
        awaited(database.http(), "statement_timeout", "200ms");

        Http.Answer late = database.http().get("/rest/v1/rpc/nap");
        assertThat(late.json().path("code").asText()).as(late.toString()).isEqualTo("57014");
        assertThat(ann.get("/rest/v1/rpc/nap").status()).isEqualTo(200);
    }

    @Test
    void transactionsAreIsolatedAsItWants() {
        alter("todo_user", "SET default_transaction_isolation = 'serializable'");
        awaited(ann, "transaction_isolation", "serializable");
        is(database.http(), "transaction_isolation", "read committed");

        Http writing = ann.with("Content-Type", "application/json");
        assertThat(writing.send("POST", "/rest/v1/rpc/changed", "{\"name\":\"transaction_isolation\"}")
                        .text())
                .isEqualTo("\"serializable\"");
        Http.Answer batch = writing.send("POST", "/rest/v1/", """
                [{"method": "POST", "path": "/rpc/changed", "body": {"name": "transaction_isolation"}}]""");
        assertThat(batch.text()).contains("serializable");
    }

    @Test
    void whatIsNotTheRolesToSayIsLeftOut() {
        String service = database.role("service_role");
        alter("todo_user", "SET client_encoding = 'LATIN1'");
        alter("todo_user", "SET role = '" + service + "'");
        alter("todo_user", "SET log_min_duration_statement = 0");
        alter("todo_user", "SET app.of_its_own = 'x'");
        alter("todo_user", "SET application_name = '" + "x".repeat(2000) + "'");
        alter("todo_user", "SET work_mem = '3MB'");
        awaited(ann, "work_mem", "3MB");

        is(ann, "client_encoding", "UTF8");
        is(ann, "role", database.role("todo_user"));
        is(ann, "log_min_duration_statement", "-1");
        assertThat(ann.get("/rest/v1/todos?select=task").text()).isEqualTo("[{\"task\":\"pat self on back\"}]");
    }

    private void alter(String role, String what) {
        database.sql("ALTER ROLE " + database.role(role) + " " + what + "; NOTIFY pgrst, 'reload config'");
    }

    private static void awaited(Http caller, String name, String value) {
        Awaitility.await().atMost(LIMIT).untilAsserted(() -> is(caller, name, value));
    }

    private static void is(Http caller, String name, String value) {
        Http.Answer answer = caller.get("/rest/v1/rpc/setting?name=" + name);
        assertThat(answer.text()).as(answer.toString()).isEqualTo("\"" + value + "\"");
    }
}
