package svc.server.gateway;

import com.nimbusds.jose.jwk.JWKSet;
import java.security.interfaces.ECPublicKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.database.key.ApiKey;
import svc.database.key.DerivedKey;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;
import svc.database.key.SealedText;
import svc.database.key.SigningKey;
import svc.platform.config.PurposeRoots;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.Tenant;

/**
 * The keys that one project accepts. Built from one state of the tenant and dropped with it, so that a rotated key is
 * rejected as soon as the project's new state arrives.
 */
final class TenantKeys {
    private final AcceptedCredentials.Owner credentials = new AcceptedCredentials.Owner();
    private final Tenant tenant;
    private final PurposeRoots roots;
    private final Supplier<Map<String, ECPublicKey>> signing;
    private final Supplier<TrustedIssuerKeys> foreign;
    private final Supplier<RefusedSignatures> refusals = new Lazy<>(RefusedSignatures::new);
    private final ClaimPath rolePath;

    /** @param published the cached key set of a URL */
    TenantKeys(Tenant tenant, PurposeRoots roots, Function<String, Optional<JWKSet>> published) {
        this.tenant = tenant;
        this.roots = roots;
        this.foreign = new Lazy<>(() -> TrustedIssuerKeys.of(tenant.tokens().verifyKeys(), this::opened, published));
        this.rolePath = tenant.rest().roleClaim().flatMap(ClaimPath::of).orElse(ClaimPath.ROLE);
        // Deriving a key pair takes a millisecond and most requests carry no token, so it is done for the first token.
        this.signing = new Lazy<>(this::signingKeys);
    }

    /** Under which the accepted credentials of this state are remembered. */
    AcceptedCredentials.Owner credentials() {
        return credentials;
    }

    boolean acceptsAnon(String presented) {
        return accepts(presented, Purpose.ANON_KEY);
    }

    boolean acceptsService(String presented) {
        return accepts(presented, Purpose.SERVICE_KEY);
    }

    /** The public key that a token names; empty if it does not belong to the project. */
    Optional<ECPublicKey> signingKey(String keyId) {
        return Optional.ofNullable(signing.get().get(keyId));
    }

    /** Keys of other token issuers that the project trusts. */
    TrustedIssuerKeys trustedIssuerKeys() {
        return foreign.get();
    }

    /** Signatures that were wrong a moment ago. */
    RefusedSignatures refusals() {
        return refusals.get();
    }

    /** The audience that a token's {@code aud} must contain if it has one. */
    Optional<String> audience() {
        return tenant.tokens().audience();
    }

    /** Whether tokens name roles of an adopted database rather than the three kinds of caller. */
    boolean namesRoles() {
        return tenant.adoption().isPresent();
    }

    /** The claim in which a token of an adopted database names its role. */
    ClaimPath rolePath() {
        return rolePath;
    }

    private Optional<String> opened(String sealed) {
        return roots.find(Purpose.SEALED, tenant.masterKeyVersion())
                .map(root -> root.leaf(tenant.scope().withKeyVersion(Adoption.KEY_VERSION)))
                .flatMap(leaf -> SealedText.open(leaf, SealedText.Use.VERIFY_KEY, sealed));
    }

    /** The {@code iss} that the project's auth service writes. */
    String issuer() {
        return tenant.authUrl();
    }

    private boolean accepts(String presented, Purpose purpose) {
        PurposeRoot root = roots.require(purpose, tenant.masterKeyVersion());
        return ApiKey.matchingVersion(presented, root, tenant.scope(), versions(purpose))
                .isPresent();
    }

    private Map<String, ECPublicKey> signingKeys() {
        PurposeRoot root = roots.require(Purpose.SIGNING, tenant.masterKeyVersion());
        Map<String, ECPublicKey> keys = new HashMap<>();
        for (int version : versions(Purpose.SIGNING)) {
            DerivedKey leaf = root.leaf(tenant.scope().withKeyVersion(version));
            SigningKey key = SigningKey.of(leaf);
            keys.put(key.keyId(), key.publicKey());
        }
        return Map.copyOf(keys);
    }

    private Set<Integer> versions(Purpose purpose) {
        return tenant.keyVersions().getOrDefault(purpose, Set.of(1));
    }

    /** Computes its value once, on the first thread that needs it. */
    private static final class Lazy<T> implements Supplier<T> {
        private Supplier<T> source;
        private T value;

        Lazy(Supplier<T> source) {
            this.source = source;
        }

        @Override
        public synchronized T get() {
            if (source != null) {
                value = source.get();
                source = null;
            }
            return value;
        }
    }
}
