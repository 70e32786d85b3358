package svc.server.gateway;

import com.nimbusds.jose.jwk.JWKSet;
import io.vertx.core.Future;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import svc.platform.egress.EgressClient;
import svc.platform.egress.PublishedDocuments;

/** Key sets that projects' other issuers publish. */
@ApplicationScoped
class PublishedKeys {
    /** As long as a rotated key may take to be known, and a withdrawn one to be forgotten. */
    private static final Duration FRESH = Duration.ofMinutes(5);

    private final PublishedDocuments<JWKSet> sets;

    PublishedKeys(EgressClient egress, Clock clock) {
        this.sets = new PublishedDocuments<>(egress, clock, FRESH, JWKSet::parse);
    }

    /** The set at an address as far as it is known now; asks nobody. */
    Optional<JWKSet> known(String url) {
        return sets.known(url);
    }

    /** Completes, always with success, when each of the sets is as new as it can be had; at once if all are fresh. */
    Future<Void> fresh(List<String> urls) {
        return sets.fresh(urls);
    }
}
