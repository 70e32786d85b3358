package svc.realtime.reader;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** What the reader of a database does, in figures; labelled by the database, never by a project. */
public final class ReaderMetrics {
    private final Counter decoded;
    private final Counter messages;
    private final Counter restarts;
    private final Counter abandoned;
    private final Counter passed;
    private final Counter beside;
    private final AtomicLong lag = new AtomicLong();
    private final AtomicLong reading = new AtomicLong();

    public ReaderMetrics(MeterRegistry registry, String database) {
        this.decoded = Counter.builder("svc.realtime.changes.decoded")
                .description("Changes of published tables that this process has read from the log")
                .tag("database", database)
                .register(registry);
        this.messages = Counter.builder("svc.realtime.messages.decoded")
                .description("Broadcast messages that this process has read from the log")
                .tag("database", database)
                .register(registry);
        this.restarts = Counter.builder("svc.realtime.reader.restarts")
                .description("How often reading the log has ended by a failure, of PostgreSQL or of Redis")
                .tag("database", database)
                .register(registry);
        this.abandoned = Counter.builder("svc.realtime.reader.abandoned")
                .description("How often the slot was given up because it kept too much log")
                .tag("database", database)
                .register(registry);
        this.passed = Counter.builder("svc.realtime.reader.passed")
                .description(
                        "Transactions that could not be read or were too large, and were passed with a word to their subscribers")
                .tag("database", database)
                .register(registry);
        this.beside = Counter.builder("svc.realtime.reader.beside")
                .description("How often a second stream was begun, because large transactions held up the first")
                .tag("database", database)
                .register(registry);
        Gauge.builder("svc.realtime.reader.lag", lag, AtomicLong::get)
                .description("Log that the reader has not confirmed")
                .baseUnit("bytes")
                .tag("database", database)
                .register(registry);
        Gauge.builder("svc.realtime.reader.active", reading, AtomicLong::get)
                .description("Whether this process reads the log of the database")
                .tag("database", database)
                .register(registry);
    }

    void decoded(int changes) {
        decoded.increment(changes);
    }

    void message() {
        messages.increment();
    }

    void restarted() {
        restarts.increment();
    }

    void abandoned() {
        abandoned.increment();
    }

    void passed() {
        passed.increment();
    }

    void beside() {
        beside.increment();
    }

    void lag(long bytes) {
        lag.set(bytes);
    }

    void reading(boolean active) {
        reading.set(active ? 1 : 0);
    }
}
