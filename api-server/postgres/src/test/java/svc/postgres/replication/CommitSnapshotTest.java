package svc.postgres.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Transactions are seen once they are no longer running. */
class CommitSnapshotTest {
    @Test
    void whatRunsOrComesLaterIsNotSeen() {
        CommitSnapshot snapshot = CommitSnapshot.parse("10:20:10,14");
        assertThat(snapshot.sees(9)).isTrue();
        assertThat(snapshot.sees(10)).isFalse();
        assertThat(snapshot.sees(13)).isTrue();
        assertThat(snapshot.sees(14)).isFalse();
        assertThat(snapshot.sees(20)).isFalse();
        assertThat(CommitSnapshot.parse("20:20:").sees(19)).isTrue();
    }

    @Test
    void numbersWrapAroundInTheLog() {
        // The second epoch: the log has the lower 32 bits.
        CommitSnapshot snapshot = CommitSnapshot.parse("4294967290:4294967298:4294967297");
        assertThat(snapshot.sees((int) 4294967295L)).isTrue();
        assertThat(snapshot.sees(0)).isTrue();
        assertThat(snapshot.sees(1)).isFalse();
        assertThat(snapshot.sees(2)).isFalse();
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> CommitSnapshot.parse("7")).isInstanceOf(MalformedLogException.class);
    }
}
