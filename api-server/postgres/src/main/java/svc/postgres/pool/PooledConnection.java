package svc.postgres.pool;

/**
 * One open connection of a {@link SharedPool}. Its state is changed by its {@link LoginBucket} alone, under the pool's
 * lock.
 */
public final class PooledConnection<K, C extends PoolMember> {
    private final K key;
    private final C connection;
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private long lentNanos;
    private boolean retired;

    PooledConnection(K key, C connection) {
        this.key = key;
        this.connection = connection;
    }

    public K key() {
        return key;
    }

    public C connection() {
        return connection;
    }

    public long idleNanos() {
        return System.nanoTime() - usedNanos;
    }

    long ageNanos() {
        return System.nanoTime() - openedNanos;
    }

    /** Time since the connection was lent, as passed to {@link #lent}. */
    long lentForNanos() {
        return System.nanoTime() - lentNanos;
    }

    /** @param since by {@link System#nanoTime} */
    void lent(long since) {
        lentNanos = since;
    }

    void returned() {
        usedNanos = System.nanoTime();
    }

    /** Closes the connection when it comes back instead of keeping it. */
    void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }
}
