package svc.postgres.termination;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import svc.postgres.Login;

/** The {@link PlatformSessionEnder} of each database of the platform's that holds projects; from none. */
public final class SessionEnders implements AutoCloseable {
    private static final long SWEEP_NANOS = Duration.ofSeconds(30).toNanos();

    private final Map<String, PlatformSessionEnder> enders = new ConcurrentHashMap<>();
    private final Function<String, Optional<Login>> login;
    private final Duration longest;
    private volatile long sweptNanos = System.nanoTime() - SWEEP_NANOS;

    /** Without an end for the sessions of other processes. */
    public SessionEnders(Function<String, Optional<Login>> login) {
        this(login, Duration.ofDays(1));
    }

    /**
     * @param login of {@code svc_catalog}, for the address of a database; empty to leave its sessions alone
     * @param longest age that no transaction of a data plane reaches: an older one is ended, whichever process began it
     */
    public SessionEnders(Function<String, Optional<Login>> login, Duration longest) {
        this.login = login;
        this.longest = longest;
    }

    /** @param jdbcUrl a database of the platform's */
    public SessionEnder of(String jdbcUrl) {
        PlatformSessionEnder known = enders.get(jdbcUrl);
        if (known != null) {
            return known;
        }
        return login.apply(jdbcUrl)
                .<SessionEnder>map(
                        with -> enders.computeIfAbsent(jdbcUrl, unused -> new PlatformSessionEnder(with, longest)))
                .orElse(SessionEnder.NONE);
    }

    /** The login of {@code svc_catalog} in a database; empty where this process has none. */
    public Optional<Login> platformLogin(String jdbcUrl) {
        return login.apply(jdbcUrl);
    }

    /** What no transaction of any data plane takes. */
    public Duration longest() {
        return longest;
    }

    /** Every half minute ends sessions that have outlived their process; called more often. */
    public void sweep() {
        long now = System.nanoTime();
        if (now - sweptNanos >= SWEEP_NANOS) {
            sweptNanos = now;
            enders.values().forEach(PlatformSessionEnder::sweep);
        }
    }

    @Override
    public void close() {
        enders.values().forEach(PlatformSessionEnder::close);
    }
}
