package svc.server.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers accepted credentials, because verifying them derives keys or checks a signature. Rejected ones are never
 * remembered. A project that signs its own tokens can present any number of long ones, so the cache is bounded in bytes,
 * and each project has at most a share of it. Thread-safe.
 */
final class AcceptedCredentials {
    /** A project's part of all. */
    private static final int SHARE = 8;

    /** Of the heap. */
    private static final int PART_OF_HEAP = 24;

    /** Objects around the texts. */
    private static final int ENTRY_BYTES = 256;

    /** The text itself, its claims, and the payload that was decoded. */
    private static final int COPIES = 3;

    private static final Duration IDLE = Duration.ofMinutes(10);

    /** A cache's maintenance costs less than waking a thread for it. */
    private static final Executor SAME_THREAD = Runnable::run;

    private final long maxBytes;
    private final Cache<Presented, Remembered> accepted;

    /** With a part of this process's heap. */
    AcceptedCredentials() {
        this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /** @param maxBytes of all projects together */
    AcceptedCredentials(long maxBytes) {
        this.maxBytes = maxBytes;
        this.accepted = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Presented presented, Remembered remembered) -> presented.bytes())
                .removalListener((presented, remembered, cause) -> {
                    if (presented != null) {
                        presented.owner().bytes.addAndGet(-presented.bytes());
                    }
                })
                .executor(SAME_THREAD)
                .expireAfterAccess(IDLE)
                .build();
    }

    /** One state of one project: its credentials are compared by identity, so that they end with the state. */
    static final class Owner {
        private final AtomicLong bytes = new AtomicLong();

        /** What is remembered for it, in bytes of heap. */
        long bytes() {
            return bytes.get();
        }
    }

    private record Presented(Owner owner, String text) {
        int bytes() {
            return ENTRY_BYTES + COPIES * text.length();
        }
    }

    private record Remembered(Credential credential, long untilEpochSecond) {}

    /** @param nowEpochSecond a credential that is valid until then is not found any more */
    Optional<Credential> find(Owner owner, String text, long nowEpochSecond) {
        Remembered known = accepted.getIfPresent(new Presented(owner, text));
        return known != null && nowEpochSecond < known.untilEpochSecond()
                ? Optional.of(known.credential())
                : Optional.empty();
    }

    /** Remembers a credential, unless the project's share is in use: it is verified each time then. */
    void add(Owner owner, String text, Credential credential, long untilEpochSecond) {
        var presented = new Presented(owner, text);
        if (owner.bytes.addAndGet(presented.bytes()) > maxBytes / SHARE) {
            owner.bytes.addAndGet(-presented.bytes());
        } else {
            accepted.put(presented, new Remembered(credential, untilEpochSecond));
        }
    }
}
