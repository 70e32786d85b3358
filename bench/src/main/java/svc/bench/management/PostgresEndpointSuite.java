package svc.bench.management;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.bench.measure.Figure;
import svc.bench.measure.Samples;
import svc.bench.measure.Suite;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/**
 * The PostgreSQL endpoint against a direct connection to the same server, as the same role: a row by its key, by pgjdbc, in turns. By
 * itself, and inside of a transaction.
 */
public final class PostgresEndpointSuite implements Suite {
    private static final int WARM_UP = 40;

    /** With both kinds and the warm-up below the statements that a project sends without a wait. */
    private static final int RUNS = 200;

    private static final double LIMIT = 1.5;
    private static final String PEER = "direct connection";

    @Override
    public String name() {
        return "endpoint";
    }

    @Override
    public List<Figure> run() throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        try (Platform platform =
                Platform.start(PlatformCommand.onFreePorts(data).with("-Dsvc.api.postgres.port=0"))) {
            var project = platform.controlPlane().create("endpoint");
            String ref = project.get("ref").asText();
            platform.controlPlane()
                    .query(
                            ref,
                            "create table todos (id int primary key, title text);"
                                    + " insert into todos select i, 'todo ' || i from generate_series(1, 1000) i")
                    .expect(201);
            try (Connection endpoint = endpoint(platform, ref);
                    Connection direct = direct(data, project.get("schema").asText())) {
                List<Figure> figures = new ArrayList<>();
                figures.add(compare(endpoint, direct, true, "PostgreSQL endpoint, a row by its key, p50"));
                figures.add(compare(
                        endpoint, direct, false, "PostgreSQL endpoint, a row by its key in a transaction, p50"));
                return figures;
            }
        } finally {
            Folders.deleteRecursively(data);
        }
    }

    private static Connection endpoint(Platform platform, String ref) throws SQLException {
        URI address = URI.create(platform.connection().postgresUrl().replace("{ref}", ref));
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + address.getPort() + "/postgres?sslmode=disable",
                address.getUserInfo(),
                platform.connection().token());
    }

    private static Connection direct(Path data, String schema) throws Exception {
        Path postgres = data.resolve("postgres");
        String port = Files.readAllLines(postgres.resolve("data/postmaster.pid"))
                .get(3)
                .strip();
        Connection connection = DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/svc?sslmode=disable",
                "svc_operator",
                Files.readString(postgres.resolve("operator.password")).strip());
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION AUTHORIZATION " + schema + "_owner; SET search_path = " + schema
                    + ", svc_views, pg_catalog, extensions");
        }
        return connection;
    }

    private static Figure compare(Connection endpoint, Connection direct, boolean alone, String figure)
            throws SQLException {
        endpoint.setAutoCommit(alone);
        direct.setAutoCommit(alone);
        var ours = new ArrayList<Duration>();
        var theirs = new ArrayList<Duration>();
        for (int run = 0; run < WARM_UP + RUNS; run++) {
            Duration here = read(endpoint, run);
            Duration there = read(direct, run);
            if (run >= WARM_UP) {
                ours.add(here);
                theirs.add(there);
            }
        }
        if (!alone) {
            endpoint.commit();
            direct.commit();
        }
        return Figure.costAgainstPeer(
                figure,
                Samples.of(ours).median(),
                "ms",
                PEER,
                Samples.of(theirs).median(),
                LIMIT);
    }

    private static Duration read(Connection connection, int run) throws SQLException {
        long begin = System.nanoTime();
        try (PreparedStatement select = connection.prepareStatement("select title from todos where id = ?")) {
            select.setInt(1, 1 + run);
            try (ResultSet rows = select.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("the row " + run + " is missing");
                }
            }
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
