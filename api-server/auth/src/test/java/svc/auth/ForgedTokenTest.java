package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.auth.ProviderVisits.assertRefused;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.testing.TestingProjects;

/** Promise: an ID token proves something only if the provider signed it, for this project, for now. */
class ForgedTokenTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final ProviderForTests PROVIDER = AUTH.provider();
    private static final ProviderVisits VISITS = new ProviderVisits(AUTH, "shop2345");

    /** Of the same name as the provider's. */
    private static final RSAKey OWN = ProviderForTests.newKey("key-1");

    static {
        VISITS.project("shop2345", "");
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    @BeforeEach
    void aUserComes() {
        PROVIDER.reset(Map.of("sub", "ann", "email", "ann@example.com", "email_verified", true));
    }

    private static Map<String, UnaryOperator<JWTClaimsSet.Builder>> notInForce() {
        Date past = Date.from(AUTH.clock().instant().minus(Duration.ofHours(1)));
        Date future = Date.from(AUTH.clock().instant().plus(Duration.ofHours(1)));
        return Map.of(
                "expired", set -> set.expirationTime(past),
                "without an end", set -> set.expirationTime(null),
                "not yet", set -> set.notBeforeTime(future),
                "issued by another", set -> set.issuer("https://evil.example"),
                "for another", set -> set.audience("somebody else"),
                "for two, given to another",
                        set -> set.audience(List.of(ProviderForTests.CLIENT, "b"))
                                .claim("azp", "b"),
                "for two, given to nobody", set -> set.audience(List.of(ProviderForTests.CLIENT, "b")),
                "given to another", set -> set.claim("azp", "b"),
                "of nobody", set -> set.subject(null),
                "with another access token", set -> set.claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"));
    }

    static Stream<String> timesAndNames() {
        return notInForce().keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("timesAndNames")
    void aTokenThatIsNotInForceForThisProjectIsNotBelieved(String fault) {
        PROVIDER.claims(notInForce().get(fault));
        assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
    }

    private static String made(JWSHeader header, JWTClaimsSet set, RSAKey key) {
        try {
            var token = new SignedJWT(header, set);
            token.sign(new RSASSASigner(key.toPrivateKey(), true));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A public key in PEM, taken for a shared secret. */
    private static String byPublicKey(JWTClaimsSet set) {
        try {
            byte[] secret = ("-----BEGIN PUBLIC KEY-----\n"
                            + Base64.getMimeEncoder()
                                    .encodeToString(PROVIDER.key().toPublicKey().getEncoded())
                            + "\n-----END PUBLIC KEY-----\n")
                    .getBytes(StandardCharsets.UTF_8);
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("key-1").build(), set);
            token.sign(new MACSigner(secret));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String forged(String how, JWTClaimsSet set) {
        var header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("key-1");
        String good = PROVIDER.signed(set);
        return switch (how) {
            case "none" -> new PlainJWT(set).serialize();
            case "hmac by the public key" -> byPublicKey(set);
            case "a key of one's own" -> made(header.build(), set, OWN);
            case "a key in the header" -> made(header.jwk(OWN.toPublicJWK()).build(), set, OWN);
            case "a key set named in the header" ->
                made(header.jwkURL(URI.create("https://evil.example/jwks")).build(), set, OWN);
            case "a path for a key id" ->
                made(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID("../../dev/null' OR 1=1 --")
                                .build(),
                        set,
                        OWN);
            case "a header that must be understood" ->
                made(
                        header.criticalParams(java.util.Set.of("exp"))
                                .customParam("exp", 1)
                                .build(),
                        set,
                        PROVIDER.key());
            case "a token of another kind" ->
                made(header.type(new JOSEObjectType("at+jwt")).build(), set, PROVIDER.key());
            case "no signature" -> good.substring(0, good.lastIndexOf('.') + 1);
            case "other claims" -> {
                String[] parts = good.split("\\.");
                String other = Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(new JWTClaimsSet.Builder(set)
                                .subject("admin")
                                .build()
                                .toString()
                                .getBytes(StandardCharsets.UTF_8));
                yield parts[0] + "." + other + "." + parts[2];
            }
            case "longer than any" -> good + "A".repeat(40_000);
            default -> how;
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "hmac by the public key",
                "a key of one's own",
                "a key in the header",
                "a key set named in the header",
                "a path for a key id",
                "a header that must be understood",
                "a token of another kind",
                "no signature",
                "other claims",
                "longer than any",
                "",
                "..",
                "e30.e30.",
                "no token"
            })
    void aForgedTokenIsNotBelieved(String how) {
        PROVIDER.signer(set -> forged(how, set));
        assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
        assertThat(PROVIDER.calls()).allMatch(path -> path.startsWith("/realm/"));
    }

    @Test
    void aRotatedKeyIsAskedForAndAWeakOneIsNotTaken() throws Exception {
        assertThat(VISITS.landing("provider=company")).contains("access_token");
        AUTH.pass(Duration.ofSeconds(30));
        PROVIDER.rotate(ProviderForTests.newKey("key-" + UUID.randomUUID()));
        assertThat(VISITS.landing("provider=company")).contains("access_token");
        AUTH.pass(Duration.ofSeconds(30));
        RSAKey weak = new com.nimbusds.jose.jwk.gen.RSAKeyGenerator(1024, true)
                .keyID("weak")
                .generate();
        RSAKey sound = PROVIDER.key();
        PROVIDER.rotate(weak);
        PROVIDER.signer(set ->
                made(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("weak").build(), set, weak));
        try {
            assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
        } finally {
            PROVIDER.rotate(sound);
            AUTH.pass(Duration.ofHours(2));
        }
    }
}
