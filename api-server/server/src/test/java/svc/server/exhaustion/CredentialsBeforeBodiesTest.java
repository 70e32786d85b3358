package svc.server.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.database.key.KeyKind;
import svc.platform.memory.MemoryBudget;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.RawConnection;

/** Promise: without a credential no byte of a body is waited for, and where none is needed a body is small. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class CredentialsBeforeBodiesTest {
    private static ProjectForTests project;

    @Inject
    MemoryBudget memory;

    @BeforeAll
    static void aProject() {
        project = ProjectForTests.create("uploads");
    }

    /** Sends the head alone: a server that waits for the body answers late, with another status. */
    private static String answerToHead(String host, String path, long length, String authorization) {
        try (RawConnection connection = RawConnection.open()) {
            return connection
                    .send("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: " + length + "\r\n"
                            + (authorization == null ? "" : "Authorization: " + authorization + "\r\n") + "\r\n")
                    .answer();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/projects, 60000",
        "/v1/projects/x/functions, 16000000",
        "/v1/projects/x/functions/deploy, 16000000",
        "/api/projects/x/functions, 16000000",
        "/v1/projects/x/database/query, 60000",
        "/v1/tokens, 60000",
        "/v1/nothing, 60000"
    })
    void theControlPlaneKnowsItsCallerFirst(String path, long length) {
        String unknown = "Bearer " + KeyKind.PAT.format().encode(new byte[32]);

        assertThat(answerToHead("api.svc.example", path, length, null))
                .startsWith("HTTP/1.1 401")
                .contains("token_missing", "\"request_id\"")
                .containsIgnoringCase("www-authenticate: bearer");
        assertThat(answerToHead("api.svc.example", path, length, unknown))
                .startsWith("HTTP/1.1 401")
                .contains("token_unknown");
    }

    @Test
    void aServiceKeyIsCheckedFirst() {
        String path = "/api/projects/" + project.ref() + "/migrate/service-role";
        String other = ProjectForTests.create("other").serviceKey();

        assertThat(answerToHead("api.svc.example", path, 60_000, "Bearer " + other))
                .startsWith("HTTP/1.1 401")
                .contains("service_key_invalid");
        // The right one: the body is waited for, and comes too slowly.
        assertThat(answerToHead("api.svc.example", path, 60_000, "Bearer " + project.serviceKey()))
                .startsWith("HTTP/1.1 408")
                .contains("body_timeout");
    }

    @ParameterizedTest
    @CsvSource({"/auth/v1/callback", "/auth/v1/sso/saml/acs", "/auth/v1/.well-known/x"})
    void anOpenPathTakesALittle(String path) {
        assertThat(answerToHead(project.ref() + ".data.example", path, 64 * 1024 + 1, null))
                .startsWith("HTTP/1.1 413")
                .contains("body_too_large", "65536");
    }

    /** Anyone could fill the memory of all otherwise: such a body is read for a while, and nothing of it is kept. */
    @ParameterizedTest
    @CsvSource({"api.svc.example, /v1/projects", "ref.data.example, /rest/v1/t"})
    void whatFollowsARefusalHoldsNoMemory(String host, String path) {
        try (RawConnection connection = RawConnection.open()) {
            String refused = connection
                    .send("POST " + path + " HTTP/1.1\r\nHost: " + host.replace("ref", project.ref())
                            + "\r\nContent-Length: 20000000\r\n\r\n")
                    .answer();
            assertThat(refused).startsWith("HTTP/1.1 4");

            connection.send("x".repeat(1_000_000));
            // Before the time for a head is over, after which the connection would be closed.
            await().during(Duration.ofMillis(500))
                    .atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(memory.bytes().held()).isZero());
        }
    }

    @Test
    void aProjectKnowsItsCallerFirst() {
        assertThat(answerToHead(project.ref() + ".data.example", "/rest/v1/t", 100_000, null))
                .startsWith("HTTP/1.1 401");
    }
}
