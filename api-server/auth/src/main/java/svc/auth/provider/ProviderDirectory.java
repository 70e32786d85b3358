package svc.auth.provider;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import svc.crds.project.auth.ProviderSpec;
import svc.crds.project.auth.ProviderType;
import svc.platform.egress.EgressClient;
import svc.platform.egress.PublishedDocuments;

/** What OpenID providers publish: where they are spoken to and by which keys their tokens are known. Kept for a while. */
final class ProviderDirectory {
    private static final String DISCOVERY = "/.well-known/openid-configuration";

    /** Addresses hardly ever change; a key that is new to us is asked for at once, see {@link #keys}. */
    private static final Duration FRESH = Duration.ofHours(1);

    private static final String ANY_DIRECTORY = "{tenantid}";

    private final ProviderCatalogue catalogue;
    private final PublishedDocuments<ProviderMetadata> metadata;
    private final PublishedDocuments<JWKSet> keys;

    ProviderDirectory(ProviderCatalogue catalogue, EgressClient egress, Clock clock) {
        this.catalogue = catalogue;
        this.metadata = new PublishedDocuments<>(egress, clock, FRESH, ProviderMetadata::read);
        this.keys = new PublishedDocuments<>(egress, clock, FRESH, IdTokens::keys);
    }

    /** @throws ProviderFault when it cannot be had, or speaks for somebody else */
    ProviderMetadata metadata(ProviderSpec spec) {
        String home = catalogue.home(spec);
        String address = home + DISCOVERY;
        await(metadata.fresh(List.of(address)));
        ProviderMetadata found = metadata.known(address)
                .orElseThrow(() -> ProviderFault.away("its discovery document at " + address + " cannot be had"));
        String issuer = found.issuer();
        boolean own = issuer.equals(home) || issuer.equals(home + "/");
        // Azure's common document speaks for every directory, each of which issues under its own name.
        boolean template = spec.type() == ProviderType.AZURE && issuer.contains(ANY_DIRECTORY);
        if (!own && !template) {
            throw new ProviderFault("its discovery document names another issuer, " + issuer);
        }
        return found;
    }

    /**
     * The keys at an address. For a token by a key that is not among them they are asked for again, at most every few
     * seconds.
     *
     * @throws ProviderFault when they cannot be had
     */
    JWKSet keys(String address, SignedJWT token) {
        await(keys.fresh(List.of(address)));
        if (keys.known(address).filter(set -> IdTokens.mayCheck(set, token)).isEmpty()) {
            await(keys.renewed(address));
        }
        return keys.known(address).orElseThrow(() -> ProviderFault.away("its keys cannot be had"));
    }

    /** It ends by itself: the egress client bounds each fetch. */
    private static void await(Future<Void> fetched) {
        try {
            fetched.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw ProviderFault.away("it could not be asked");
        }
    }
}
