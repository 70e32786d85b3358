package svc.management.log;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.management.log.LogsForTests.NOW;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lines are kept within bounds that one project cannot exceed at another's cost. */
class LogStoreTest {
    private static LogsForTests logs;

    private final UUID noisy = UUID.randomUUID();
    private final UUID neighbour = UUID.randomUUID();

    @BeforeAll
    static void start() {
        logs = new LogsForTests("project_logs");
    }

    @AfterAll
    static void stop() {
        logs.close();
    }

    private void add(UUID project, Instant at, String text) {
        assertThat(logs.storeAt(at).add(LogsForTests.message(project, at, 6, 3, text)))
                .containsExactly(project);
    }

    private List<String> messages(UUID project) {
        return logs.lines().newest(project, Instant.EPOCH, List.of(), 1_000).stream()
                .map(LogLines.Line::message)
                .toList();
    }

    @Test
    void aNoisyProjectLosesItsOldestLinesAndItsNeighbourNone() {
        for (int minute = 0; minute < 10; minute++) {
            Instant at = NOW.plus(Duration.ofMinutes(minute));
            add(noisy, at, "noise " + minute);
            add(noisy, at, "more noise " + minute);
        }
        add(neighbour, NOW.minus(Duration.ofDays(1)), "quiet");

        int deleted = logs.storeAt(NOW).trim(List.of(noisy, neighbour), 5, 1 << 20);

        assertThat(deleted).isEqualTo(16);
        assertThat(messages(noisy)).containsExactly("noise 8", "more noise 8", "noise 9", "more noise 9");
        assertThat(messages(neighbour)).containsExactly("quiet");
        assertThat(logs.storeAt(NOW).trim(List.of(noisy, neighbour), 5, 1 << 20))
                .isZero();
    }

    @Test
    void bytesAreBoundedToo() {
        add(noisy, NOW, "x".repeat(5_000));
        add(noisy, NOW.plusSeconds(60), "small");

        logs.storeAt(NOW).trim(List.of(noisy), 1_000, 4_000);

        assertThat(messages(noisy)).containsExactly("small");
    }

    @Test
    void aLineOfAnotherTimeIsOfTheLastHour() {
        String future = LogsForTests.message(noisy, Instant.parse("2999-01-01T00:00:00Z"), 7, 1, "future");
        String past = LogsForTests.message(noisy, Instant.EPOCH, 7, 1, "past");
        LogStore store = logs.storeAt(NOW);
        store.add(future);
        store.add(past);

        assertThat(logs.lines().newest(noisy, Instant.EPOCH, List.of(), 10))
                .extracting(LogLines.Line::timestamp)
                .containsExactly(NOW.minus(Duration.ofHours(1)), NOW.plusSeconds(60));
    }

    @Test
    void linesAreReadInTheOrderInWhichTheyAreStored() {
        add(noisy, NOW, "one");
        long seen = logs.lines().last(noisy);
        add(noisy, NOW.minusSeconds(30), "late");
        add(neighbour, NOW, "of another");

        assertThat(logs.lines().after(noisy, seen, List.of()))
                .extracting(LogLines.Line::message)
                .containsExactly("late");
    }

    @Test
    void daysAreDroppedWhole() {
        Instant old = Instant.parse("2029-01-01T12:00:00Z");
        add(noisy, old, "old");
        add(neighbour, NOW, "new");

        logs.sql("SELECT svc_platform.maintain_project_log_partitions('" + NOW + "', 3, 2)");

        assertThat(messages(noisy)).isEmpty();
        assertThat(messages(neighbour)).containsExactly("new");
        assertThat(logs.sql("SELECT count(*) FROM svc_platform.project_log_other"))
                .isEqualTo("0");
        assertThat(logs.sql("SELECT to_regclass('svc_platform.project_log_2030_06_18')"))
                .isNotNull();
    }

    @Test
    void aPathOfAnyLengthIsStored() {
        String wide = "/" + "€😀".repeat(2_000);
        logs.storeAt(NOW).add(LogsForTests.request(noisy, NOW, 1, wide, 200, 10));

        assertThat(logs.sql("SELECT path FROM svc_platform.project_log WHERE project_id = '" + noisy + "'"))
                .isEqualTo(wide.substring(0, wide.offsetByCodePoints(0, 512)));
    }

    /** With lines of neighbours among them, and the statistics that VACUUM makes. */
    @Test
    void manyLinesAreCountedByHourInTheIndexWithoutSortingThem() {
        logs.sql(
                "INSERT INTO svc_platform.project_log (project_id, at, source, severity, status, duration_us, path)"
                        + " SELECT CASE i % 5 WHEN 0 THEN '" + noisy + "'::uuid ELSE '" + neighbour + "' END, '" + NOW
                        + "'::timestamptz - i * interval '1 s', 1, 1, 200, i, repeat('/path', 20) FROM generate_series(1, 40000) AS i");
        // Commits of the server of tests do not wait for the disk, and VACUUM sees what is on it.
        logs.sql("CHECKPOINT");
        logs.sql("VACUUM (ANALYZE) svc_platform.project_log");

        String plan = logs.sql(
                "EXPLAIN (FORMAT JSON) SELECT date_bin('1 hour', at, 'epoch') AS hour, path, count(*), avg(duration_us)"
                        + " FROM svc_platform.project_log WHERE project_id = '" + noisy + "' AND at >= '" + NOW
                        + "'::timestamptz - interval '1 day' AND (source = 1 OR status IS NOT NULL) GROUP BY hour, path ORDER BY hour");

        assertThat(plan).contains("\"Strategy\": \"Hashed\"", "Index Only Scan");
    }
}
