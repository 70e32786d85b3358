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
 * Whether an ID token is one (OpenID Connect Core 1.0, 3.1.3.7): signed with a key that its issuer publishes, by an
 * algorithm with public keys only, for this project, and in force. Keys come from the published set alone; what a token's
 * header says of keys is never looked at but for {@code kid}.
 */
final class IdTokens {
    private static final int MAX_CHARACTERS = 32 * 1024;

    // With none of the HMAC family, for then a public key would be taken for a shared secret; and without "none".
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

    /** A key set, but for keys that it would take long to check a signature with, or that are too weak to prove anything. */
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

    /** @throws ProviderFault for what is no token that could be checked */
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

    /** Whether the set has a key that may have signed the token. */
    static boolean mayCheck(JWKSet keys, SignedJWT token) {
        JWSHeader header = token.getHeader();
        return !new JWKSelector(JWKMatcher.forJWSHeader(header)).select(keys).isEmpty();
    }

    /**
     * @param issuer whose token it has to be
     * @param clients names of the project there, one of which it has to be for
     * @throws ProviderFault for a token that proves nothing to this project now
     */
    JWTClaimsSet checked(SignedJWT token, JWKSet keys, String issuer, Set<String> clients) {
        var processor = new DefaultJWTProcessor<SecurityContext>();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, new ImmutableJWKSet<>(keys)));
        processor.setJWTClaimsSetVerifier(
                // The library asks whether null is among the audiences, which an immutable set does not bear.
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
                throw new ProviderFault("the ID token names nobody");
            }
            return claims;
        } catch (BadJWTException e) {
            throw new ProviderFault("the ID token is not in force here: " + e.getMessage());
        } catch (BadJOSEException | JOSEException e) {
            throw new ProviderFault("the signature of the ID token does not hold");
        }
    }

    /** With several audiences, the one it was issued to has to be the project. */
    private static void requireParty(JWTClaimsSet claims, Set<String> clients) {
        if (claims.getAudience().size() > 1 && !clients.contains(text(claims, "azp"))) {
            throw new ProviderFault("the ID token was issued to somebody else");
        }
    }

    /** Whether a token was issued together with an access token; so is one that does not say. */
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

    /** Empty when the claim is absent or no text. */
    static String text(JWTClaimsSet claims, String name) {
        return claims.getClaim(name) instanceof String text ? text : "";
    }
}
