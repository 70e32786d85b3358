package svc.server.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.management.postgres.PostgresEndpoint;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.wire.ClientMessages;
import svc.server.management.query.TestingProject;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** What a stranger or a tenant may make the PostgreSQL endpoint keep; a neighbour works beside each. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class HostileClientTest {
    private static final int SSL_REQUEST = 80_877_103;
    private static final String HOSTILE = "127.0.0.66";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PostgresEndpoint endpoint;

    private TestingProject project;
    private WireClient neighbour;

    @BeforeEach
    void makeProjects() throws IOException {
        project = TestingProject.create(client, tenants, "hostile");
        TestingProject other = TestingProject.create(client, tenants, "beside");
        neighbour = new WireClient(endpoint.port(), "127.0.0.1");
        neighbour.signIn("postgres." + other.ref(), TestingPlatform.ADMIN);
    }

    @AfterEach
    void neighbourWorks() throws IOException {
        assertThat(WireClient.types(neighbour.query("select 1"))).isEqualTo("TDCZ");
        neighbour.close();
    }

    private WireClient stranger(String from) throws IOException {
        return new WireClient(endpoint.port(), from);
    }

    private WireClient signedIn() throws IOException {
        return signedIn(endpoint.port());
    }

    private WireClient signedIn(int port) throws IOException {
        WireClient wire = new WireClient(port, "127.0.0.1");
        assertThat(WireClient.types(wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN)))
                .endsWith("KZ");
        return wire;
    }

    private static byte[] ints(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }

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

    @Test
    void messagesHaveASize() throws IOException {
        try (WireClient wire = signedIn()) {
            assertThat(WireClient.error(wire.query("select '" + "x".repeat(300_000) + "'")))
                    .contains("C54000|");
            assertThat(WireClient.types(wire.query("select 1"))).isEqualTo("TDCZ");
            wire.sendRaw(new byte[] {'Q'});
            wire.sendRaw(ints(Integer.MAX_VALUE));
            assertThat(WireClient.error(wire.untilReady())).contains("C54000|");
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void whatWaitsForASyncHasABound() throws IOException {
        try (WireClient wire = signedIn()) {
            byte[] bind = WireClient.typed('B', new byte[1 << 20]);
            assertThat(sendsUntilClosed(wire, bind, 100)).isTrue();
        }
        try (WireClient wire = signedIn()) {
            byte[] close = WireClient.typed('C', new byte[] {'S', 0});
            assertThat(sendsUntilClosed(wire, close, 5000)).isTrue();
        }
    }

    private static boolean sendsUntilClosed(WireClient wire, byte[] message, int times) {
        try {
            for (int i = 0; i < times; i++) {
                wire.sendRaw(message);
            }
            return wire.isClosed();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aSessionHasFewPreparedStatements() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.send(out -> {
                for (int i = 0; i < 201; i++) {
                    out.parse("s" + i, "select " + i);
                }
            });
            List<WireClient.Message> answers = wire.sync();
            assertThat(WireClient.types(answers)).isEqualTo("1".repeat(200) + "EZ");
            assertThat(WireClient.types(wire.query("deallocate all"))).isEqualTo("CZ");
            wire.send(out -> out.parse("again", "select 1"));
            assertThat(WireClient.types(wire.sync())).isEqualTo("1Z");
        }
    }

    @Test
    void whatATransactionKeepsHasABound() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.query("begin");
            wire.send(out -> out.parse("", "select $1::text"));
            String error = "";
            for (int i = 0; i < 40 && error.isEmpty(); i++) {
                wire.sendRaw(WireClient.bind("p" + i, "x".repeat(500_000)));
                error = WireClient.error(wire.sync());
            }
            // Either there is no room for the portal, or none for the message that brings it, which ends the session.
            assertThat(error).containsAnyOf("C53000|", "C53200|");
        }
        try (WireClient wire = signedIn()) {
            wire.send(out -> out.parse("", "select $1::text"));
            wire.sendRaw(WireClient.bind("again", "x".repeat(500_000)));
            assertThat(WireClient.types(wire.sync())).isEqualTo("12Z");
        }
    }

    @Test
    void rowsThatWereSentAreNotKept() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.query("begin");
            wire.send(out -> out.parse("", "select repeat($1, 100000) from generate_series(1, 30)"));
            for (int i = 0; i < 8; i++) {
                String portal = "p" + i;
                wire.sendRaw(WireClient.bind(portal, "x"));
                wire.sendRaw(WireClient.execute(portal, 1));
                assertThat(WireClient.types(wire.sync())).endsWith("2DsZ");
                wire.sendRaw(WireClient.execute(portal, Integer.MAX_VALUE));
                assertThat(WireClient.types(wire.sync())).isEqualTo("D".repeat(29) + "CZ");
            }
        }
    }

    @Test
    void aNameHasFewCharacters() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.send(out -> out.parse("s".repeat(201), "select 1"));
            assertThat(WireClient.error(wire.sync())).contains("C42622|");
        }
    }

    @Test
    void aReaderThatTakesNothingIsClosed() throws Exception {
        try (var hasty = new EndpointCopy(Map.of("stalled", Duration.ofSeconds(2)))) {
            try (WireClient wire = signedIn(hasty.port())) {
                // More than the buffers of two sockets.
                wire.send(out -> out.query("select repeat('x', 1000000) from generate_series(1, 7)"));
                assertThat(wire.isClosedWhileSending(WireClient.typed('H', new byte[0])))
                        .isTrue();
            }
            try (WireClient again = signedIn(hasty.port())) {
                assertThat(WireClient.types(again.query("select 1"))).isEqualTo("TDCZ");
            }
        }
    }

    @Test
    void aStatementIsCancelledByTheKeyOfItsSessionOnly() throws IOException {
        try (WireClient wire = stranger("127.0.0.1")) {
            byte[] key = wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN).stream()
                    .filter(message -> message.type() == 'K')
                    .findFirst()
                    .orElseThrow()
                    .content();
            int process = ByteBuffer.wrap(key).getInt();
            int secret = ByteBuffer.wrap(key).getInt(4);
            wire.send(out -> out.query("select pg_sleep(20)"));
            cancel("127.0.0.69", process, secret + 1);
            cancelUntilItAnswers(wire, process, secret);
            assertThat(WireClient.error(wire.untilReady())).contains("C57014|").contains("user request");
            wire.statement("select pg_sleep(20)");
            wire.send(ClientMessages::sync);
            cancelUntilItAnswers(wire, process, secret);
            assertThat(WireClient.error(wire.untilReady())).contains("C57014|").contains("user request");
            assertThat(WireClient.types(wire.query("select 1"))).isEqualTo("TDCZ");
        }
    }

    /** Again and again: a cancellation that comes before its statement stops nothing. */
    private void cancelUntilItAnswers(WireClient wire, int process, int secret) throws IOException {
        while (!wire.hasAnswer()) {
            cancel("127.0.0.1", process, secret);
        }
    }

    private void cancel(String from, int process, int secret) throws IOException {
        try (WireClient other = stranger(from)) {
            other.send(out -> out.cancelRequest(process, secret));
            assertThat(other.isClosed()).isTrue();
        }
    }

    @Test
    void aCancellationBetweenStatementsEndsNoTransaction() throws IOException {
        try (WireClient wire = stranger("127.0.0.1")) {
            byte[] key = wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN).stream()
                    .filter(message -> message.type() == 'K')
                    .findFirst()
                    .orElseThrow()
                    .content();
            wire.query("begin");
            wire.query("create table kept (id int)");
            cancel(
                    "127.0.0.1",
                    ByteBuffer.wrap(key).getInt(),
                    ByteBuffer.wrap(key).getInt(4));
            assertThat(WireClient.types(wire.query("insert into kept values (1)")))
                    .isEqualTo("CZ");
            assertThat(WireClient.types(wire.query("commit"))).isEqualTo("CZ");
        }
    }

    @Test
    void aClientThatLeavesTakesItsTransactionWithIt() throws IOException {
        try (WireClient wire = signedIn()) {
            wire.query("create table t (id int)");
            wire.query("begin");
            wire.query("insert into t values (1)");
        }
        try (WireClient wire = signedIn()) {
            assertThat(wire.query("lock table t; select count(*) from t").get(2).text())
                    .endsWith("0");
        }
    }
}
