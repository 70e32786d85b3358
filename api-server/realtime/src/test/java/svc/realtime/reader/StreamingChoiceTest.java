package svc.realtime.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import svc.postgres.replication.Streaming;

/** Streams have unfinished transactions, except for a while after one that must be read whole. */
class StreamingChoiceTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long SHORT = 32L << 20;

    private final StreamingChoice choice = new StreamingChoice();

    @Test
    void unfinishedTransactionsAreReadAtFirst() {
        assertThat(choice.streaming()).isEqualTo(Streaming.ON);
        assertThat(choice.isOver(0, 0)).isFalse();
    }

    @Test
    void transactionsAreReadWholeForAWhileAndUntilLittleLogIsKept() {
        choice.readWhole(7);
        assertThat(choice.streaming()).isEqualTo(Streaming.OFF);
        assertThat(choice.isOver(7 + MINUTE, 0)).isFalse();
        assertThat(choice.isOver(8 + MINUTE, SHORT + 1)).isFalse();
        assertThat(choice.isOver(8 + MINUTE, SHORT)).isTrue();
        choice.resume();
        assertThat(choice.streaming()).isEqualTo(Streaming.ON);
        assertThat(choice.isOver(8 + MINUTE, SHORT)).isFalse();
    }
}
