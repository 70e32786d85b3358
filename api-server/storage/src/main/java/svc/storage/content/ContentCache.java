package svc.storage.content;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Small files that were read lately more than once, the least recently read ones evicted first: of the project that reads a new one where
 * it has its share, else of all. Bytes of a version never change, so a file that is found here is right whenever its row,
 * which is always read first, names this version.
 */
public final class ContentCache {
    /** Larger files are never kept. */
    public static final int MAX_FILE = 256 << 10;

    /** A project alone may have this part. */
    private static final int SHARES = 4;

    /** Files of which it is remembered that they were read. */
    private static final int MAX_MISSED = 4_096;

    /** Of the key and its places in the maps. */
    private static final int BYTES_OF_AN_ENTRY = 200;

    private static final long IDLE_NANOS = Duration.ofMinutes(10).toNanos();

    private final long capacity;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<ContentKey, Entry> byUse = new LinkedHashMap<>(16, 0.75f, true);
    private final LinkedHashMap<ContentKey, Long> missed = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<UUID, Share> shares = new HashMap<>();
    private long missedBytes;
    private long held;

    /** @param capacity in bytes; 0 keeps nothing */
    public ContentCache(long capacity) {
        this(capacity, System::nanoTime);
    }

    ContentCache(long capacity, LongSupplier nanos) {
        this.capacity = capacity;
        this.nanos = nanos;
    }

    private static final class Entry {
        private final byte[] bytes;
        private long used;

        Entry(byte[] bytes, long used) {
            this.bytes = bytes;
            this.used = used;
        }

        long weight() {
            return bytes.length + (long) BYTES_OF_AN_ENTRY;
        }
    }

    /** What a project has here. */
    private static final class Share {
        private final LinkedHashMap<ContentKey, Boolean> byUse = new LinkedHashMap<>(16, 0.75f, true);
        private long held;
    }

    /** The whole file. The array is the caller's to read, not to change. */
    Optional<byte[]> get(ContentKey key) {
        lock.lock();
        try {
            Entry entry = byUse.get(key);
            if (entry == null) {
                return Optional.empty();
            }
            entry.used = nanos.getAsLong();
            shares.get(key.projectId()).byUse.get(key);
            return Optional.of(entry.bytes);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether a file that is not here is worth a place: it was read before, and since then no more than would fit here.
     *
     * @param length of it, in bytes
     */
    boolean wants(ContentKey key, long length) {
        if (length > capacity) {
            return false;
        }
        lock.lock();
        try {
            Long before = missed.put(key, length);
            missedBytes += length - (before == null ? 0 : before);
            while (missedBytes > capacity || missed.size() > MAX_MISSED) {
                missedBytes -= missed.pollFirstEntry().getValue();
            }
            return before != null;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a whole file, and the array itself, which nothing may change from now on. */
    void put(ContentKey key, byte[] bytes) {
        var entry = new Entry(bytes, nanos.getAsLong());
        if (bytes.length > MAX_FILE || entry.weight() > capacity / SHARES) {
            return;
        }
        lock.lock();
        try {
            remove(key);
            evictIdle(entry.used);
            Share share = shares.computeIfAbsent(key.projectId(), project -> new Share());
            while (share.held + entry.weight() > capacity / SHARES) {
                remove(share.byUse.firstEntry().getKey());
            }
            while (held + entry.weight() > capacity) {
                remove(byUse.firstEntry().getKey());
            }
            byUse.put(key, entry);
            // It may have left with its last file.
            Share own = shares.computeIfAbsent(key.projectId(), project -> share);
            own.byUse.put(key, true);
            own.held += entry.weight();
            held += entry.weight();
        } finally {
            lock.unlock();
        }
    }

    private void evictIdle(long now) {
        Iterator<Map.Entry<ContentKey, Entry>> oldest = byUse.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<ContentKey, Entry> entry = oldest.next();
            if (now - entry.getValue().used < IDLE_NANOS) {
                return;
            }
            oldest.remove();
            forget(entry.getKey(), entry.getValue());
        }
    }

    private void remove(ContentKey key) {
        Entry entry = byUse.remove(key);
        if (entry != null) {
            forget(key, entry);
        }
    }

    private void forget(ContentKey key, Entry entry) {
        held -= entry.weight();
        Share share = shares.get(key.projectId());
        share.byUse.remove(key);
        share.held -= entry.weight();
        if (share.byUse.isEmpty()) {
            shares.remove(key.projectId());
        }
    }

    /** In bytes. */
    public long held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /** What a project has here, in bytes. */
    long heldBy(UUID projectId) {
        lock.lock();
        try {
            Share share = shares.get(projectId);
            return share == null ? 0 : share.held;
        } finally {
            lock.unlock();
        }
    }
}
