package svc.platform.egress;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.platform.egress.EgressFailedException.Reason;

/**
 * Documents that others publish, key sets for instance, fetched through the egress client when they are first needed and
 * again when they are old. While a fetch fails the last good document stays in use.
 *
 * <p>Projects share the documents but not the fetches: a project has one fetch at a time for each address, which counts
 * against its own share of calls, and a failure is a fact about that project: a call that had to wait for its place may fail
 * at an address that answers all others. So a project delays no document of another.
 *
 * @param <T> what a document is read into
 */
public final class PublishedDocuments<T> {
    private static final Logger LOG = Logger.getLogger(PublishedDocuments.class);

    private static final int MAX_BYTES = 256 * 1024;

    /** Of all documents together, as they came. */
    private static final long MAX_CACHED_BYTES = 64L * 1024 * 1024;

    /** What is counted for a document beside its bytes. */
    private static final int BYTES_OF_AN_ENTRY = 512;

    private static final int MAX_PAUSES = 10_000;

    /** After a failure: requests must neither wait for an unreachable address each, nor flood it. */
    private static final Duration PAUSE = Duration.ofSeconds(15);

    /** One that could not be renewed for this long is no longer believed. */
    private static final Duration BELIEVED = Duration.ofHours(24);

    private final EgressClient egress;
    private final Clock clock;
    private final Duration fresh;
    private final Reader<T> reader;
    private final Cache<String, Held<T>> held = Caffeine.newBuilder()
            .maximumWeight(MAX_CACHED_BYTES)
            .weigher((String address, Held<T> document) -> document.bytes() + BYTES_OF_AN_ENTRY)
            .expireAfterWrite(BELIEVED.toMinutes(), TimeUnit.MINUTES)
            .build();
    /** When a fetch that has failed may be repeated. */
    private final Cache<Fetch, Instant> pauses = Caffeine.newBuilder()
            .maximumSize(MAX_PAUSES)
            .expireAfterWrite(BELIEVED.toMinutes(), TimeUnit.MINUTES)
            .build();

    private final ConcurrentMap<Fetch, Future<Void>> fetching = new ConcurrentHashMap<>();

    /** Makes something of a document, or throws for one that is not what it should be. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(String text) throws Exception;
    }

    private record Fetch(CallOwner owner, String address) {}

    private record Held<T>(T document, int bytes, Instant fetched, Instant renewFrom) {}

    /** @param fresh how long a document counts as new */
    public PublishedDocuments(EgressClient egress, Clock clock, Duration fresh, Reader<T> reader) {
        this.egress = egress;
        this.clock = clock;
        this.fresh = fresh;
        this.reader = reader;
    }

    /** The cached document of an address; sends no request. */
    public Optional<T> known(String address) {
        return Optional.ofNullable(held.getIfPresent(address))
                .filter(found -> found.fetched().plus(BELIEVED).isAfter(clock.instant()))
                .map(Held::document);
    }

    /**
     * Completes, always with success, when each of the documents is as new as it can be had; at once if all are fresh.
     *
     * @param owner the project that needs them
     */
    public Future<Void> fresh(CallOwner owner, List<String> addresses) {
        List<Future<Void>> awaited = addresses.stream()
                .map(address -> new Fetch(owner, address))
                .filter(this::isDue)
                .map(this::fetch)
                .toList();
        return awaited.isEmpty()
                ? Future.succeededFuture()
                : Future.join(awaited).otherwiseEmpty().mapEmpty();
    }

    /** The same for one that seems to lack something, unless it was asked for a moment ago. */
    public Future<Void> renewed(CallOwner owner, String address) {
        var fetch = new Fetch(owner, address);
        Held<T> found = held.getIfPresent(address);
        boolean justNow =
                found == null ? isPaused(fetch) : found.fetched().plus(PAUSE).isAfter(clock.instant());
        return justNow && !isDue(fetch) ? Future.succeededFuture() : fetch(fetch);
    }

    private boolean isDue(Fetch fetch) {
        Held<T> found = held.getIfPresent(fetch.address());
        boolean isOld = found == null || !clock.instant().isBefore(found.renewFrom());
        return isOld && !isPaused(fetch);
    }

    private boolean isPaused(Fetch fetch) {
        Instant until = pauses.getIfPresent(fetch);
        return until != null && clock.instant().isBefore(until);
    }

    private Future<Void> fetch(Fetch fetch) {
        Promise<Void> end = Promise.promise();
        Future<Void> running = fetching.putIfAbsent(fetch, end.future());
        if (running != null) {
            return running;
        }
        asked(fetch).onComplete(fetched -> {
            if (fetched.succeeded()) {
                held.put(fetch.address(), fetched.result());
            } else {
                failed(fetch, fetched.cause());
            }
            fetching.remove(fetch);
            end.complete();
        });
        return end.future();
    }

    private Future<Held<T>> asked(Fetch fetch) {
        try {
            return egress.get(fetch.owner(), new URI(fetch.address()), MAX_BYTES)
                    .compose(this::read);
        } catch (URISyntaxException e) {
            return Future.failedFuture(e);
        }
    }

    private Future<Held<T>> read(Buffer body) {
        try {
            T document = reader.read(body.toString(StandardCharsets.UTF_8));
            Instant now = clock.instant();
            return Future.succeededFuture(new Held<>(document, body.length(), now, now.plus(fresh)));
        } catch (Exception e) {
            return Future.failedFuture(e);
        }
    }

    private void failed(Fetch fetch, Throwable failure) {
        String address = fetch.address();
        if (failure instanceof EgressFailedException refused && refused.reason() == Reason.BUSY) {
            LOG.debugf("%s: the document at %s waits: %s", fetch.owner().ref(), shown(address), failure.getMessage());
            return;
        }
        pauses.put(fetch, clock.instant().plus(PAUSE));
        Object why = failure.getCause() == null ? "" : " (" + failure.getCause() + ")";
        String reason =
                failure instanceof URISyntaxException unreadable ? unreadable.getReason() : failure.getMessage();
        LOG.warnf("%s: cannot fetch the document at %s: %s%s", fetch.owner().ref(), shown(address), reason, why);
    }

    /** An address for the log: without a user and password, and without a query. */
    static String shown(String address) {
        try {
            var uri = new URI(address);
            if (uri.getHost() == null) {
                return "an address without a host";
            }
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            return uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath();
        } catch (URISyntaxException e) {
            return "an address that is no URI";
        }
    }
}
