package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.postgres.wire.ClientMessages;
import svc.server.testing.TestingPlatform;

/** What a client that has signed in may make the PostgreSQL endpoint keep, and do to the statements of others. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class HostileClientTest extends TestBesideNeighbour {
    private static final String SESSION_ENDED = "the session has ended";

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
                error = bound(wire, "p" + i);
            }
            // Either there is no room for the portal, or none for the message that brings it, which ends the session.
            assertThat(error).containsAnyOf("C53000|", "C53200|", SESSION_ENDED);
        }
        try (WireClient wire = signedIn()) {
            wire.send(out -> out.parse("", "select $1::text"));
            wire.sendRaw(WireClient.bind("again", "x".repeat(500_000)));
            assertThat(WireClient.types(wire.sync())).isEqualTo("12Z");
        }
    }

    /** The error of a large Bind. A session that ends while the message is on its way takes its error with it. */
    private static String bound(WireClient wire, String portal) throws IOException {
        try {
            wire.sendRaw(WireClient.bind(portal, "x".repeat(500_000)));
            return WireClient.error(wire.sync());
        } catch (SocketException ended) {
            return SESSION_ENDED;
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
