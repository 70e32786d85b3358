package svc.e2e.running;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import svc.e2e.platform.Platform;

/** A look into the PostgreSQL of a running platform, past all of its layers, as its superuser. */
public final class ServerDatabase implements AutoCloseable {
    /** The line of {@code postmaster.pid} that holds the port. */
    private static final int PORT_LINE = 3;

    private final String port;
    private final String password;
    private final Connection connection;

    private ServerDatabase(String port, String password) throws SQLException {
        this.port = port;
        this.password = password;
        this.connection = connection("svc");
    }

    public static ServerDatabase of(Platform platform) throws IOException, SQLException {
        Path folder = platform.data().resolve("postgres");
        String port = Files.readAllLines(folder.resolve("data/postmaster.pid"))
                .get(PORT_LINE)
                .strip();
        String password = Files.readString(folder.resolve("operator.password")).strip();
        return new ServerDatabase(port, password);
    }

    /** Where the server listens, on the loopback interface. */
    public String port() {
        return port;
    }

    /** Makes another database on the server, and runs a script in it. */
    public void create(String database, String script) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
        }
        try (Connection made = connection(database);
                var statement = made.createStatement()) {
            statement.execute(script);
        }
    }

    /**
     * Copies the server's files while it works, as PostgreSQL's manual tells for backups without its tools: the write-ahead
     * log comes last, and reaches to the end of the backup.
     *
     * @param target must not be there yet; afterwards a server can start on it
     */
    public void baseBackup(Path target) throws SQLException, IOException {
        try (Connection session = connection("svc");
                var statement = session.createStatement()) {
            statement.execute("SELECT pg_backup_start('test', true)");
            String data;
            try (var row = statement.executeQuery("SELECT current_setting('data_directory')")) {
                row.next();
                data = row.getString(1);
            }
            // Files that go away meanwhile are none that the backup needs: the log makes up for them.
            Program.run(List.of("cp", "-a", data, target.toString()), Map.of());
            try (var row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                Files.writeString(target.resolve("backup_label"), row.getString(1));
            }
            var log = List.of(
                    "cp", "-a", data + "/pg_wal/.", target.resolve("pg_wal").toString());
            Program.run(log, Map.of()).succeeded(log);
            Files.deleteIfExists(target.resolve("postmaster.pid"));
        }
    }

    private Connection connection(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/" + database, "svc_operator", password);
    }

    /** The schemas whose names start like this. */
    public Set<String> schemas(String start) throws SQLException {
        return names("SELECT nspname FROM pg_catalog.pg_namespace WHERE starts_with(nspname, ?)", start);
    }

    /** The roles whose names start like this. */
    public Set<String> roles(String start) throws SQLException {
        return names("SELECT rolname FROM pg_catalog.pg_roles WHERE starts_with(rolname, ?)", start);
    }

    /**
     * The texts that a query with one parameter answers, in their order.
     *
     * @param preparation a script that runs before it in the same session
     */
    public List<String> texts(String preparation, String query, String parameter) throws SQLException {
        try (var prepared = connection.createStatement()) {
            prepared.execute(preparation);
        }
        try (var statement = connection.prepareStatement(query)) {
            statement.setString(1, parameter);
            var texts = new ArrayList<String>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
            return texts;
        }
    }

    private Set<String> names(String query, String start) throws SQLException {
        try (var statement = connection.prepareStatement(query)) {
            statement.setString(1, start);
            var names = new TreeSet<String>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
            return names;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
