package svc.embedded.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.process.FreePort;
import svc.embedded.process.Orphan;

class PostgresKeepsItsDataTest {
    @TempDir
    Path folder;

    @Test
    void whatWasCommittedIsThereAfterAStopAndAfterTheServerWasKilled() throws Exception {
        var settings = EmbeddedPostgres.Settings.lasting(folder, FreePort.find());
        try (var server = EmbeddedPostgres.start(settings)) {
            execute(server, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)");
            assertThat(query(server, "SHOW fsync")).isEqualTo("on");
            assertThat(query(server, "SHOW synchronous_commit")).isEqualTo("on");
        }
        var killed = EmbeddedPostgres.start(settings);
        execute(killed, "INSERT INTO kept VALUES (2)");
        ProcessHandle process =
                ProcessHandle.of(killed.processId().orElseThrow()).orElseThrow();
        process.destroyForcibly();
        process.onExit().get(60, TimeUnit.SECONDS);
        try (var server = EmbeddedPostgres.start(settings)) {
            assertThat(query(server, "SELECT sum(n) FROM kept")).isEqualTo("3");
        }
    }

    @Test
    void aStartWaitsForTheLastProcessOfAKilledServer() throws Exception {
        var settings = EmbeddedPostgres.Settings.lasting(folder, FreePort.find());
        long killed = EmbeddedPostgres.start(settings).processId().orElseThrow();
        ProcessHandle server = ProcessHandle.of(killed).orElseThrow();
        ProcessHandle child = server.children()
                .filter(Orphan.runsWith("checkpointer"))
                .findFirst()
                .orElseThrow();
        signal("STOP", child);
        server.destroyForcibly();
        server.onExit().get(60, TimeUnit.SECONDS);

        var started = CompletableFuture.supplyAsync(() -> EmbeddedPostgres.start(settings));
        try {
            assertThatThrownBy(() -> started.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        } finally {
            signal("CONT", child);
        }

        started.get(4, TimeUnit.MINUTES).close();
    }

    @Test
    void aStartEndsAProcessOfAKilledServerThatIgnoresItsEnd() throws Exception {
        var settings = EmbeddedPostgres.Settings.lasting(folder, FreePort.find());
        var killed = EmbeddedPostgres.start(settings);
        execute(killed, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)");
        ProcessHandle server =
                ProcessHandle.of(killed.processId().orElseThrow()).orElseThrow();
        ProcessHandle child = deafChild(server);
        server.destroyForcibly();
        server.onExit().get(60, TimeUnit.SECONDS);

        try (var started = EmbeddedPostgres.start(settings)) {
            assertThat(child).matches(PostgresKeepsItsDataTest::hasEnded);
            assertThat(query(started, "SELECT n FROM kept")).isEqualTo("7");
        }
    }

    @Test
    void aServerStopsAlsoWithAProcessThatIgnoresItsCancellation() throws Exception {
        var settings = EmbeddedPostgres.Settings.lasting(folder, FreePort.find());
        var running = EmbeddedPostgres.start(settings);
        ProcessHandle child =
                deafChild(ProcessHandle.of(running.processId().orElseThrow()).orElseThrow());

        new PidFile(folder.resolve("data")).stopServer(Duration.ofSeconds(1));

        assertThat(running.processId()).isEmpty();
        assertThat(child).matches(PostgresKeepsItsDataTest::hasEnded);
    }

    /** A stopped process ignores all signals but one, as a function does that never looks for them. */
    private static ProcessHandle deafChild(ProcessHandle server) throws Exception {
        ProcessHandle child = server.children()
                .filter(Orphan.runsWith("checkpointer"))
                .findFirst()
                .orElseThrow();
        signal("STOP", child);
        return child;
    }

    /** The first process of this machine may leave an ended one in the list: such a one has no command line. */
    private static boolean hasEnded(ProcessHandle process) {
        return !Orphan.runsWith("postgres").test(process);
    }

    private static void signal(String name, ProcessHandle process) throws Exception {
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .start()
                .waitFor();
    }

    @Test
    void aSecondStartTakesOverFromAServerThatLostItsParent() throws Exception {
        var settings = EmbeddedPostgres.Settings.lasting(folder, FreePort.find());
        var orphan = EmbeddedPostgres.start(settings);
        execute(orphan, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)");
        try (var server = EmbeddedPostgres.start(settings)) {
            assertThat(orphan.processId()).isEmpty();
            assertThat(query(server, "SELECT n FROM kept")).isEqualTo("7");
        }
    }

    @Test
    void aServerOnAnyPortComesBackOnTheSameOne() {
        var settings = EmbeddedPostgres.Settings.lasting(folder, 0);
        int first;
        try (var server = EmbeddedPostgres.start(settings)) {
            first = server.port();
        }
        try (var server = EmbeddedPostgres.start(settings)) {
            assertThat(server.port()).isEqualTo(first);
        }
    }

    @Test
    void noOneEntersWithoutThePassword() {
        var server = EmbeddedPostgres.shared();
        assertThatThrownBy(() -> server.connect("postgres", EmbeddedPostgres.OPERATOR, "guess"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void aPortInUseIsSaidSo() throws Exception {
        int taken = EmbeddedPostgres.shared().port();
        assertThatThrownBy(() -> EmbeddedPostgres.start(EmbeddedPostgres.Settings.lasting(folder, taken)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Integer.toString(taken))
                .hasMessageContaining("Address already in use");
    }

    @Test
    void theFolderOfATestServerGoesWithIt() {
        var settings = EmbeddedPostgres.Settings.forTests();
        EmbeddedPostgres.start(settings).close();
        assertThat(Files.exists(settings.folder())).isFalse();
    }

    private static void execute(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = server.connect("postgres");
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = server.connect("postgres");
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
