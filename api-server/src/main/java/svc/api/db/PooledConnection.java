package svc.api.db;

/** One open connection of a {@link SharedPool}. What changes is guarded by the pool's lock. */
final class PooledConnection<K, C extends PoolMember> {
    private final K key;
    private final C connection;
    private final long openedNanos;
    long usedNanos;
    long lentNanos;
    boolean retired;

    PooledConnection(K key, C connection) {
        this.key = key;
        this.connection = connection;
        this.openedNanos = System.nanoTime();
        this.usedNanos = openedNanos;
    }

    K key() {
        return key;
    }

    C connection() {
        return connection;
    }

    long ageNanos() {
        return System.nanoTime() - openedNanos;
    }

    long idleNanos() {
        return System.nanoTime() - usedNanos;
    }
}
