package svc.realtime.message;

/** A token bucket: so many in a second on the average, more in a burst. Thread-safe. */
public final class Rate {
    private final int burstSeconds;
    private double left = Double.NaN;
    private long at;

    /** @param burstSeconds the rate of so many seconds may be used at once */
    public Rate(int burstSeconds) {
        this.burstSeconds = burstSeconds;
    }

    /** Uses one if there is any left. */
    public synchronized boolean take(int perSecond) {
        refill(perSecond);
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }

    /** Uses so many, also of those that come later. */
    public synchronized void spend(int count, int perSecond) {
        refill(perSecond);
        left = Math.max(-(double) perSecond * burstSeconds, left - count);
    }

    /** Uses so many if as many are left; more than may ever be used at once need all of it. */
    public synchronized boolean takeMany(int count, int perSecond) {
        refill(perSecond);
        if (left < Math.min(count, (double) perSecond * burstSeconds)) {
            return false;
        }
        left -= count;
        return true;
    }

    /** Uses so many if half of what may be used at once stays; more than that half need all of it. */
    public synchronized boolean takeBeyondHalf(int count, int perSecond) {
        if (!hasBeyondHalf(count, perSecond)) {
            return false;
        }
        left = Math.max(-(double) perSecond * burstSeconds, left - count);
        return true;
    }

    /** Whether so many could be used. */
    public synchronized boolean hasBeyondHalf(int count, int perSecond) {
        refill(perSecond);
        double half = (double) perSecond * burstSeconds / 2;
        return count == 0 || left - Math.min(count, half) >= half;
    }

    private void refill(int perSecond) {
        long now = System.nanoTime();
        double most = (double) perSecond * burstSeconds;
        left = Double.isNaN(left) ? most : Math.min(most, left + (now - at) / 1e9 * perSecond);
        at = now;
    }
}
