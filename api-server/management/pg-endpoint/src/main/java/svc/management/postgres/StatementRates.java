package svc.management.postgres;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How many statements the clients of a project, and of an organisation, may send to this process, and how long these may
 * run together. Short bursts are free.
 */
final class StatementRates {
    /** What an organisation has of a project's. */
    private static final int PROJECTS = 4;

    private static final int BURST_SECONDS = 20;

    /** Longer than any allowance takes to fill. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    private static final int MAX_PARTS = 20_000;
    private static final double SECOND = 1e9;

    private final PostgresEndpointConfig config;
    private final LongSupplier clock;
    private final Cache<String, Part> parts =
            Caffeine.newBuilder().maximumSize(MAX_PARTS).expireAfterAccess(KEPT).build();

    /** @param clock in nanoseconds */
    StatementRates(PostgresEndpointConfig config, LongSupplier clock) {
        this.config = config;
        this.clock = clock;
    }

    /** What a project, or an organisation, has. */
    private record Part(Allowance statements, Allowance seconds) {}

    private Part part(String name, int times) {
        long now = clock.getAsLong();
        double perSecond = (double) times * config.statementsPerSecond();
        double running = times * config.runningPerSecond();
        return parts.get(
                name,
                any -> new Part(
                        new Allowance(perSecond, perSecond * BURST_SECONDS, now),
                        new Allowance(running, running * BURST_SECONDS, now)));
    }

    private List<Part> of(SignedIn client) {
        return List.of(part("project " + client.ref(), 1), part("organization " + client.organization(), PROJECTS));
    }

    /** Counts a statement whose turn it is; else until when there is none. */
    Duration take(SignedIn client) {
        long now = clock.getAsLong();
        List<Part> mine = of(client);
        Duration wait = mine.stream()
                .flatMap(part ->
                        List.of(part.statements().until(now), part.seconds().until(now)).stream())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        if (wait.isZero()) {
            mine.forEach(part -> part.statements().charge(1, now));
        }
        return wait;
    }

    /** A statement has run. */
    void ran(SignedIn client, long nanos) {
        long now = clock.getAsLong();
        of(client).forEach(part -> part.seconds().charge(nanos / SECOND, now));
    }
}
