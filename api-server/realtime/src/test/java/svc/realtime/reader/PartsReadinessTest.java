package svc.realtime.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import svc.postgres.replication.PartsState;

/** A stream of parts takes the place of one of all tables only where no transaction saw a table in one of them alone. */
class PartsReadinessTest {
    private final PartsReadiness readiness = new PartsReadiness();

    private void see(boolean complete, long oldest, long next, long position) {
        readiness.see(new PartsState(complete, oldest, next, position));
    }

    @Test
    void isReadyBehindTheTransactionsThatRanWhenThePartsBecameComplete() {
        see(true, 10, 20, 1_000);
        see(true, 19, 30, 2_000);
        assertThat(readiness.isKnown())
                .as("transaction 19 may have written before")
                .isFalse();
        see(true, 20, 40, 3_000);
        assertThat(readiness.isReadyFrom(2_999)).isFalse();
        assertThat(readiness.isReadyFrom(3_000)).isTrue();
        see(true, 50, 60, 9_000);
        assertThat(readiness.isReadyFrom(3_000)).as("it stays").isTrue();
    }

    @Test
    void beginsAgainWhenATableIsInNoPart() {
        see(true, 10, 10, 1_000);
        see(true, 10, 10, 1_000);
        assertThat(readiness.isReadyFrom(1_000)).isTrue();
        see(false, 11, 11, 2_000);
        assertThat(readiness.isReadyFrom(2_000)).isFalse();
        see(true, 12, 13, 3_000);
        see(true, 12, 14, 4_000);
        assertThat(readiness.isReadyFrom(9_000)).isFalse();
        see(true, 13, 14, 5_000);
        assertThat(readiness.isReadyFrom(5_000)).isTrue();
    }
}
