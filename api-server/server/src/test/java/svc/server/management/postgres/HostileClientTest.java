package svc.server.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.management.postgres.PostgresEndpoint;
import svc.platform.tenancy.TenantDirectory;
import svc.server.management.query.TestingProject;
import svc.server.testing.TestingPlatform;

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
        WireClient wire = stranger("127.0.0.1");
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
                assertThat(wire.isClosed()).isTrue();
            }
        }
    }

    @Test
    void aStrangerWhoSendsAByteNowAndThenIsClosed() throws Exception {
        try (WireClient wire = stranger("127.0.0.1")) {
            wire.sendRaw(ints(8, SSL_REQUEST));
            assertThat(wire.socket().getInputStream().read()).isEqualTo('N');
            wire.sendRaw(new byte[] {0, 0});
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void anAddressHasFewConnectionsBeforeItSignsIn() throws IOException {
        List<WireClient> opened = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                WireClient wire = stranger(HOSTILE);
                opened.add(wire);
                wire.sendRaw(ints(8, SSL_REQUEST));
                assertThat(wire.socket().getInputStream().read()).isEqualTo('N');
            }
            try (WireClient more = stranger(HOSTILE)) {
                assertThat(more.isClosed()).isTrue();
            }
            signedIn().close();
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
            wire.send(out -> out.startup(java.util.Map.of("user", "postgres.x", "replication", "database")));
            assertThat(wire.next().text()).contains("C0A000|");
        }
        try (WireClient wire = stranger("127.0.0.1")) {
            wire.send(out -> out.startup(java.util.Map.of("user", "postgres.x", "options", "-c role=other")));
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
    void aReaderWhoTakesNothingIsClosed() throws Exception {
        try (WireClient wire = signedIn()) {
            wire.send(out -> out.query("select repeat('x', 1000000) from generate_series(1, 7)"));
            // More than the buffers of two sockets; nothing of it is read.
            java.util.concurrent.TimeUnit.SECONDS.sleep(4);
            assertThat(wire.isClosed()).isTrue();
        }
        try (WireClient again = signedIn()) {
            assertThat(WireClient.types(again.query("select 1"))).isEqualTo("TDCZ");
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
            try (WireClient other = stranger("127.0.0.69")) {
                other.send(out -> out.cancelRequest(process, secret + 1));
                assertThat(other.isClosed()).isTrue();
            }
            try (WireClient other = stranger("127.0.0.1")) {
                other.send(out -> out.cancelRequest(process, secret));
                assertThat(other.isClosed()).isTrue();
            }
            assertThat(WireClient.error(wire.untilReady())).contains("C57014|").contains("user request");
            assertThat(WireClient.types(wire.query("select 1"))).isEqualTo("TDCZ");
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
