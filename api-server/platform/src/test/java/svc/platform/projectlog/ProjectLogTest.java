package svc.platform.projectlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What waits in a process is bounded, and a project cannot take its neighbour's places. */
class ProjectLogTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2030-01-01T00:00:00Z"), ZoneOffset.UTC);

    private final UUID noisy = UUID.randomUUID();
    private final UUID neighbour = UUID.randomUUID();
    private final AtomicLong nanos = new AtomicLong();

    private ProjectLog log(int queue, int projectQueue, int rate, int burst) {
        return ProjectLog.of(new LogLimits(queue, projectQueue, rate, burst), CLOCK, nanos::get);
    }

    private static void add(ProjectLog log, UUID project, String message) {
        log.add(project, LogSource.FUNCTION, LogSeverity.INFO, Optional.empty(), message, Map.of());
    }

    private static List<ProjectLine> take(ProjectLog log) throws InterruptedException {
        return log.take(1_000, Duration.ZERO);
    }

    @Test
    void aFloodLosesItsOwnLinesAndSaysHowMany() throws Exception {
        ProjectLog log = log(100, 10, 1_000, 1_000);
        for (int i = 0; i < 50; i++) {
            add(log, noisy, "noise " + i);
        }
        add(log, neighbour, "quiet");

        List<ProjectLine> lines = take(log);

        assertThat(lines).hasSize(12);
        assertThat(lines).filteredOn(line -> line.projectId().equals(neighbour)).hasSize(1);
        assertThat(lines.getLast().message()).isEqualTo("40 lines lost");
        assertThat(lines.getLast().projectId()).isEqualTo(noisy);
        assertThat(lines.getLast().source()).isEqualTo(LogSource.FUNCTION);
        assertThat(take(log)).isEmpty();
    }

    @Test
    void longLinesTakeMorePlaces() throws Exception {
        ProjectLog log = log(24, 16, 1_000, 1_000);
        for (int i = 0; i < 10; i++) {
            add(log, noisy, "x".repeat(ProjectLine.MAX_MESSAGE));
        }
        for (int i = 0; i < 8; i++) {
            add(log, neighbour, "quiet");
        }

        List<ProjectLine> lines = take(log);

        assertThat(lines).filteredOn(line -> line.message().startsWith("x")).hasSize(1);
        assertThat(lines).filteredOn(line -> line.projectId().equals(neighbour)).hasSize(8);
        assertThat(lines.getLast().message()).isEqualTo("9 lines lost");
    }

    @Test
    void aLineThatIsNotMadeForWantOfAPlaceIsCounted() throws Exception {
        ProjectLog log = log(100, 1, 1_000, 1_000);
        assertThat(log.hasPlace(noisy, LogSource.EDGE)).isTrue();
        add(log, noisy, "one");
        assertThat(log.hasPlace(noisy, LogSource.EDGE)).isFalse();
        assertThat(log.hasPlace(neighbour, LogSource.EDGE)).isTrue();

        assertThat(take(log)).extracting(ProjectLine::message).containsExactly("one", "1 lines lost");
    }

    @Test
    void aBatchEndsAtItsPlaces() throws Exception {
        ProjectLog log = log(100, 100, 1_000, 1_000);
        for (int i = 0; i < 5; i++) {
            add(log, noisy, "x".repeat(4_096));
        }

        assertThat(log.take(10, Duration.ZERO)).hasSize(2);
        assertThat(log.take(10, Duration.ZERO)).hasSize(2);
        assertThat(log.take(10, Duration.ZERO)).hasSize(1);
    }

    @Test
    void aRateHoldsOverTime() throws Exception {
        ProjectLog log = log(1_000, 1_000, 10, 5);
        for (int i = 0; i < 20; i++) {
            add(log, noisy, "noise");
        }
        assertThat(take(log)).extracting(ProjectLine::message).hasSize(6).endsWith("15 lines lost");

        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(300));
        for (int i = 0; i < 20; i++) {
            add(log, noisy, "noise");
        }

        assertThat(take(log)).extracting(ProjectLine::message).hasSize(4).endsWith("17 lines lost");
    }

    @Test
    void theQueueOfTheProcessIsBounded() throws Exception {
        ProjectLog log = log(8, 100, 1_000, 1_000);
        for (int i = 0; i < 20; i++) {
            add(log, UUID.randomUUID(), "one of many projects");
        }

        assertThat(take(log))
                .filteredOn(line -> line.message().equals("1 lines lost"))
                .hasSize(12);
    }

    @Test
    void linesThatCouldNotBeSentAreCounted() throws Exception {
        ProjectLog log = log(100, 100, 1_000, 1_000);
        add(log, noisy, "one");
        add(log, noisy, "two");
        log.lost(take(log));

        assertThat(take(log)).extracting(ProjectLine::message).containsExactly("2 lines lost");
    }
}
