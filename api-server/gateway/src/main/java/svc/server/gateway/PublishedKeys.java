package svc.server.gateway;

import com.nimbusds.jose.jwk.JWKSet;
import io.vertx.core.Future;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.crds.project.auth.VerifyKeySet;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressClient;
import svc.platform.egress.PublishedDocuments;

/** Caches the usable keys of the key sets (JWKS) that other token issuers of projects publish. */
@ApplicationScoped
class PublishedKeys {
    private static final Logger LOG = Logger.getLogger(PublishedKeys.class);

    /** Maximum age: how long a rotated key may be unknown, and a withdrawn one accepted. */
    private static final Duration FRESH = Duration.ofMinutes(5);

    private final PublishedDocuments<JWKSet> sets;

    PublishedKeys(EgressClient egress, Clock clock) {
        this.sets = new PublishedDocuments<>(egress, clock, FRESH, PublishedKeys::usable);
    }

    /** Keys beyond the limits are left out; a set without any usable key counts as one that could not be fetched. */
    private static JWKSet usable(String text) {
        VerifyKeySet set = VerifyKeySet.read(text, VerifyKeySet.Origin.PUBLISHED);
        if (!set.faults().isEmpty()) {
            LOG.warnf("keys of a published set are not used: %s", String.join("; ", set.faults()));
        }
        JWKSet keys = TrustedIssuerKeys.parsed(set);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("it has no usable key");
        }
        return keys;
    }

    /** The cached set of a URL; makes no request. */
    Optional<JWKSet> known(String url) {
        return sets.known(url);
    }

    /**
     * Completes, always successfully, when each set is as fresh as possible; at once if all are fresh.
     *
     * @param owner the project that trusts these issuers
     */
    Future<Void> fresh(CallOwner owner, List<String> urls) {
        return sets.fresh(owner, urls);
    }
}
