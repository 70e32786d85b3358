package svc.postgres.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.core.PGStream;
import org.postgresql.core.QueryExecutorBase;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.DriverInfo;
import svc.database.name.DatabaseRole;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.postgres.Login;
import svc.postgres.TenantLogin;
import svc.testing.TestingProjects;

/**
 * What {@link WireLoops} relies on in pgjdbc beyond its interface. A failure here after an update of the driver says what
 * changed in it; the version in pom.xml's BOM may be raised only when all of this holds again.
 */
class DriverContractTest {
    private static final String DRIVER = "pgjdbc " + DriverInfo.DRIVER_VERSION;

    private static TestingProjects projects;
    private static Login login;

    @BeforeAll
    static void createDatabase() {
        projects = TestingProjects.create();
        Tenant tenant = projects.project("driver01");
        login = TenantLogin.of(tenant, DatabaseRole.API).login(projects.roots());
    }

    @Test
    void theStreamIsInAFieldOfTheQueryExecutor() {
        Field stream;
        try {
            stream = QueryExecutorBase.class.getDeclaredField(WireLoops.STREAM);
        } catch (NoSuchFieldException e) {
            fail(
                    "%s has no field QueryExecutorBase.%s: WireLoops takes a session's socket from it. Its fields are %s",
                    DRIVER, WireLoops.STREAM, List.of(QueryExecutorBase.class.getDeclaredFields()));
            return;
        }
        assertThat(stream.getType()).as("%s: type of %s", DRIVER, stream).isEqualTo(PGStream.class);
        assertThat(Modifier.isStatic(stream.getModifiers()))
                .as("%s: %s is of one session", DRIVER, stream)
                .isFalse();
    }

    @Test
    void theStreamHasTheSessionsOwnSocketWithAChannel() throws SQLException {
        try (PgConnection connection = login.open()) {
            Socket socket = WireLoops.stream(connection).getSocket();
            assertThat(socket.isConnected()).as("%s: the socket", DRIVER).isTrue();
            assertThat(socket.getChannel())
                    .as("%s: the socket comes from ChannelSockets, see PGProperty.SOCKET_FACTORY", DRIVER)
                    .isNotNull();
            assertThat(projects.ask(
                            "SELECT client_port FROM pg_stat_activity WHERE pid = " + connection.getBackendPID()))
                    .as("%s: the stream is of this session", DRIVER)
                    .isEqualTo(Integer.toString(socket.getLocalPort()));
        }
    }

    @Test
    void theDriverHasReadEverythingWhenItHasLoggedIn() throws Exception {
        try (PgConnection connection = login.open()) {
            assertThat(WireLoops.stream(connection).hasMessagePending())
                    .as("%s: bytes left in its buffer would be lost to the event loop", DRIVER)
                    .isFalse();
        }
    }

    @Test
    void aSessionThatWasTakenOverAnswersAndIsCancelledByTheDriver() throws Exception {
        PgConnection connection = login.open();
        try (WireLoops loops = WireLoops.dedicated()) {
            Wire wire =
                    loops.take(connection, Login.RESULT_BYTES, new ByteBudget(Login.RESULT_BYTES).account("project"));
            var answers = new Answers();

            wire.exchange(statement("SELECT 41 + 1"), 1, answers);
            assertThat(answers.next())
                    .as("%s: an answer on a session taken over", DRIVER)
                    .isEqualTo("D 42");
            assertThat(answers.next()).isEqualTo("ready I");

            wire.exchange(statement("SELECT pg_sleep(600)"), 1, answers);
            // One that arrives before the statement has begun is without effect.
            while (answers.received.isEmpty()) {
                connection.cancelQuery();
                Thread.sleep(20);
            }
            assertThat(answers.next()).as("%s: a cancel by the driver", DRIVER).startsWith("E 57014");
            assertThat(answers.next()).isEqualTo("ready I");
            wire.close();
        }
    }

    private static ByteBuf statement(String sql) {
        ByteBuf written = Unpooled.buffer();
        var out = new ClientMessages(written);
        out.parse("", sql);
        out.bindAndExecute("", List.of());
        out.sync();
        return written;
    }

    private static final class Answers implements Conversation {
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            return received.poll(60, TimeUnit.SECONDS);
        }

        @Override
        public void message(char type, ByteBuf content) {
            switch (type) {
                case 'D' -> received.add("D " + new String(DataRow.read(content)[0], StandardCharsets.UTF_8));
                case 'E' -> received.add("E " + Wire.error(content).getSQLState());
                default -> {
                    // Confirmations.
                }
            }
        }

        @Override
        public void ready(char transaction) {
            received.add("ready " + transaction);
        }

        @Override
        public void unsent(SQLException why) {
            received.add("unsent " + why);
        }

        @Override
        public void broken(SQLException why) {
            received.add("broken " + why);
        }
    }
}
