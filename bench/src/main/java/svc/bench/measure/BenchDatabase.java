package svc.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import svc.e2e.platform.Platform;

/**
 * The PostgreSQL of a platform under test, past all of its layers: for peers that run beside it on the same data.
 *
 * @param server its first process, of which all others are children
 */
public record BenchDatabase(ProcessHandle server, String port, String password) {
    private static final String DATABASE = "svc";
    private static final String SUPERUSER = "svc_operator";
    private static final int PORT_LINE = 3;
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    public static BenchDatabase of(Platform platform) throws IOException {
        Path folder = platform.data().resolve("postgres");
        List<String> lines = Files.readAllLines(folder.resolve("data/postmaster.pid"));
        long pid = Long.parseLong(lines.getFirst().strip());
        return new BenchDatabase(
                ProcessHandle.of(pid).orElseThrow(),
                lines.get(PORT_LINE).strip(),
                Files.readString(folder.resolve("operator.password")).strip());
    }

    /**
     * Makes a login for a peer that takes the role of the project's anonymous callers, and that may read the catalogs,
     * which the platform closes and a peer has to read.
     *
     * @return the address with which it connects
     */
    public String addPeer(String login, String schema) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("""
                    CREATE ROLE %1$s LOGIN NOINHERIT PASSWORD '%1$s' IN ROLE %2$s_anon;
                    GRANT USAGE ON SCHEMA information_schema TO %1$s;
                    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog, information_schema TO %1$s;
                    GRANT SELECT ON ALL TABLES IN SCHEMA pg_catalog, information_schema TO %1$s;
                    """.formatted(login, schema));
        }
        return "postgres://%1$s:%1$s@127.0.0.1:%2$s/%3$s".formatted(login, port, DATABASE);
    }

    /** Runs statements as the superuser. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The texts of one column. */
    public List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    /** A session of the superuser. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE, SUPERUSER, password);
    }

    /** Connections of projects' logins that are open now. */
    public int connectionsOfProjects() throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var count =
                        statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE usename LIKE 'proj\\_%'")) {
            count.next();
            return count.getInt(1);
        }
    }

    /** Runs a script with pgbench, prepared, a round trip for each statement. */
    public Measured pgbench(Tool pgbench, Path script, int connections, int seconds) throws IOException {
        String output = pgbench.run(
                Map.of("PGPASSWORD", password),
                List.of(
                        "-n",
                        "--protocol=prepared",
                        "--client=" + connections,
                        "--jobs=2",
                        "--time=" + seconds,
                        "--file=" + script,
                        "--host=127.0.0.1",
                        "--port=" + port,
                        "--username=" + SUPERUSER,
                        DATABASE));
        Matcher rate = RATE.matcher(output);
        if (!rate.find()) {
            throw new IOException("pgbench said something else: " + output);
        }
        return new Measured(Double.parseDouble(rate.group(1)), 0);
    }
}
