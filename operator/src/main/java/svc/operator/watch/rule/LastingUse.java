package svc.operator.watch.rule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import svc.operator.watch.rule.WatchLimits.Rates;

/**
 * Finds projects that use processors or the write-ahead log beyond their rate for long. Such use ends nothing: timeouts bound each
 * statement, and the owner may have bought it. Not safe for concurrent use.
 */
final class LastingUse {
    private static final long BYTES_PER_MEBIBYTE = 1024L * 1024;

    private final Rates rates;
    private final UseRate processors;
    private final UseRate wal;
    private final Map<ProcessId, Long> written = new HashMap<>();
    private Instant last = Instant.EPOCH;

    LastingUse(Rates rates) {
        this.rates = rates;
        this.processors = new UseRate(rates.processors());
        this.wal = new UseRate(rates.walBytesPerMinute() / 60.0);
    }

    /** A project beyond a rate. */
    record Excess(UUID owner, Rule rule, String message) {}

    List<Excess> in(Sample sample, Instant now) {
        Duration step = step(now);
        for (Session session : sample.sessions()) {
            if (session.onProcessor()) {
                session.owner().ifPresent(owner -> processors.use(owner, step.toNanos() / 1e9));
            }
        }
        sample.wal().ifPresent(this::write);
        List<Excess> found = new ArrayList<>();
        for (UUID owner : processors.drain(step)) {
            found.add(new Excess(
                    owner,
                    Rule.PROCESSORS,
                    "The project has used more than " + rates.processors()
                            + " processors of the database server for over a minute. Look for slow statements with"
                            + " EXPLAIN (ANALYZE), and add the indexes that they need."));
        }
        for (UUID owner : wal.drain(step)) {
            found.add(new Excess(
                    owner,
                    Rule.WAL,
                    "The project has written more than " + rates.walBytesPerMinute() / BYTES_PER_MEBIBYTE
                            + " MiB a minute to the write-ahead log for over a minute. Write fewer rows, or drop indexes"
                            + " that nothing reads."));
        }
        return found;
    }

    private Duration step(Instant now) {
        Duration passed = Duration.between(last, now);
        last = now;
        return passed.compareTo(UseRate.MAX_STEP) > 0 ? UseRate.MAX_STEP : passed;
    }

    /** What a session had written before its first look does not count: it may be of a time when another pod watched. */
    private void write(List<WalWritten> sessions) {
        Map<ProcessId, Long> before = Map.copyOf(written);
        written.clear();
        for (WalWritten session : sessions) {
            written.put(session.id(), session.bytes());
            long more = session.bytes() - before.getOrDefault(session.id(), session.bytes());
            session.owner().filter(owner -> more > 0).ifPresent(owner -> wal.use(owner, more));
        }
    }
}
