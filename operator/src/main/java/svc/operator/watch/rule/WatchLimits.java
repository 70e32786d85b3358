package svc.operator.watch.rule;

import java.time.Duration;

/**
 * The limits of one project in one database.
 *
 * @param locks places in the server's table of locks, of all its sessions together
 * @param requestTime age of a transaction of the data plane; longer than the data plane itself permits
 * @param scriptTime age of a transaction of the owner's login; longer than the control plane itself permits
 * @param maintenanceTime how long autovacuum may work on a table whose indexes, statistics or types run the tenant's code
 * @param tempBytes temporary files, of all its sessions together
 * @param strikes after as many within {@code strikeWindow} the project is quarantined
 * @param stuck sessions that neither a cancellation nor a termination ends; with as many at once the project is quarantined
 * @param rates what a project may use over a longer time
 * @param grace from a cancellation to a termination; twice that later a process that still runs is stuck
 */
public record WatchLimits(
        long locks,
        Duration requestTime,
        Duration scriptTime,
        Duration maintenanceTime,
        long tempBytes,
        int strikes,
        Duration strikeWindow,
        int stuck,
        Rates rates,
        Duration grace) {
    /** Of a table without the tenant's code autovacuum may take this many times longer. */
    static final int WITHOUT_CODE = 30;

    public WatchLimits {
        if (locks < 1 || tempBytes < 1 || strikes < 1 || stuck < 1) {
            throw new IllegalArgumentException("each limit of the watch is 1 or more");
        }
    }

    /**
     * Rates beyond which a project is warned.
     *
     * @param processors processors of the server in use at once, on average
     * @param walBytesPerMinute bytes of the write-ahead log
     */
    public record Rates(double processors, long walBytesPerMinute) {
        public Rates {
            if (!(processors > 0) || walBytesPerMinute < 1) {
                throw new IllegalArgumentException("each rate of the watch is above 0");
            }
        }
    }

    /** The same with another limit of locks. */
    public WatchLimits withLocks(long other) {
        return new WatchLimits(
                other, requestTime, scriptTime, maintenanceTime, tempBytes, strikes, strikeWindow, stuck, rates, grace);
    }

    Duration timeOf(Session.Login login) {
        return login == Session.Login.OWNER ? scriptTime : requestTime;
    }

    Duration timeOf(MaintenanceWorker worker) {
        return worker.expressions().isEmpty() ? maintenanceTime.multipliedBy(WITHOUT_CODE) : maintenanceTime;
    }
}
