package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** What a stranger may do to the PostgreSQL endpoint before it signs in, and how many connections sign in. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class HostileSignInTest extends TestBesideNeighbour {
    private static final int SSL_REQUEST = 80_877_103;
    private static final String HOSTILE = "127.0.0.66";

    @Test
    void whatIsNotTheProtocolIsRefusedAtOnce() throws IOException {
        for (byte[] bytes : List.of(
                ints(Integer.MAX_VALUE, 3 << 16),
                ints(-1, 0),
                ints(8, 2 << 16),
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII))) {
            try (WireClient wire = stranger("127.0.0.1")) {
                wire.sendRaw(bytes);
                assertThat(wire.firstByte()).isEqualTo('E');
                assertThat(wire.isClosed()).isTrue();
            }
        }
    }

    @Test
    void aStrangerThatSendsAByteNowAndThenIsClosed() throws Exception {
        try (var hasty = new EndpointCopy(Map.of("login", Duration.ofSeconds(2)));
                WireClient wire = new WireClient(hasty.port(), HOSTILE)) {
            wire.sendRaw(ints(9_000));
            assertThat(wire.isClosedWhileSending(new byte[1])).isTrue();
        }
    }

    @Test
    void anAddressHasFewConnectionsBeforeItSignsIn() throws Exception {
        List<WireClient> opened = new ArrayList<>();
        try (var patient = new EndpointCopy(Map.of("login", Duration.ofMinutes(5)))) {
            for (int i = 0; i < 10; i++) {
                WireClient wire = new WireClient(patient.port(), HOSTILE);
                opened.add(wire);
                wire.sendRaw(ints(8, SSL_REQUEST));
                assertThat(wire.firstByte()).isEqualTo('N');
            }
            try (WireClient more = new WireClient(patient.port(), HOSTILE)) {
                more.sendRaw(ints(8, SSL_REQUEST));
                assertThat(more.firstByte()).isEqualTo(-1);
            }
            signedIn(patient.port()).close();
        } finally {
            for (WireClient wire : opened) {
                wire.close();
            }
        }
    }

    @Test
    void anAddressGuessesFewPasswords() throws IOException {
        String from = "127.0.0.67";
        for (int i = 0; i < 10; i++) {
            try (WireClient wire = stranger(from)) {
                assertThat(WireClient.error(wire.signIn("postgres." + project.ref(), "svc_pat_wrong")))
                        .contains("C28P01|");
            }
        }
        try (WireClient wire = stranger(from)) {
            assertThat(WireClient.error(wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN)))
                    .contains("too many wrong passwords");
        }
        signedIn().close();
    }

    @Test
    void anUnknownProjectIsAnsweredLikeAWrongPassword() throws IOException {
        try (WireClient wire = stranger("127.0.0.68")) {
            assertThat(WireClient.error(wire.signIn("postgres.nothere1", "svc_login_nothere1_" + "a".repeat(60))))
                    .contains("C28P01|");
        }
    }

    @Test
    void replicationAndOptionsAreRefused() throws IOException {
        try (WireClient wire = stranger("127.0.0.1")) {
            wire.send(out -> out.startup(Map.of("user", "postgres.x", "replication", "database")));
            assertThat(wire.next().text()).contains("C0A000|");
        }
        try (WireClient wire = stranger("127.0.0.1")) {
            wire.send(out -> out.startup(Map.of("user", "postgres.x", "options", "-c role=other")));
            assertThat(wire.next().text()).contains("C0A000|");
        }
    }

    @Test
    void aProjectHasFewConnections() throws IOException {
        List<WireClient> opened = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                opened.add(signedIn());
            }
            try (WireClient more = stranger("127.0.0.1")) {
                assertThat(WireClient.error(more.signIn("postgres." + project.ref(), TestingPlatform.ADMIN)))
                        .contains("C53300|");
            }
        } finally {
            for (WireClient wire : opened) {
                wire.close();
            }
        }
    }

    /** Projects cost their owner nothing: so what one has in a project alone, it would have as often as it likes. */
    @Test
    void theProjectsOfAnOrganisationLeaveHalfToOthers() throws Exception {
        JsonNode other = Http.api(TestingPlatform.ADMIN)
                .send("POST", "/v1/organizations", "{\"slug\":\"beside-" + Long.toString(System.nanoTime(), 36) + "\"}")
                .json();
        String token = other.at("/token/token").asText();
        String ref = TestingProject.create(client, tenants, token, "beside").ref();
        String right = Http.api(token)
                .send("POST", "/v1/tokens", "{\"name\":\"sql\",\"permissions\":{\"database_query\":true}}")
                .json()
                .get("token")
                .asText();
        TestingProject second = TestingProject.create(client, tenants, "second");
        List<WireClient> opened = new ArrayList<>();
        try (var small = new EndpointCopy(Map.of("connections", 8, "perProject", 3))) {
            for (String own : List.of(project.ref(), project.ref(), project.ref(), second.ref())) {
                WireClient wire = new WireClient(small.port(), "127.0.0.1");
                opened.add(wire);
                assertThat(WireClient.types(wire.signIn("postgres." + own, TestingPlatform.ADMIN)))
                        .endsWith("KZ");
            }
            try (WireClient more = new WireClient(small.port(), "127.0.0.1")) {
                assertThat(WireClient.error(more.signIn("postgres." + second.ref(), TestingPlatform.ADMIN)))
                        .contains("C53300|");
            }
            try (WireClient beside = new WireClient(small.port(), "127.0.0.1")) {
                List<WireClient.Message> signedIn = beside.signIn("postgres." + ref, right);
                assertThat(WireClient.types(signedIn))
                        .as(WireClient.error(signedIn))
                        .endsWith("KZ");
                assertThat(WireClient.types(beside.query("select 1"))).isEqualTo("TDCZ");
            }
        } finally {
            for (WireClient wire : opened) {
                wire.close();
            }
        }
    }
}
