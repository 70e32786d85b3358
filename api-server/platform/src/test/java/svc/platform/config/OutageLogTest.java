package svc.platform.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OutageLogTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
    private final OutageLog log = new OutageLog(clock);

    @Test
    void aCauseIsLoggedOnceInAWhileWithTheNumberOfSuppressedLines() {
        assertThat(log.line("08001", "refused")).hasValue("refused");
        assertThat(log.line("08001", "refused")).isEmpty();
        assertThat(log.line("08001", "refused")).isEmpty();
        now.set(now.get().plus(Duration.ofSeconds(5)));

        assertThat(log.line("08001", "refused")).hasValue("refused (and 2 more since the last line)");
    }

    @Test
    void eachCauseIsLoggedByItself() {
        assertThat(log.line("08001", "refused")).isPresent();
        assertThat(log.line("28P01", "wrong password")).isPresent();
    }

    @Test
    void aTextOfManyLinesBecomesOne() {
        assertThat(log.line("a", "first\n  second\r\n")).hasValue("first second");
    }

    @Test
    void moreCausesThanCanBeKeptShareOne() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(log.line("cause " + i, "x")).isPresent();
        }
        assertThat(log.line("cause 1000", "x")).isPresent();
        assertThat(log.line("cause 1001", "x")).isEmpty();
        assertThat(log.line("cause 5", "x")).isEmpty();
    }
}
