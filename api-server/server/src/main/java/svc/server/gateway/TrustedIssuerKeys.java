package svc.server.gateway;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.SecretJWK;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import svc.crds.project.auth.VerifyKeyType;
import svc.platform.tenancy.TokenSettings.VerifyKey;

/**
 * The keys of other token issuers that a project trusts. A key serves only algorithms of its own kind: a public key is
 * never used as a shared secret, whatever a token's header says.
 */
final class TrustedIssuerKeys {
    private final List<Source> sources;

    /** One key, or a key set that may change. */
    private interface Source {
        List<JWK> matching(JWSHeader header);
    }

    private TrustedIssuerKeys(List<Source> sources) {
        this.sources = sources;
    }

    /**
     * @param opened the text of a sealed key; empty if it cannot be unsealed
     * @param published the cached key set of a URL
     */
    static TrustedIssuerKeys of(
            List<VerifyKey> keys,
            Function<String, Optional<String>> opened,
            Function<String, Optional<JWKSet>> published) {
        List<Source> sources = new ArrayList<>();
        for (VerifyKey key : keys) {
            if (key.url().isPresent()) {
                String url = key.url().get();
                sources.add(header ->
                        published.apply(url).map(set -> matching(set, header)).orElse(List.of()));
            } else {
                key.sealed()
                        .flatMap(opened)
                        .flatMap(text -> fixed(key.type(), text))
                        .ifPresent(sources::add);
            }
        }
        return new TrustedIssuerKeys(sources);
    }

    boolean isEmpty() {
        return sources.isEmpty();
    }

    /** Verifiers of the keys that match a token's header. */
    List<JWSVerifier> verifiers(JWSHeader header) {
        return sources.stream()
                .flatMap(source -> source.matching(header).stream())
                .flatMap(key -> verifier(key, header).stream())
                .toList();
    }

    private static Optional<Source> fixed(VerifyKeyType type, String text) {
        try {
            JWKSet set = type == VerifyKeyType.HS256
                    ? new JWKSet(new OctetSequenceKey.Builder(text.getBytes(StandardCharsets.UTF_8)).build())
                    : JWKSet.parse(text);
            return Optional.of(header -> matching(set, header));
        } catch (ParseException e) {
            // The operator stores the Secret's value unchecked; an invalid key set verifies nothing.
            return Optional.empty();
        }
    }

    /** By key type, and by kid if both have one. */
    private static List<JWK> matching(JWKSet set, JWSHeader header) {
        JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
        if (matcher == null) {
            return List.of();
        }
        List<JWK> named = new JWKSelector(matcher).select(set);
        return named.isEmpty() ? withoutId(set, header) : named;
    }

    /** A shared secret has no kid, but tokens signed with it may carry one. */
    private static List<JWK> withoutId(JWKSet set, JWSHeader header) {
        JWSHeader anonymous = new JWSHeader.Builder(header.getAlgorithm()).build();
        return Stream.of(JWKMatcher.forJWSHeader(anonymous))
                .flatMap(matcher -> new JWKSelector(matcher).select(set).stream())
                .filter(key -> key.getKeyID() == null)
                .toList();
    }

    private static Optional<JWSVerifier> verifier(JWK key, JWSHeader header) {
        try {
            if (key instanceof OctetSequenceKey secret) {
                return Optional.of(new MACVerifier(secret.toByteArray()));
            }
            return publicKey(key).flatMap(found -> byFactory(header, found));
        } catch (JOSEException e) {
            return Optional.empty();
        }
    }

    private static Optional<JWSVerifier> byFactory(JWSHeader header, Key key) {
        try {
            return Optional.of(new DefaultJWSVerifierFactory().createJWSVerifier(header, key));
        } catch (JOSEException e) {
            return Optional.empty();
        }
    }

    private static Optional<Key> publicKey(JWK key) throws JOSEException {
        return switch (key) {
            case SecretJWK unused -> Optional.empty();
            case AsymmetricJWK pair -> Optional.of(pair.toPublicKey());
            default -> Optional.empty();
        };
    }
}
