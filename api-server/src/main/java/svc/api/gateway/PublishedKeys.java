package svc.api.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.jwk.JWKSet;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.api.egress.EgressClient;

/**
 * Key sets that projects' other issuers publish, fetched through the egress client when a token first needs them and again
 * when they are old. One fetch at a time for each address; while it fails the last good set stays in use.
 */
@ApplicationScoped
class PublishedKeys {
    private static final Logger LOG = Logger.getLogger(PublishedKeys.class);

    private static final int MOST_BYTES = 256 * 1024;
    private static final int MOST_SETS = 10_000;

    /** As long as a rotated key may take to be known, and a withdrawn one to be forgotten. */
    private static final Duration FRESH = Duration.ofMinutes(5);

    /** After a failure: neither every request is to wait for an issuer that is away, nor is it to be flooded. */
    private static final Duration PAUSE = Duration.ofSeconds(15);

    /** A set that could not be renewed for this long is no longer believed. */
    private static final Duration BELIEVED = Duration.ofHours(24);

    private final EgressClient egress;
    private final Clock clock;
    private final Cache<String, Held> held = Caffeine.newBuilder()
            .maximumSize(MOST_SETS)
            .expireAfterWrite(BELIEVED.toMinutes(), TimeUnit.MINUTES)
            .build();
    private final ConcurrentMap<String, Future<Void>> fetching = new ConcurrentHashMap<>();

    /** @param keys empty after a first fetch that failed */
    private record Held(Optional<JWKSet> keys, Instant fetched, Instant renewFrom) {}

    PublishedKeys(EgressClient egress, Clock clock) {
        this.egress = egress;
        this.clock = clock;
    }

    /** The set at an address as far as it is known now; asks nobody. */
    Optional<JWKSet> known(String url) {
        return Optional.ofNullable(held.getIfPresent(url))
                .filter(found -> found.fetched().plus(BELIEVED).isAfter(clock.instant()))
                .flatMap(Held::keys);
    }

    /** Completes, always with success, when each of the sets is as new as it can be had; at once if all are fresh. */
    Future<Void> fresh(List<String> urls) {
        List<Future<Void>> awaited =
                urls.stream().filter(this::isOld).map(this::fetch).toList();
        return awaited.isEmpty()
                ? Future.succeededFuture()
                : Future.join(awaited).otherwiseEmpty().mapEmpty();
    }

    private boolean isOld(String url) {
        Held found = held.getIfPresent(url);
        return found == null || !clock.instant().isBefore(found.renewFrom());
    }

    private Future<Void> fetch(String url) {
        Promise<Void> done = Promise.promise();
        Future<Void> running = fetching.putIfAbsent(url, done.future());
        if (running != null) {
            return running;
        }
        asked(url).onComplete(end -> {
            keep(url, end.result(), end.cause());
            fetching.remove(url);
            done.complete();
        });
        return done.future();
    }

    private Future<JWKSet> asked(String url) {
        try {
            return egress.get(new URI(url), MOST_BYTES).compose(PublishedKeys::parsed);
        } catch (URISyntaxException e) {
            return Future.failedFuture(e);
        }
    }

    private static Future<JWKSet> parsed(Buffer body) {
        try {
            return Future.succeededFuture(JWKSet.parse(body.toString(StandardCharsets.UTF_8)));
        } catch (ParseException e) {
            return Future.failedFuture(e);
        }
    }

    private void keep(String url, JWKSet keys, Throwable failure) {
        Instant now = clock.instant();
        if (failure == null) {
            held.put(url, new Held(Optional.of(keys), now, now.plus(FRESH)));
            return;
        }
        Held before = held.getIfPresent(url);
        held.put(
                url,
                before == null
                        ? new Held(Optional.empty(), now, now.plus(PAUSE))
                        : new Held(before.keys(), before.fetched(), now.plus(PAUSE)));
        LOG.warnf("the key set at %s cannot be had: %s", url, failure.getMessage());
    }
}
