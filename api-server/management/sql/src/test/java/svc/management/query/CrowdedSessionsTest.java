package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import svc.crds.project.ProjectIdentity;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/**
 * Promise: however many projects of an organisation run scripts that take long, others' scripts and requests are served. The
 * scripts sleep until the neighbour was served.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class CrowdedSessionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PROJECTS = 5;
    private static final int SCRIPTS_OF_PROJECT = 4;

    /** Two thirds of the 24 sessions of the platform. */
    private static final int SHARE = 16;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Test
    void anOrganizationThatSleepsInManyProjectsDelaysNoOther() throws Exception {
        TestingProject neighbour = TestingProject.create(client, tenants, "neighbour");
        Http admin = Http.api(TestingPlatform.ADMIN);
        assertThat(run(admin, neighbour, "CREATE TABLE mine (id int PRIMARY KEY)")
                        .status())
                .isEqualTo(201);
        String token = organization(admin);
        List<TestingProject> crowd = new ArrayList<>();
        for (int i = 0; i < PROJECTS; i++) {
            crowd.add(TestingProject.create(client, tenants, token, "sleeps"));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Http.Answer>> answers = new ArrayList<>();
            for (TestingProject project : crowd) {
                for (int i = 0; i < SCRIPTS_OF_PROJECT; i++) {
                    answers.add(threads.submit(() -> run(Http.api(token), project, "SELECT pg_sleep(250)")));
                }
            }
            try {
                int refused = PROJECTS * SCRIPTS_OF_PROJECT - SHARE;
                await().until(() -> answers.stream().filter(Future::isDone).count() == refused);
                isServed(admin, neighbour);
                assertThat(sleeping(crowd)).isEqualTo(Integer.toString(SHARE));
                for (Future<Http.Answer> answer : answers) {
                    if (answer.isDone()) {
                        isToComeAgain(answer.get());
                    }
                }
            } finally {
                wake(crowd);
            }
        }
    }

    private static void isServed(Http admin, TestingProject neighbour) {
        for (int i = 0; i < SCRIPTS_OF_PROJECT; i++) {
            Http.Answer answer = run(admin, neighbour, "SELECT 1");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        }
        var data = new ProjectForTests(
                new ProjectIdentity(neighbour.ref(), neighbour.owner().names().projectId()));
        Http.Answer rows = data.http().with("apikey", data.anonKey()).get("/rest/v1/mine");
        assertThat(rows.status()).as(rows.toString()).isEqualTo(200);
    }

    private static void isToComeAgain(Http.Answer refused) {
        assertThat(refused.status()).as(refused.toString()).isEqualTo(503);
        assertThat(refused.code()).isEqualTo("unavailable");
        assertThat(refused.json().path("message").asText()).contains("organization");
        assertThat(refused.json().path("hint").asText()).contains("Retry after");
        assertThat(refused.header("retry-after").orElseThrow()).matches("[1-9][0-9]*");
    }

    private static String organization(Http admin) {
        String slug = "org-" + Long.toString(System.nanoTime(), 36);
        Http.Answer made = admin.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\",\"name\":\"Crowd\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made.json().at("/token/token").asText();
    }

    private static Http.Answer run(Http caller, TestingProject project, String sql) {
        return caller.send(
                "POST",
                project.path(),
                JSON.createObjectNode()
                        .put("query", sql)
                        .put("timeout_seconds", 300)
                        .toString());
    }

    private static String sleeping(List<TestingProject> crowd) {
        return crowd.getFirst().owner().ask("SELECT count(*)" + sessions(crowd));
    }

    private static void wake(List<TestingProject> crowd) {
        crowd.getFirst().owner().ask("SELECT count(pg_terminate_backend(pid))" + sessions(crowd));
    }

    private static String sessions(List<TestingProject> crowd) {
        return crowd.stream()
                .map(project -> "'" + project.owner().login() + "'")
                .collect(Collectors.joining(
                        ",", " FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND usename IN (", ")"));
    }
}
