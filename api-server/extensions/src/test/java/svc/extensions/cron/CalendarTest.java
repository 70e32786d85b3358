package svc.extensions.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.testing.TestingProjects;

/** What the database makes of a schedule gives the times that crontab(5) and pg_cron promise. */
class CalendarTest {
    private static TestingProjects database;

    @BeforeAll
    static void start() {
        database = TestingProjects.create();
    }

    @AfterAll
    static void forget() {
        database = null;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *       | 2026-11-28T10:15:30Z | 2026-11-28T10:16:00Z",
                "* * * * *       | 2026-11-28T10:15:00Z | 2026-11-28T10:16:00Z",
                "*/20 * * * *    | 2026-11-28T23:40:00Z | 2026-11-29T00:00:00Z",
                "30 3 * * *      | 2026-11-28T03:29:59Z | 2026-11-28T03:30:00Z",
                "30 3 * * *      | 2026-11-28T03:30:00Z | 2026-11-29T03:30:00Z",
                "0 9-17/4 * * mon-fri | 2026-11-27T17:00:00Z | 2026-11-30T09:00:00Z",
                "0 0 29 2 *      | 2026-11-28T00:00:00Z | 2028-02-29T00:00:00Z",
                "0 0 29 2 *      | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z",
                "0 12 $ * *      | 2027-02-01T00:00:00Z | 2027-02-28T12:00:00Z",
                "0 12 $ * *      | 2026-12-31T12:00:00Z | 2027-01-31T12:00:00Z",
                "0 0 13 * fri    | 2026-11-28T00:00:00Z | 2026-12-04T00:00:00Z",
                "0 0 13 * *      | 2026-11-28T00:00:00Z | 2026-12-13T00:00:00Z",
                "0 0 */2 * sun   | 2026-11-28T00:00:00Z | 2026-11-29T00:00:00Z",
                "0 0 1 jan *     | 2026-11-28T00:00:00Z | 2027-01-01T00:00:00Z",
                "@weekly         | 2026-11-28T00:00:00Z | 2026-11-29T00:00:00Z",
                "0 0 * * 7       | 2026-11-28T00:00:00Z | 2026-11-29T00:00:00Z",
                "30 seconds      | 2026-11-28T10:15:50Z | 2026-11-28T10:16:20Z",
            })
    void theNextTime(String schedule, Instant from, Instant next) {
        assertThat(calendar(schedule).next(from)).contains(next);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 31 2 *", "0 0 30 feb *", "0 0 31 apr,jun *"})
    void aDateThatDoesNotExistNeverComes(String schedule) {
        assertThat(calendar(schedule).next(Instant.parse("2026-11-28T00:00:00Z")))
                .isEqualTo(Optional.empty());
    }

    private static Calendar calendar(String schedule) {
        String values = database.ask("SELECT array_to_string(svc_cron.calendar('" + schedule + "'), ',')");
        List<Long> bits = Stream.of(values.split(",")).map(Long::valueOf).toList();
        return Calendar.of(bits);
    }
}
