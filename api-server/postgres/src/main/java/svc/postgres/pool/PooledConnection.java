package svc.postgres.pool;

/** One open connection of a {@link SharedPool}. What changes is guarded by the pool's lock. */
public final class PooledConnection<K, C extends PoolMember> {
    private final K key;
    private final C connection;
    private final long openedNanos;
    long usedNanos;
    long lentNanos;
    boolean retired;

    public PooledConnection(K key, C connection) {
        this.key = key;
        this.connection = connection;
        this.openedNanos = System.nanoTime();
        this.usedNanos = openedNanos;
    }

    public K key() {
        return key;
    }

    public C connection() {
        return connection;
    }

    public long ageNanos() {
        return System.nanoTime() - openedNanos;
    }

    public long idleNanos() {
        return System.nanoTime() - usedNanos;
    }
}
