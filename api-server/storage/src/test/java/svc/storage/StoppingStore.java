package svc.storage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import svc.storage.content.ContentKey;
import svc.storage.content.ContentStore;
import svc.storage.content.ContentSweeper;
import svc.storage.content.PartNumbers;
import svc.storage.content.ResumableParts;
import svc.storage.content.Stored;

/**
 * A store in whose calls the process can end: before a call of the store or behind it. After that nothing is done any more,
 * as nothing is done by a process that has ended.
 */
final class StoppingStore implements ContentStore {
    private final ContentStore store;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile int stopAt = Integer.MAX_VALUE;
    private volatile boolean stopped;
    private final AtomicInteger listings = new AtomicInteger();
    private final AtomicReference<Runnable> latePart = new AtomicReference<>(() -> {});

    /** Runs once, before the next part of a resumable upload reaches S3: as long as it runs, the part is on its way. */
    void holdNextPart(Runnable meanwhile) {
        latePart.set(meanwhile);
    }

    /** How often the contents of a project were listed. */
    int listings() {
        return listings.get();
    }

    StoppingStore(ContentStore store) {
        this.store = store;
    }

    /** @param point twice the number of a call from now on, plus one for its end */
    void stopAt(int point) {
        calls.set(0);
        stopAt = point;
        stopped = false;
    }

    /** The process starts again. */
    boolean restart() {
        boolean was = stopped;
        stopAt = Integer.MAX_VALUE;
        stopped = false;
        return was;
    }

    private <T> T step(Supplier<T> call) {
        int number = calls.getAndIncrement();
        check(2 * number);
        T result = call.get();
        check(2 * number + 1);
        return result;
    }

    private void step(Runnable call) {
        step(() -> {
            call.run();
            return true;
        });
    }

    private void check(int point) {
        stopped |= point >= stopAt;
        if (stopped) {
            throw new IllegalStateException("the process has ended");
        }
    }

    @Override
    public Stored put(ContentKey key, byte[] bytes, int length) {
        return step(() -> store.put(key, bytes, length));
    }

    @Override
    public Parts begin(ContentKey key) {
        Parts parts = step(() -> store.begin(key));
        return new Parts() {
            @Override
            public void add(byte[] bytes, int length) {
                step(() -> parts.add(bytes, length));
            }

            @Override
            public Stored complete() {
                return step(parts::complete);
            }

            @Override
            public void abandon() {
                if (!stopped) {
                    parts.abandon();
                }
            }
        };
    }

    @Override
    public ResumableParts resumable() {
        ResumableParts parts = store.resumable();
        return new ResumableParts() {
            @Override
            public String begin(ContentKey key) {
                return step(() -> parts.begin(key));
            }

            @Override
            public boolean put(ContentKey key, String upload, int number, byte[] bytes, int length) {
                latePart.getAndSet(() -> {}).run();
                return step(() -> parts.put(key, upload, number, bytes, length));
            }

            @Override
            public boolean copy(ContentKey key, String upload, int number, ContentKey from, long first, long last) {
                return step(() -> parts.copy(key, upload, number, from, first, last));
            }

            @Override
            public Optional<Stored> complete(ContentKey key, String upload, PartNumbers numbers, long size) {
                return step(() -> parts.complete(key, upload, numbers, size));
            }

            @Override
            public void abandon(ContentKey key) {
                step(() -> parts.abandon(key));
            }
        };
    }

    @Override
    public String open(ContentKey key) {
        return step(() -> store.open(key));
    }

    @Override
    public NumberedUpload numbered(ContentKey key, String upload) {
        NumberedUpload numbered = store.numbered(key, upload);
        return new NumberedUpload() {
            @Override
            public Optional<String> put(int number, byte[] bytes, int length) {
                return step(() -> numbered.put(number, bytes, length));
            }

            @Override
            public Optional<String> copy(int number, ContentKey from, long first, long last) {
                return step(() -> numbered.copy(number, from, first, last));
            }

            @Override
            public Optional<Stored> complete(List<NumberedPart> parts, long size) {
                return step(() -> numbered.complete(parts, size));
            }

            @Override
            public void abandon() {
                if (!stopped) {
                    numbered.abandon();
                }
            }
        };
    }

    @Override
    public Optional<byte[]> read(ContentKey key, long from, int length) {
        return store.read(key, from, length);
    }

    @Override
    public Optional<Stored> copy(ContentKey from, ContentKey to, long size) {
        return step(() -> store.copy(from, to, size));
    }

    @Override
    public void delete(List<ContentKey> keys) {
        step(() -> store.delete(keys));
    }

    @Override
    public void deleteAll(UUID projectId, Instant before) {
        store.deleteAll(projectId, before);
    }

    @Override
    public void sweepDerived(UUID projectId, Instant before, ContentSweeper.Rows rows) {
        store.sweepDerived(projectId, before, rows);
    }

    @Override
    public Set<UUID> projects() {
        return store.projects();
    }

    @Override
    public void olderThan(UUID projectId, Instant before, Consumer<List<ContentKey>> page) {
        listings.incrementAndGet();
        store.olderThan(projectId, before, page);
    }

    @Override
    public void abandonParts(UUID projectId, Instant before) {
        store.abandonParts(projectId, before);
    }
}
