package svc.realtime.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.platform.memory.ByteBudget;
import svc.realtime.bus.LocalProjectBus;
import svc.realtime.message.RoomKey;
import svc.realtime.presence.ProjectPresence.Outcome;

/** The state of a topic fits in one message. */
class PresenceBoundsTest {
    private static final RoomKey ROOM = new RoomKey("room", false);

    private final ByteBudget budget = new ByteBudget(256 << 20);
    private final ProjectPresence presence =
            new ProjectPresence(UUID.randomUUID(), new LocalProjectBus(), budget.account("p"), (room, diff) -> {});

    private Outcome track(RoomKey room, long channel, int length) {
        return presence.track(room, channel, "key", "{\"x\":\"" + "x".repeat(length) + "\"}");
    }

    @Test
    void theStateOfATopicIsBounded() {
        long channel = 1;
        while (track(ROOM, channel, 16_000) == Outcome.TRACKED) {
            channel++;
        }
        assertThat(track(ROOM, channel, 16_000)).isEqualTo(Outcome.ROOM_FULL);
        long[] length = new long[1];
        presence.state(ROOM, state -> length[0] = state.length());
        assertThat(length[0]).isBetween(900L << 10, 1100L << 10);

        assertThat(track(new RoomKey("room", true), channel, 16_000)).isEqualTo(Outcome.TRACKED);
        assertThat(track(ROOM, 1, 15_900)).as("a change of one that is there").isEqualTo(Outcome.TRACKED);
        presence.untrack(ROOM, 2);
        assertThat(track(ROOM, channel + 1, 16_000)).isEqualTo(Outcome.TRACKED);
        presence.close();
        assertThat(budget.held()).isZero();
    }
}
