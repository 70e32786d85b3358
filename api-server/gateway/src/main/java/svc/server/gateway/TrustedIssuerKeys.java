package svc.server.gateway;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import svc.crds.project.auth.VerifyKeySet;
import svc.crds.project.auth.VerifyKeyType;
import svc.platform.tenancy.TokenSettings.VerifyKey;

/**
 * The keys of other token issuers that a project trusts. A key serves only algorithms of its own kind: a public key is
 * never used as a shared secret, whatever a token's header says. A token is verified with one public key at most, the
 * one that its kid names, because a stranger decides how many tokens come.
 */
final class TrustedIssuerKeys {
    /** Tried for one token: as many as a project can list in its spec. */
    private static final int MAX_SECRETS = 8;

    /** In the order of the spec. A published set may change. */
    private final List<Supplier<JWKSet>> sets;

    private TrustedIssuerKeys(List<Supplier<JWKSet>> sets) {
        this.sets = sets;
    }

    /**
     * A way to verify one token.
     *
     * @param costly whether a verification takes milliseconds
     */
    record Candidate(JWSVerifier verifier, boolean costly) {}

    /**
     * @param opened the text of a sealed key; empty if it cannot be unsealed
     * @param published the cached key set of a URL
     */
    static TrustedIssuerKeys of(
            List<VerifyKey> keys,
            Function<String, Optional<String>> opened,
            Function<String, Optional<JWKSet>> published) {
        List<Supplier<JWKSet>> sets = new ArrayList<>();
        for (VerifyKey key : keys) {
            if (key.url().isPresent()) {
                String url = key.url().get();
                sets.add(() -> published.apply(url).orElseGet(JWKSet::new));
            } else {
                key.sealed()
                        .flatMap(opened)
                        .map(text -> fixed(key.type(), text))
                        .filter(set -> !set.isEmpty())
                        .ifPresent(set -> sets.add(() -> set));
            }
        }
        return new TrustedIssuerKeys(sets);
    }

    /** Keys that cannot be read, such as points outside of their curve, are left out. */
    static JWKSet parsed(VerifyKeySet set) {
        return new JWKSet(set.keys().stream()
                .flatMap(key -> {
                    try {
                        return Stream.of(JWK.parse(key.toString()));
                    } catch (ParseException | IllegalArgumentException e) {
                        return Stream.empty();
                    }
                })
                .toList());
    }

    private static JWKSet fixed(VerifyKeyType type, String text) {
        if (type == VerifyKeyType.HS256) {
            return new JWKSet(new OctetSequenceKey.Builder(text.getBytes(StandardCharsets.UTF_8)).build());
        }
        try {
            return parsed(VerifyKeySet.read(text, VerifyKeySet.Origin.SECRET));
        } catch (IllegalArgumentException e) {
            // Sealed before the operator checked sets: an invalid one verifies nothing.
            return new JWKSet();
        }
    }

    /** The shared secrets that match a token's header, or the one public key; keys without a kid come first. */
    List<Candidate> candidates(JWSHeader header) {
        JWKMatcher named = JWKMatcher.forJWSHeader(header);
        if (named == null) {
            return List.of();
        }
        List<JWK> matching = select(named);
        if (matching.isEmpty()) {
            // A shared secret has no kid, but tokens signed with it may carry one.
            JWSHeader anonymous = new JWSHeader.Builder(header.getAlgorithm()).build();
            matching = select(JWKMatcher.forJWSHeader(anonymous)).stream()
                    .filter(key -> key.getKeyID() == null)
                    .toList();
        }
        boolean shared = matching.stream().anyMatch(key -> key instanceof OctetSequenceKey);
        return matching.stream()
                .limit(shared ? MAX_SECRETS : 1)
                .flatMap(key -> candidate(key, header).stream())
                .toList();
    }

    private List<JWK> select(JWKMatcher matcher) {
        return sets.stream()
                .flatMap(set -> new JWKSelector(matcher).select(set.get()).stream())
                .sorted(Comparator.comparing(key -> key.getKeyID() != null))
                .toList();
    }

    private static Optional<Candidate> candidate(JWK key, JWSHeader header) {
        try {
            return switch (key) {
                case OctetSequenceKey secret ->
                    Optional.of(new Candidate(new MACVerifier(secret.toByteArray()), false));
                case AsymmetricJWK pair ->
                    Optional.of(new Candidate(
                            new DefaultJWSVerifierFactory().createJWSVerifier(header, pair.toPublicKey()),
                            isCostly(key)));
                default -> Optional.empty();
            };
        } catch (JOSEException e) {
            return Optional.empty();
        }
    }

    /**
     * Measured with JDK 25: RSA of 4,096 bits 0.1 ms, P-256 0.3 ms, P-384 1.7 ms, P-521 4 ms.
     */
    private static boolean isCostly(JWK key) {
        return key instanceof ECKey point && !Curve.P_256.equals(point.getCurve());
    }
}
