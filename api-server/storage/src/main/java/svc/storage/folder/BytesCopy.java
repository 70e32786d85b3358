package svc.storage.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import svc.platform.tenancy.Tenant;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.StoreException;
import svc.storage.rows.FolderRows.Source;
import svc.storage.rows.ObjectRow;

/** Copies the bytes of files under new keys, a few at a time and in their order. */
final class BytesCopy {
    private static final int LANES = 8;

    private final ContentStore store;
    private final Tenant tenant;
    private final List<Source> files;
    private final List<ContentKey> keys;
    private final boolean[] copied;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    BytesCopy(ContentStore store, Tenant tenant, List<Source> files) {
        this.store = store;
        this.tenant = tenant;
        this.files = files;
        this.keys =
                files.stream().map(file -> ContentKey.fresh(tenant.projectId())).toList();
        this.copied = new boolean[files.size()];
    }

    /** Where the bytes of each file are to be. */
    List<ContentKey> keys() {
        return keys;
    }

    /**
     * Copies until all are copied, or no further file is to be begun.
     *
     * @return how many files were processed, from the first; {@link #isCopied} says of which there were bytes
     * @throws StoreException when the store fails; some may be copied then
     */
    int run(BooleanSupplier enough) {
        List<Thread> lanes = IntStream.range(0, Math.min(LANES, files.size()))
                .mapToObj(lane -> Thread.ofVirtual().start(() -> lane(enough)))
                .toList();
        boolean interrupted = false;
        for (Thread lane : lanes) {
            interrupted |= !join(lane);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        return Math.min(next.get(), files.size());
    }

    /** False when the waiting thread was interrupted, which does not end the lane: its bytes must be accounted for. */
    private static boolean join(Thread lane) {
        boolean calm = true;
        while (lane.isAlive()) {
            try {
                lane.join();
            } catch (InterruptedException e) {
                calm = false;
            }
        }
        return calm;
    }

    private void lane(BooleanSupplier enough) {
        try {
            do {
                int i = next.getAndIncrement();
                if (i >= files.size()) {
                    return;
                }
                Source file = files.get(i);
                copied[i] = ObjectRow.keyOf(tenant, file.version())
                        .flatMap(from -> store.copy(from, keys.get(i), file.size()))
                        .isPresent();
            } while (failure.get() == null && !enough.getAsBoolean());
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    boolean isCopied(int file) {
        return copied[file];
    }

    /** Everything that may be stored. */
    List<ContentKey> stored() {
        List<ContentKey> stored = new ArrayList<>();
        for (int i = 0; i < Math.min(next.get(), files.size()); i++) {
            stored.add(keys.get(i));
        }
        return stored;
    }
}
