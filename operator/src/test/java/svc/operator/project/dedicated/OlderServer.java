package svc.operator.project.dedicated;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import svc.embedded.postgres.EmbeddedPostgres;

/**
 * A PostgreSQL server that says it is version 15: in front of a newer one, in whose answers the version is written over by one
 * of the same length.
 */
final class OlderServer implements AutoCloseable {
    private static final int BUFFER = 16_384;

    private final ServerSocket socket;
    private final EmbeddedPostgres server;
    private final Map<String, String> said;

    private OlderServer(EmbeddedPostgres server, ServerSocket socket) throws SQLException {
        this.server = server;
        this.socket = socket;
        String number = setting("server_version_num");
        String version = setting("server_version");
        this.said = Map.of(number, "15" + number.substring(2), version, "15" + version.substring(2));
        Thread.ofVirtual().start(this::accept);
    }

    static OlderServer before(EmbeddedPostgres server) throws IOException, SQLException {
        return new OlderServer(server, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private String setting(String name) throws SQLException {
        try (Connection connection = server.connect("postgres");
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT current_setting('" + name + "')")) {
            row.next();
            return row.getString(1);
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Thread.ofVirtual().start(() -> pump(client, behind, Map.of()));
                Thread.ofVirtual().start(() -> pump(behind, client, said));
            } catch (IOException e) {
                // Closed, or a client that went away again.
            }
        }
    }

    private static void pump(Socket from, Socket to, Map<String, String> replaced) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] bytes = new byte[BUFFER];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                String text = new String(bytes, 0, read, StandardCharsets.ISO_8859_1);
                for (var one : replaced.entrySet()) {
                    text = text.replace(one.getKey(), one.getValue());
                }
                out.write(text.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        } catch (IOException e) {
            // One side has hung up; so does the other.
        }
    }
}
