package svc.realtime.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.realtime.bus.LocalProjectBus;
import svc.realtime.bus.ProjectBus.Kind;
import svc.realtime.reader.BatchWriter.TableShape;

/** Changes that come one after the other without a pause do not wait for a pause, and not for a batch to be full. */
class SteadyChangesTest {
    private static final UUID PROJECT = new UUID(0, 1);
    private static final long STEP = Duration.ofMillis(1).toNanos();
    private static final int CHANGES = 30;
    private static final ReaderMetrics METRICS = new ReaderMetrics(new SimpleMeterRegistry(), "tenants");

    private final LocalProjectBus bus = new LocalProjectBus();
    private long now = Long.MAX_VALUE - 10 * STEP;
    private int published;
    private final OpenBatches batches = new OpenBatches(
            0,
            new Deliveries(
                    new LogRecipients(
                            ProjectTables.shared(),
                            bus,
                            (project, message) -> {},
                            (project, warning) -> {},
                            LogRecipients.unfinishedChanges()),
                    new HandedMessages((project, message) -> {}, METRICS),
                    new DeliveredBeside(),
                    false),
            new InFlight(() -> {}),
            METRICS,
            () -> now);

    private void change(int index) {
        batches.of(PROJECT)
                .add(
                        new TableShape(1, 1, new byte[0]),
                        new LogPosition(1, index),
                        0,
                        false,
                        ByteBuffer.wrap(new byte[] {'I'}));
    }

    @Test
    void whatIsOpenWaitsForTwoMilliseconds() {
        bus.listen(PROJECT, Kind.CHANGES, message -> published++, () -> {});
        assertThat(batches.haveWaited()).as("nothing is open").isFalse();
        for (int index = 1; index <= CHANGES; index++) {
            change(index);
            now += STEP;
            if (batches.haveWaited()) {
                batches.publish();
                assertThat(batches.haveWaited()).isFalse();
            }
        }
        // Each has the changes of 3 ms: the first of them has waited for more than 2.
        assertThat(published).isEqualTo(CHANGES / 3);
    }
}
