package svc.storage.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Promise: the cache stays within its bytes, and a project within its share, however much is read. */
class ContentCacheTest {
    private static final int CAPACITY = 80_000;
    private static final int SHARE = CAPACITY / 4;
    private static final UUID ONE = new UUID(0, 1);

    private long now;
    private final ContentCache cache = new ContentCache(CAPACITY, () -> now);

    private static ContentKey key(UUID project, int number) {
        return new ContentKey(project, new UUID(1, number));
    }

    @Test
    void aProjectHasItsShareAndItsOldestLeave() {
        for (int i = 0; i < 100; i++) {
            cache.put(key(ONE, i), new byte[1_000]);
            assertThat(cache.get(key(ONE, 0))).as("read again with file %d", i).isPresent();
        }

        assertThat(cache.heldBy(ONE)).isBetween(SHARE - 2_000L, (long) SHARE);
        assertThat(cache.get(key(ONE, 99))).isPresent();
        assertThat(cache.get(key(ONE, 50))).isEmpty();
    }

    @Test
    void aGreedyProjectTakesNothingFromANeighbourWithinItsShare() {
        UUID neighbour = new UUID(0, 2);
        cache.put(key(neighbour, 1), new byte[5_000]);
        for (int i = 0; i < 1_000; i++) {
            cache.put(key(ONE, i), new byte[1_000]);
        }

        assertThat(cache.get(key(neighbour, 1))).isPresent();
    }

    @Test
    void allProjectsTogetherStayWithinTheCapacity() {
        for (int project = 0; project < 50; project++) {
            for (int i = 0; i < 30; i++) {
                cache.put(key(new UUID(0, project), i), new byte[1_000]);
            }
            assertThat(cache.held()).isLessThanOrEqualTo(CAPACITY);
        }

        assertThat(cache.held()).isGreaterThan(CAPACITY - 2_000);
        assertThat(cache.heldBy(new UUID(0, 49))).isPositive();
        assertThat(cache.heldBy(new UUID(0, 0))).isZero();
    }

    @Test
    void whatIsNotReadLeavesWithTime() {
        cache.put(key(ONE, 1), new byte[1_000]);
        now += 11L * 60 * 1_000_000_000;
        cache.put(key(ONE, 2), new byte[1_000]);

        assertThat(cache.get(key(ONE, 1))).isEmpty();
        assertThat(cache.get(key(ONE, 2))).isPresent();
    }

    @Test
    void aLargeFileIsNotKept() {
        cache.put(key(ONE, 1), new byte[SHARE]);
        new ContentCache(0).put(key(ONE, 2), new byte[1]);

        assertThat(cache.held()).isZero();
    }

    @Test
    void theSameFileCountsOnce() {
        cache.put(key(ONE, 1), new byte[1_000]);
        long once = cache.held();
        cache.put(key(ONE, 1), new byte[1_000]);

        assertThat(cache.held()).isEqualTo(once).isEqualTo(cache.heldBy(ONE));
    }

    @Test
    void aFileIsWantedThatIsReadAgainSoon() {
        assertThat(cache.wants(key(ONE, 1), 1_000)).isFalse();
        assertThat(cache.wants(key(ONE, 1), 1_000)).isTrue();
        for (int i = 2; i < 200; i++) {
            assertThat(cache.wants(key(ONE, i), 1_000)).isFalse();
        }
        assertThat(cache.wants(key(ONE, 1), 1_000)).isFalse();
    }
}
