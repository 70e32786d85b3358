package svc.server.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/**
 * The gateway in front of GraphQL: credentials come first, and every answer has CORS headers and a request id. The projects
 * here have no database; what the service does with one is tested in its module, and by the client in e2e.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class GraphqlBehindTheGatewayTest {
    private static final String QUERY = "{\"query\":\"{ __typename }\"}";

    private final ProjectForTests project = ProjectForTests.create("graphql");
    private final Http keyed = project.http().with("apikey", project.anonKey());

    private static void isComplete(Http.Answer answer, int status) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.header("access-control-allow-origin")).hasValue("*");
        assertThat(answer.header("x-request-id")).isPresent();
        assertThat(answer.header("content-type").orElse("")).startsWith("application/json");
    }

    @Test
    void withoutAKeyNothingIsRead() {
        isComplete(project.http().send("POST", "/graphql/v1", QUERY), 401);
        isComplete(project.http().get("/graphql/v1?query=%7B__typename%7D"), 401);
    }

    @Test
    void whatIsNoRequestNeedsNoDatabase() {
        isComplete(keyed.send("POST", "/graphql/v1", "[" + QUERY + "]"), 400);
        isComplete(keyed.get("/graphql/v1"), 400);
        isComplete(keyed.get("/graphql/v1/elsewhere"), 404);
        Http.Answer broken = keyed.send("POST", "/graphql/v1", "{\"query\":\"{\"}");
        isComplete(broken, 200);
        assertThat(broken.json().at("/errors/0/message").asText()).startsWith("query parse error");
    }

    @Test
    void withoutTheDatabaseTheAnswerSaysSo() {
        Http.Answer failed = keyed.send("POST", "/graphql/v1", QUERY);
        isComplete(failed, 503);
        assertThat(failed.json().at("/errors/0/message").asText()).startsWith("Database connection error");
    }
}
