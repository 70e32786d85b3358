package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.sqlgate.parser.ParserLimits;
import svc.sqlgate.parser.ParserPool;
import svc.sqlgate.parser.StoppedParsers;
import svc.testing.Http;

/** SQL that could not be parsed in time is reported as retryable, and no part of it was run. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class StarvedParserTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    ParserPool parsers;

    @Test
    void isAskedToRetry() throws Exception {
        TestingProject project = TestingProject.create(client, tenants, "starved");
        try (var stopped = StoppedParsers.of(parsers, ParserLimits.defaults().processes())) {
            Http.Answer starved = run(project, "CREATE TABLE once (id int)");
            assertThat(starved.status()).as(starved.toString()).isEqualTo(503);
            assertThat(starved.code()).isEqualTo("unavailable");
            assertThat(starved.header("retry-after").orElseThrow()).matches("[1-9][0-9]*");
        }
        Http.Answer again = run(project, "CREATE TABLE once (id int)");
        assertThat(again.status()).as(again.toString()).isEqualTo(201);
    }

    private static Http.Answer run(TestingProject project, String sql) {
        return Http.api(TestingPlatform.ADMIN)
                .send(
                        "POST",
                        project.path(),
                        JSON.createObjectNode().put("query", sql).toString());
    }
}
