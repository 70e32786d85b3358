package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.redis.client.Redis;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.key.ApiKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.platform.ratelimit.RateLimit;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;
import svc.testing.TestingKeys;

/** Permissions and rate limits of SQL, on every path of the endpoint and every instance. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class SqlAdmissionTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "admitted");
    }

    private static Http.Answer run(Http caller, String path) {
        return caller.send(
                "POST",
                path,
                JSON.createObjectNode().put("query", "SELECT 1 AS a").toString());
    }

    private String serviceKey() {
        return ApiKey.of(TestingKeys.master()
                .root(Purpose.SERVICE_KEY)
                .leaf(new ProjectKeyScope(project.owner().names().projectId(), TestingKeys.INCARNATION, 1)));
    }

    /** The counter of another api-server instance. */
    private static RateLimit instance(Vertx vertx) {
        String url = ConfigProvider.getConfig().getValue("quarkus.redis.hosts", String.class);
        return new RateLimit(
                new RedisAPI(io.vertx.redis.client.RedisAPI.api(Redis.createClient(vertx, url))),
                new RateLimit.Rule("sql", 30, Duration.ofMinutes(1)),
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    @Test
    void hasThirtyCallsOverAllInstancesAndAddresses() throws Exception {
        List<String> paths = List.of(project.path(), "/api/projects/" + project.ref() + "/database/query");
        var id = project.owner().names().projectId();
        Vertx vertx = Vertx.vertx();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<RateLimit> others = List.of(instance(vertx), instance(vertx), instance(vertx));
            // Each has its connection before the crowd comes: one that waits too long for Redis counts alone.
            others.forEach(other -> other.count(UUID.randomUUID()));
            List<Future<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 45; i++) {
                RateLimit other = others.get(i % 3);
                String path = paths.get(i % 2);
                calls.add(threads.submit(() -> other.count(id).allowed()));
                calls.add(threads.submit(() -> {
                    Http.Answer answer = run(api, path);
                    // Counted, but not run: too many concurrent scripts of one project.
                    return answer.status() == 201 || answer.status() == 503;
                }));
            }
            int allowed = 0;
            for (Future<Boolean> call : calls) {
                allowed += call.get() ? 1 : 0;
            }
            assertThat(allowed).isEqualTo(30);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
        for (String path : paths) {
            Http.Answer answer = run(api, path);
            assertThat(answer.status()).as(path).isEqualTo(429);
            assertThat(answer.code()).isEqualTo("rate_limit_exceeded");
            assertThat(answer.header("ratelimit-limit")).hasValue("30");
            assertThat(answer.header("ratelimit-remaining")).hasValue("0");
            assertThat(answer.header("retry-after").map(Integer::valueOf).orElse(0))
                    .isBetween(1, 60);
        }
        // Migrations have a limit of their own.
        Http.Answer migration = run(Http.api(serviceKey()), "/api/projects/" + project.ref() + "/migrate/service-role");
        assertThat(migration.status()).as(migration.toString()).isEqualTo(201);
        assertThat(migration.header("ratelimit-remaining")).hasValue("59");
        TestingProject neighbour = TestingProject.create(client, tenants, "neighbour");
        assertThat(run(api, neighbour.path()).status()).isEqualTo(201);
    }

    @Test
    void answersAlikeUnderBothPrefixes() {
        for (String path : List.of(
                "/v1/projects/" + project.ref() + "/database/query",
                "/api/projects/" + project.ref() + "/database/query",
                "/v1/projects/" + project.ref() + "/migrate/service-role",
                "/api/projects/" + project.ref() + "/migrate/service-role")) {
            Http.Answer answer = run(api, path);
            assertThat(answer.status()).as(path + answer).isEqualTo(201);
            if (path.endsWith("/query")) {
                assertThat(answer.text()).isEqualTo("[{\"a\":1}]");
            } else {
                assertThat(answer.json().path("state").asText()).isEqualTo("applied");
            }
            assertThat(answer.header("ratelimit-limit")).hasValue(path.endsWith("/query") ? "30" : "60");
        }
    }

    @Test
    void doesNotKnowProjectsOfOthersNorThoseThatAreNotServed() {
        String slug = "org-" + Long.toString(System.nanoTime(), 36);
        String foreign = api.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\",\"name\":\"Other\"}")
                .json()
                .at("/token/token")
                .asText();
        String stuck = api.send("POST", "/v1/projects", "{\"name\":\"stuck\"}")
                .json()
                .at("/project/ref")
                .asText();
        TestingProject deleted = TestingProject.create(client, tenants, "deleted");
        assertThat(api.send("DELETE", "/v1/projects/" + deleted.ref()).status()).isLessThan(300);
        while (tenants.find(deleted.ref()).isPresent()) {
            Thread.onSpinWait();
        }
        for (Http.Answer answer : List.of(
                run(Http.api(foreign), project.path()),
                run(Http.api(foreign), "/api/projects/" + project.ref() + "/migrate/service-role"),
                run(api, "/v1/projects/" + stuck + "/database/query"),
                run(api, deleted.path()))) {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("project_not_found");
        }
    }
}
