package svc.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgConnection;
import svc.database.name.DatabaseRole;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.Login;
import svc.postgres.SqlError;
import svc.testing.LoopbackServers;
import svc.testing.TestingProjects;

/** Servers that a tenant chose and that never stop sending what the driver keeps. */
class EndlessServerTest {
    private static final byte[] AUTHENTICATED = {'R', 0, 0, 0, 8, 0, 0, 0, 0};
    private static final byte[] READY = {'Z', 0, 0, 0, 5, 'I'};

    /** Far more than the driver may receive; some of it lies in the sockets' buffers. */
    private static final long TOO_MUCH = 64L << 20;

    private final AtomicLong sent = new AtomicLong();

    private static Login login(ServerSocket server) {
        return new Login(
                LoopbackServers.allowed("jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/x"),
                "x",
                () -> "x",
                Server.CHOSEN_BY_TENANT);
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    private interface Flood {
        void send(Socket client, OutputStream out) throws IOException;
    }

    private void serve(ServerSocket server, Flood flood) {
        Thread.ofVirtual().start(() -> {
            try (Socket client = server.accept()) {
                OutputStream out = client.getOutputStream();
                client.getInputStream().read(new byte[4096]);
                out.write(AUTHENTICATED);
                flood.send(client, out);
            } catch (IOException e) {
                // The driver has left.
            }
        });
    }

    private void endlessly(OutputStream out, byte[] message) throws IOException {
        var many = new ByteArrayOutputStream();
        while (many.size() < 1 << 16) {
            many.write(message);
        }
        while (sent.get() < TOO_MUCH) {
            out.write(many.toByteArray());
            sent.addAndGet(many.size());
        }
    }

    private static byte[] message(char type, byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeByte(type);
        out.writeInt(4 + content.length);
        out.write(content);
        return bytes.toByteArray();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] notification() throws IOException {
        return message('A', text("\0\0\0\1c\0p\0"));
    }

    /** The limits leave room for what is asked. */
    @Test
    void anAnswerMayBeLongAndNotEndless() throws Exception {
        TestingProjects projects = TestingProjects.create();
        Tenant tenant = projects.project("endless1");
        var login = new Login(
                LoopbackServers.allowed(tenant.database().jdbcUrl()),
                tenant.names().role(DatabaseRole.SERVICE).name(),
                () -> projects.password(tenant, DatabaseRole.SERVICE),
                Server.CHOSEN_BY_TENANT);
        try (PgConnection connection = login.open();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 3; i++) {
                try (ResultSet row = statement.executeQuery("SELECT repeat('x', 8000000)")) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getString(1)).hasSize(8_000_000);
                }
            }
            assertThatThrownBy(() -> statement.executeQuery("SELECT repeat('x', 20000000)"))
                    .isInstanceOf(SQLException.class);
            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aLoginThatReportsParametersWithoutEndIsGivenUp() throws Exception {
        try (ServerSocket server = listen()) {
            serve(server, (client, out) -> {
                for (int i = 0; sent.get() < TOO_MUCH; i++) {
                    byte[] parameter = message('S', text("p" + i + "\0v\0"));
                    out.write(parameter);
                    sent.addAndGet(parameter.length);
                }
            });
            assertThatThrownBy(() -> login(server).open())
                    .isInstanceOfSatisfying(
                            SqlError.class,
                            error -> assertThat(error.connectionLost()).isTrue());
            assertThat(sent.get()).isPositive().isLessThan(TOO_MUCH);
        }
    }

    @Test
    void anAnswerWithNotificationsWithoutEndIsGivenUp() throws Exception {
        try (ServerSocket server = listen()) {
            serve(server, (client, out) -> {
                for (String parameter : new String[] {
                    "client_encoding\0UTF8\0",
                    "DateStyle\0ISO\0",
                    "server_version\00018.0\0",
                    "standard_conforming_strings\0on\0",
                    "integer_datetimes\0on\0"
                }) {
                    out.write(message('S', text(parameter)));
                }
                out.write(READY);
                client.getInputStream().read(new byte[4096]);
                endlessly(out, notification());
            });
            try (PgConnection connection = login(server).open(Duration.ofSeconds(20))) {
                assertThatThrownBy(() -> connection.createStatement().execute("SELECT 1"))
                        .isInstanceOf(SQLException.class);
            } catch (SqlError refused) {
                // The driver asks by itself after some logins.
                assertThat(refused.connectionLost()).isTrue();
            }
            assertThat(sent.get()).isPositive().isLessThan(TOO_MUCH);
        }
    }
}
