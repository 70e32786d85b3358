package svc.realtime.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A transaction is too large by its rows or its bytes, and its rest is passed where that costs less than to read it. */
class TransactionVolumeTest {
    private final TransactionVolume volume = new TransactionVolume();

    private void add(int rows, int bytes) {
        for (int i = 0; i < rows; i++) {
            volume.add(bytes);
        }
    }

    @Test
    void rowsAndBytesAreLimited() {
        add(50_000, 30);
        assertThat(volume.isTooLarge()).isFalse();
        assertThat(volume.isWorthPassing(0)).isFalse();
        add(1, 30);
        assertThat(volume.isTooLarge()).isTrue();
        volume.begin();
        assertThat(volume.isTooLarge()).isFalse();
        add(64, 1 << 20);
        assertThat(volume.isTooLarge()).isFalse();
        add(1, 1);
        assertThat(volume.isTooLarge()).isTrue();
    }

    @Test
    void aProjectIsNotifiedOnceForEachTransaction() {
        UUID project = UUID.randomUUID();
        assertThat(volume.isToBeNotified(project)).isTrue();
        assertThat(volume.isToBeNotified(project)).isFalse();
        assertThat(volume.isToBeNotified(UUID.randomUUID())).isTrue();
        volume.begin();
        assertThat(volume.isToBeNotified(project)).isTrue();
    }

    /** Whatever the server keeps, a passed transaction costs a constant times what it was read of. */
    @Test
    void theRestIsPassedOnceReadingTheKeptLogAgainIsInProportion() {
        add(50_001, 30);
        assertThat(volume.isWorthPassing(200L << 20)).isTrue();
        assertThat(volume.isWorthPassing(250L << 20)).isFalse();
        add(50_000, 30);
        assertThat(volume.isWorthPassing(250L << 20)).isTrue();
        assertThat(volume.isWorthPassing(Long.MAX_VALUE)).isFalse();
    }
}
