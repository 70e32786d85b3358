package svc.storage.content;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Deletes bytes that no row names: of uploads that ended between their bytes and their row, and of files whose row is gone.
 *
 * <p>Loses nothing: bytes are stored under a key that is new with each upload and named by a row within seconds, or
 * never. So bytes that are older than the grace and that no row names now will never be named.
 */
public final class ContentSweeper {
    /** Of uploads in parts, which may take long. */
    public static final Duration MAX_UPLOAD_TIME = Duration.ofHours(24);

    private final ContentStore store;
    private final Duration grace;
    private final Clock clock;

    /** @param grace longer than any upload takes from its last byte to its row */
    public ContentSweeper(ContentStore store, Duration grace, Clock clock) {
        this.store = store;
        this.grace = grace;
        this.clock = clock;
    }

    /** Says which of some contents a row names. */
    @FunctionalInterface
    public interface Rows {
        List<ContentKey> known(List<ContentKey> keys);
    }

    /**
     * Sweeps one project.
     *
     * @return how many contents were deleted
     */
    public int sweep(UUID projectId, Rows rows) {
        Instant now = clock.instant();
        int[] deleted = {0};
        store.olderThan(projectId, now.minus(grace), page -> {
            Set<ContentKey> known = new HashSet<>(rows.known(page));
            List<ContentKey> unknown = new ArrayList<>(page);
            unknown.removeAll(known);
            store.delete(unknown);
            deleted[0] += unknown.size();
        });
        store.sweepDerived(projectId, now.minus(grace), rows);
        store.abandonParts(projectId, now.minus(MAX_UPLOAD_TIME));
        return deleted[0];
    }
}
