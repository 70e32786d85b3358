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
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressClient;
import svc.platform.egress.PublishedDocuments;

/** Caches the discovery documents and key sets of OpenID providers. */
final class ProviderDirectory {
    private static final String DISCOVERY = "/.well-known/openid-configuration";

    /** Documents hardly ever change; an unknown key is fetched at once, see {@link #keys}. */
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

    /**
     * The discovery document of a provider.
     *
     * @param owner the project that the provider is set up for
     * @throws ProviderFault when the document is unavailable, or names another issuer
     */
    ProviderMetadata metadata(CallOwner owner, ProviderSpec spec) {
        String home = catalogue.home(spec);
        String address = home + DISCOVERY;
        await(metadata.fresh(owner, List.of(address)));
        ProviderMetadata found = metadata.known(address)
                .orElseThrow(() -> ProviderFault.away("its discovery document at " + address + " cannot be had"));
        String issuer = found.issuer();
        boolean own = issuer.equals(home) || issuer.equals(home + "/");
        // Azure's common document is that of all directories, each of which is an issuer of its own.
        boolean template = spec.type() == ProviderType.AZURE && issuer.contains(ANY_DIRECTORY);
        if (!own && !template) {
            throw new ProviderFault("its discovery document names another issuer, " + issuer);
        }
        return found;
    }

    /**
     * The key set at an address. For a token with an unknown key it is fetched again, at most every few seconds.
     *
     * @throws ProviderFault when the key set is unavailable
     */
    JWKSet keys(CallOwner owner, String address, SignedJWT token) {
        await(keys.fresh(owner, List.of(address)));
        if (keys.known(address).filter(set -> IdTokens.mayCheck(set, token)).isEmpty()) {
            await(keys.renewed(owner, address));
        }
        return keys.known(address).orElseThrow(() -> ProviderFault.away("its keys cannot be had"));
    }

    /** Blocks without a timeout of its own: the egress client bounds each fetch. */
    private static void await(Future<Void> fetched) {
        try {
            fetched.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw ProviderFault.away("it could not be asked");
        }
    }
}
