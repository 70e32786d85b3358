package svc.realtime.channel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import svc.platform.realtime.RealtimeActivity;

/** A process uses what the others leave of a project's limits, and at least its equal part. */
class ProjectShareTest {
    private static RealtimeActivity others(int processes, long joins) {
        return new RealtimeActivity(processes, 0, 0, 0, joins, 0, 0);
    }

    private static int taken(RealtimeActivity others, int limit) {
        var share = new ProjectShare();
        share.others(others);
        int taken = 0;
        while (taken <= limit && share.takeJoin(limit)) {
            taken++;
        }
        return taken;
    }

    @Test
    void aProcessThatIsAloneMayUseAll() {
        assertThat(taken(RealtimeActivity.NONE, 12)).isEqualTo(12);
    }

    @Test
    void whatOthersLeaveMayBeUsed() {
        assertThat(taken(others(1, 0), 12)).isEqualTo(12);
        assertThat(taken(others(1, 2), 12)).isEqualTo(10);
    }

    @Test
    void anEqualPartIsLeftToEach() {
        assertThat(taken(others(1, 12), 12)).isEqualTo(6);
        assertThat(taken(others(2, 1_000_000), 12)).isEqualTo(4);
        assertThat(taken(others(50, 12), 12)).isEqualTo(1);
    }

    @Test
    void whatWasUsedIsReportedOnce() {
        var share = new ProjectShare();
        share.spendMessages(1_000, 100_000);
        assertThat(share.report(1, 2, 3, 4).messagesPerSecond()).isPositive();
        assertThat(share.report(1, 2, 3, 4)).isEqualTo(new RealtimeActivity(1, 1, 2, 3, 0, 0, 4));
    }
}
