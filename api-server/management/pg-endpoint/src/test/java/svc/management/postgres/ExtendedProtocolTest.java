package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;

/** Batches of the extended query protocol, as drivers other than pgjdbc send them: what PostgreSQL does, message by message. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ExtendedProtocolTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    PostgresEndpoint endpoint;

    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "batches");
    }

    private WireClient connect() throws IOException {
        var wire = new WireClient(endpoint.port(), "127.0.0.1");
        assertThat(WireClient.types(wire.signIn("postgres." + project.ref(), TestingPlatform.ADMIN)))
                .endsWith("KZ");
        return wire;
    }

    private static String count(WireClient wire) throws IOException {
        // The text of a row: the number of its values, the length of the first one, and it.
        String row = wire.query("select count(*) from t").get(1).text();
        return row.substring(row.length() - 1);
    }

    @Test
    void nothingRunsBehindAResultThatWasCut() throws IOException {
        try (WireClient wire = connect()) {
            wire.query("create table t (id int)");
            wire.statement("insert into t values (1)");
            wire.statement("select generate_series(1, 10001)");
            wire.statement("insert into t values (2)");
            List<WireClient.Message> answer = wire.sync();
            assertThat(WireClient.types(answer)).endsWith("DEZ");
            assertThat(WireClient.error(answer)).contains("C54000|");
            assertThat(count(wire)).isEqualTo("0");
        }
    }

    @Test
    void aQueryEndsTheTransactionOfTheBatchInFrontOfIt() throws IOException {
        try (WireClient wire = connect();
                WireClient other = connect()) {
            wire.query("create table t (id int)");
            wire.statement("insert into t values (1)");
            assertThat(WireClient.types(wire.query("insert into t values (2)"))).isEqualTo("12nCCZ");
            assertThat(count(other)).isEqualTo("2");
        }
    }

    @Test
    void aQueryBehindAnErrorIsIgnoredUpToTheSync() throws IOException {
        try (WireClient wire = connect()) {
            wire.query("create table t (id int)");
            wire.statement("select nope");
            wire.send(out -> out.query("insert into t values (1)"));
            assertThat(WireClient.types(wire.sync())).isEqualTo("12EZ");
            assertThat(count(wire)).isEqualTo("0");
        }
    }

    @Test
    void aStatementIsDescribedInsideOfItsTransaction() throws IOException {
        try (WireClient wire = connect()) {
            wire.query("begin");
            wire.query("create table t (id int)");
            wire.send(out -> {
                out.parse("s", "select id from t where id = $1");
                out.describeStatement("s");
            });
            assertThat(WireClient.types(wire.sync())).isEqualTo("1tTZ");
            assertThat(WireClient.types(wire.query("rollback"))).isEqualTo("CZ");
        }
    }

    @Test
    void rowsComeInTheFormatsAskedForAndAWrongNumberOfThemRunsNothing() throws IOException {
        try (WireClient wire = connect()) {
            wire.query("create table t (id int, range int4range)");
            String insert = "insert into t values (1, '[1,2)') returning range";
            wire.send(out -> out.parse("", insert));
            wire.sendRaw(WireClient.bind("", List.of(), List.of(1)));
            wire.sendRaw(WireClient.execute("", 0));
            // PostgreSQL writes a type that this service has never heard of.
            assertThat(WireClient.types(wire.sync())).isEqualTo("12DCZ");

            wire.send(out -> out.parse("", insert));
            wire.sendRaw(WireClient.bind("", List.of(), List.of(0, 0)));
            wire.sendRaw(WireClient.typed('D', new byte[] {'P', 0}));
            wire.sendRaw(WireClient.execute("", 0));
            List<WireClient.Message> formats = wire.sync();
            assertThat(WireClient.types(formats)).isEqualTo("12EZ");
            assertThat(WireClient.error(formats)).contains("C08P01|");
            assertThat(count(wire)).isEqualTo("1");
        }
    }

    @Test
    void aClientOfANewerMinorVersionIsAnsweredWithThree() throws IOException {
        byte[] user = ("user\0postgres." + project.ref() + "\0\0").getBytes(StandardCharsets.UTF_8);
        try (var wire = new WireClient(endpoint.port(), "127.0.0.1")) {
            wire.sendRaw(ByteBuffer.allocate(8 + user.length)
                    .putInt(8 + user.length)
                    .putInt((3 << 16) | 2)
                    .put(user)
                    .array());
            WireClient.Message first = wire.next();
            assertThat(first.type()).isEqualTo('v');
            assertThat(ByteBuffer.wrap(first.content()).getInt()).isEqualTo(3 << 16);
            assertThat(wire.next().type()).isEqualTo('R');
        }
    }
}
