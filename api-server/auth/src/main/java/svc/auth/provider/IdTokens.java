package svc.auth.provider;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validates ID tokens (OpenID Connect Core 1.0, 3.1.3.7): signed with a published key of the issuer, by an asymmetric
 * algorithm, for this project, and not expired.
 *
 * <p>Hazard: keys come only from the published set; of the token's header only {@code kid} is used.
 */
final class IdTokens {
    private static final int MAX_CHARACTERS = 32 * 1024;

    // Without HMAC, for which a public key would serve as the shared secret, and without "none".
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 8192;
    private static final int MAX_RSA_EXPONENT_BITS = 64;

    private final Clock clock;

    IdTokens(Clock clock) {
        this.clock = clock;
    }

    /** A key set without weak keys, and without keys whose size makes the verification slow. */
    static JWKSet keys(String text) throws ParseException, JOSEException {
        List<JWK> sound = JWKSet.parse(text).getKeys().stream()
                .filter(IdTokens::isSound)
                .map(JWK::toPublicJWK)
                .toList();
        return new JWKSet(sound);
    }

    private static boolean isSound(JWK key) {
        if (key instanceof RSAKey rsa) {
            int bits = rsa.getModulus().decodeToBigInteger().bitLength();
            int exponent = rsa.getPublicExponent().decodeToBigInteger().bitLength();
            return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS && exponent <= MAX_RSA_EXPONENT_BITS;
        }
        return key instanceof ECKey;
    }

    /** @throws ProviderFault for a malformed token and for a forbidden algorithm */
    static SignedJWT parsed(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw new ProviderFault("the ID token is longer than " + MAX_CHARACTERS + " characters");
        }
        try {
            SignedJWT token = SignedJWT.parse(text);
            if (!ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
                throw new ProviderFault(
                        "the ID token is signed by " + token.getHeader().getAlgorithm() + ", which proves nothing");
            }
            return token;
        } catch (ParseException | IllegalArgumentException e) {
            throw new ProviderFault("the ID token cannot be read");
        }
    }

    /** Whether the set has a key that matches the token's header. */
    static boolean mayCheck(JWKSet keys, SignedJWT token) {
        JWSHeader header = token.getHeader();
        return !new JWKSelector(JWKMatcher.forJWSHeader(header)).select(keys).isEmpty();
    }

    /**
     * @param issuer the required issuer
     * @param clients the project's client ids, one of which has to be the audience
     * @throws ProviderFault for a token that is not valid
     */
    JWTClaimsSet checked(SignedJWT token, JWKSet keys, String issuer, Set<String> clients) {
        var processor = new DefaultJWTProcessor<SecurityContext>();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, new ImmutableJWKSet<>(keys)));
        processor.setJWTClaimsSetVerifier(
                // The library calls contains(null) on the audiences, which throws for an immutable set.
                new DefaultJWTClaimsVerifier<>(
                        new HashSet<>(clients),
                        new JWTClaimsSet.Builder().issuer(issuer).build(),
                        Set.of("sub", "exp", "iat"),
                        Set.of()) {
                    @Override
                    protected Date currentTime() {
                        return Date.from(clock.instant());
                    }
                });
        try {
            JWTClaimsSet claims = processor.process(token, null);
            requireParty(claims, clients);
            if (claims.getSubject().isBlank()) {
                throw new ProviderFault("the ID token has no subject");
            }
            return claims;
        } catch (BadJWTException e) {
            throw new ProviderFault("the ID token is not in force here: " + e.getMessage());
        } catch (BadJOSEException | JOSEException e) {
            throw new ProviderFault("the signature of the ID token does not hold");
        }
    }

    /** With several audiences, the authorized party has to be the project. */
    private static void requireParty(JWTClaimsSet claims, Set<String> clients) {
        if (claims.getAudience().size() > 1 && !clients.contains(text(claims, "azp"))) {
            throw new ProviderFault("the ID token was issued to another client");
        }
    }

    /** Whether the claim {@code at_hash} matches the access token; true without the claim. */
    static boolean belongsTo(SignedJWT token, JWTClaimsSet claims, String accessToken) {
        String hash = text(claims, "at_hash");
        if (hash.isEmpty()) {
            return true;
        }
        String algorithm = token.getHeader().getAlgorithm().getName();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-" + algorithm.substring(2))
                    .digest(accessToken.getBytes(StandardCharsets.US_ASCII));
            String half =
                    Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, digest.length / 2));
            return MessageDigest.isEqual(
                    half.getBytes(StandardCharsets.US_ASCII), hash.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Empty when the claim is absent or not a text. */
    static String text(JWTClaimsSet claims, String name) {
        return claims.getClaim(name) instanceof String text ? text : "";
    }
}
