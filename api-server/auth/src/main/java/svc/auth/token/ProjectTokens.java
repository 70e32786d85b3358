package svc.auth.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.database.key.DerivedKey;
import svc.database.key.Purpose;
import svc.database.key.PurposeRoot;
import svc.database.key.RefreshTokenKey;
import svc.database.key.SigningKey;
import svc.platform.config.PurposeRoots;
import svc.platform.tenancy.Tenant;

/** Signs a project's tokens: access tokens with ES256 and the newest active key, refresh tokens with a key of their own. */
public final class ProjectTokens {
    private static final int MAX_TENANTS = 10_000;
    private static final Duration IDLE = Duration.ofMinutes(10);

    /**
     * Of the key of refresh tokens. A rotation of the signing keys does not change it: the rotation invalidates access tokens,
     * which are short-lived, while sessions continue.
     */
    private static final int REFRESH_KEY_VERSION = 1;

    private final PurposeRoots roots;
    // By identity: a tenant's new state is a new object, and the keys of the old one must not be used.
    private final Cache<Tenant, Keys> keys = Caffeine.newBuilder()
            .weakKeys()
            .maximumSize(MAX_TENANTS)
            .expireAfterAccess(IDLE)
            .build();

    public ProjectTokens(PurposeRoots roots) {
        this.roots = roots;
    }

    private record Keys(
            ECDSASigner signer,
            String keyId,
            RefreshTokens refresh,
            OneTimeSecrets oneTime,
            List<Map<String, String>> published) {}

    /** @param claims as JSON text */
    public String sign(Tenant tenant, String claims) {
        Keys own = of(tenant);
        var token = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(JOSEObjectType.JWT)
                        .keyID(own.keyId())
                        .build(),
                new Payload(claims));
        try {
            token.sign(own.signer());
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("while signing a token of " + tenant.ref(), e);
        }
    }

    public RefreshTokens refresh(Tenant tenant) {
        return of(tenant).refresh();
    }

    public OneTimeSecrets oneTime(Tenant tenant) {
        return of(tenant).oneTime();
    }

    /** The public keys of all active versions, as JWKs (RFC 7517), the signing one first. */
    public List<Map<String, String>> published(Tenant tenant) {
        return of(tenant).published();
    }

    private Keys of(Tenant tenant) {
        return keys.get(tenant, this::derive);
    }

    private Keys derive(Tenant tenant) {
        PurposeRoot root = roots.require(Purpose.SIGNING, tenant.masterKeyVersion());
        Set<Integer> versions = tenant.keyVersions().getOrDefault(Purpose.SIGNING, Set.of(1));
        List<SigningKey> signing = versions.stream()
                .sorted(Collections.reverseOrder())
                .map(version -> SigningKey.of(root.leaf(tenant.scope().withKeyVersion(version))))
                .toList();
        DerivedKey refresh = root.leaf(tenant.scope().withKeyVersion(REFRESH_KEY_VERSION));
        try {
            return new Keys(
                    new ECDSASigner(signing.getFirst().privateKey()),
                    signing.getFirst().keyId(),
                    new RefreshTokens(RefreshTokenKey.of(refresh)),
                    new OneTimeSecrets(RefreshTokenKey.of(refresh)),
                    signing.stream().map(SigningKey::publicJwk).toList());
        } catch (JOSEException e) {
            throw new IllegalStateException("a signing key of " + tenant.ref() + " cannot sign", e);
        }
    }
}
