package svc.api.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.api.auth.ProviderForTests.queryOf;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.api.auth.AuthForTests.Answer;
import svc.api.auth.ProviderForTests.Reply;
import svc.api.testing.TestingProjects;

/** Promise: what comes back from a provider is believed only if it is the answer to that visit, from there, and in force. */
class HostileProviderTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final ProviderForTests PROVIDER = AUTH.provider();
    private static final ProviderVisits VISITS = new ProviderVisits(AUTH, "shop2345");
    private static final ProviderVisits OTHER = new ProviderVisits(AUTH, "other234");
    private static final CountDownLatch END = new CountDownLatch(1);

    /** Of the same name as the provider's. */
    private static final RSAKey OWN = ProviderForTests.newKey("key-1");

    static {
        VISITS.project("shop2345", "");
        VISITS.project("other234", "");
    }

    @AfterAll
    static void close() {
        END.countDown();
        AUTH.close();
    }

    @BeforeEach
    void aUserComes() {
        PROVIDER.reset(Map.of("sub", "ann", "email", "ann@example.com", "email_verified", true));
    }

    private static void assertRefused(String landing, String code) {
        assertThat(queryOf(landing)).as(landing).containsEntry("error_code", code);
        assertThat(landing).doesNotContain("access_token", "refresh-of-provider", "access-of-provider", "?code=");
    }

    private static String code(Map<String, String> returned) {
        return "state=" + returned.get("state") + "&code=" + returned.get("code");
    }

    private static String landed(ProviderVisits visits, String query, String cookie) {
        return visits.location(visits.back("http://x/?" + query, cookie));
    }

    @ParameterizedTest
    @CsvSource({
        "code=a, bad_oauth_callback",
        "code=a&state=x, bad_oauth_state",
        "code=a&state=8d6a3a52-6f7d-4f4b-9d70-5f5d9f2b6a11, flow_state_not_found",
        "error=access_denied&state=8d6a3a52-6f7d-4f4b-9d70-5f5d9f2b6a11, flow_state_not_found",
        "'', bad_oauth_callback",
    })
    void anAnswerToNothingEndsOnTheSite(String query, String code) {
        String landing = landed(VISITS, query, "");
        assertThat(landing).startsWith("https://site.example?error=");
        assertRefused(landing, code);
    }

    @Test
    void anAnswerIsHeardOnce() {
        Answer sent = VISITS.authorize("provider=company");
        String callback = VISITS.authorized(queryOf(VISITS.location(sent)));
        assertThat(VISITS.location(VISITS.back(callback, ProviderVisits.cookie(sent))))
                .contains("access_token");
        assertRefused(VISITS.location(VISITS.back(callback, ProviderVisits.cookie(sent))), "flow_state_already_used");
    }

    @Test
    void aFlowIsNotAnsweredInAnotherProject() {
        Map<String, String> returned =
                VISITS.returned(VISITS.authorized(queryOf(VISITS.entrance("provider=company&" + VISITS.challenge()))));
        assertRefused(landed(OTHER, code(returned), ""), "flow_state_not_found");
        assertThat(landed(VISITS, code(returned), "")).contains("?code=");
    }

    @Test
    void aFlowIsNotAnsweredAnHourLater() {
        Map<String, String> returned =
                VISITS.returned(VISITS.authorized(queryOf(VISITS.entrance("provider=company&" + VISITS.challenge()))));
        AUTH.pass(Duration.ofMinutes(11));
        assertRefused(landed(VISITS, code(returned), ""), "flow_state_expired");
    }

    @Test
    void aBrowserIsNotSignedInByAnotherOnesAnswer() {
        Answer mine = VISITS.authorize("provider=company");
        Answer yours = VISITS.authorize("provider=company");
        String callback = VISITS.authorized(queryOf(VISITS.location(mine)));
        assertRefused(VISITS.location(VISITS.back(callback, "")), "bad_oauth_state");
        assertRefused(VISITS.location(VISITS.back(callback, ProviderVisits.cookie(yours))), "bad_oauth_state");
        assertThat(VISITS.location(VISITS.back(callback, ProviderVisits.cookie(mine))))
                .contains("access_token");
    }

    @Test
    void aCodeOfAnotherVisitCannotBeSlippedIn() {
        Map<String, String> mine =
                VISITS.returned(VISITS.authorized(queryOf(VISITS.entrance("provider=company&" + VISITS.challenge()))));
        Map<String, String> yours =
                VISITS.returned(VISITS.authorized(queryOf(VISITS.entrance("provider=company&" + VISITS.challenge()))));
        assertRefused(
                landed(VISITS, "state=" + mine.get("state") + "&code=" + yours.get("code"), ""), "bad_oauth_callback");
    }

    @Test
    void aTokenOfAnotherVisitCannotEither() {
        PROVIDER.claims(set -> set.claim("nonce", "of another visit"));
        assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
        PROVIDER.claims(set -> set.claim("nonce", null));
        assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
    }

    @Test
    void theAnswerOfAnotherProviderIsNotThisOnes() {
        Map<String, String> returned =
                VISITS.returned(VISITS.authorized(queryOf(VISITS.entrance("provider=company&" + VISITS.challenge()))));
        assertRefused(landed(VISITS, code(returned) + "&iss=https://evil.example", ""), "bad_oauth_callback");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/",
                "https://shop.example.evil.example/",
                "javascript:alert(1)",
                "//evil.example",
                "https://shop.example@evil.example/",
                "https://site.example:444/"
            })
    void aLinkLeadsNowhereElse(String target) {
        String landing = VISITS.landing(
                "provider=company&redirect_to=" + java.net.URLEncoder.encode(target, StandardCharsets.UTF_8));
        assertThat(landing).startsWith("https://site.example#access_token");
    }

    @Test
    void whatAProviderSaysOfAFailureIsNoMoreThanText() {
        Answer sent = VISITS.authorize("provider=company&redirect_to=https://shop.example/x");
        String state = queryOf(VISITS.location(sent)).get("state");
        String landing = landed(
                VISITS,
                "state=" + state
                        + "&error=access_denied&error_description=No%0d%0aSet-Cookie:+a%3Db%26access_token%3Dx",
                ProviderVisits.cookie(sent));
        assertThat(landing)
                .startsWith("https://shop.example/x?error=access_denied")
                .doesNotContain("\r", "\n");
        assertThat(queryOf(landing)).doesNotContainKey("access_token");
        assertThat(queryOf(landing).get("error_description")).contains("access_token=x");
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
                        own);
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

    @Test
    void whatAProviderPublishesIsKept() {
        AUTH.pass(Duration.ofHours(2));
        for (int i = 0; i < 3; i++) {
            VISITS.landing("provider=company");
        }
        assertThat(PROVIDER.calls().stream().filter(path -> path.endsWith("openid-configuration")))
                .hasSizeLessThan(2);
        assertThat(PROVIDER.calls().stream().filter(path -> path.equals("/realm/jwks")))
                .hasSizeLessThan(2);
    }

    /** Another provider than all before, whose documents nobody has kept. */
    private static void fresh(String issuer) {
        String spec = VISITS.spec("")
                .replaceFirst(
                        "\"name\":\"company\",\"type\":\"Oidc\"([^}]*})?,\"issuer\":\"[^\"]*\"",
                        "\"name\":\"company\",\"type\":\"Oidc\"$1,\"issuer\":\"" + issuer + "\"");
        assertThat(spec).contains(issuer);
        AUTH.settings("shop2345", spec);
    }

    private static String discovery(String issuer, String member, String value) {
        return ("{\"issuer\":\"" + issuer + "\",\"authorization_endpoint\":\"" + PROVIDER.issuer()
                        + "/authorize\",\"token_endpoint\":\"" + PROVIDER.issuer() + "/token\",\"jwks_uri\":\""
                        + PROVIDER.issuer() + "/jwks\",\"userinfo_endpoint\":\"" + PROVIDER.issuer() + "/userinfo\"}")
                .replaceFirst("\"" + member + "\":\"[^\"]*\"", "\"" + member + "\":\"" + value + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1",
                "http://169.254.169.254",
                "http://127.0.0.2",
                "http://[::1]",
                "http://[::ffff:10.0.0.1]",
                "http://metadata.google.internal",
                "http://kubernetes.default.svc"
            })
    void aProviderInsideIsNotCalled(String issuer) {
        try {
            fresh(issuer);
            Answer refused = VISITS.authorize("provider=company");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text("error_code")).isEqualTo("unexpected_failure");
            Answer token = AUTH.post(
                    "shop2345",
                    "/token?grant_type=id_token",
                    "{\"provider\":\"company\",\"id_token\":\"" + PROVIDER.idToken(Map.of()) + "\"}");
            assertThat(token.status()).isEqualTo(503);
        } finally {
            AUTH.settings("shop2345", VISITS.spec(""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token_endpoint", "jwks_uri", "userinfo_endpoint"})
    void noPlaceInsideIsCalledThatAPublicDocumentNames(String member) {
        String path = "/names-" + member.replace('_', '-');
        String issuer = PROVIDER.home() + path;
        PROVIDER.instead(
                path + "/.well-known/openid-configuration",
                exchange -> new Reply(
                        200,
                        discovery(
                                issuer,
                                member,
                                "http://127.0.0.2:" + URI.create(issuer).getPort() + "/inside")));
        PROVIDER.claims(set -> set.issuer(issuer).claim("email", null));
        try {
            fresh(issuer);
            assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
            assertThat(PROVIDER.calls()).doesNotContain("/inside");
        } finally {
            AUTH.settings("shop2345", VISITS.spec(""));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "issuer, https://accounts.google.com",
        "authorization_endpoint, javascript:alert(1)",
        "token_endpoint, file:///etc/passwd",
        "jwks_uri, ''",
        "token_endpoint, no address at all"
    })
    void aDocumentThatIsNotThisProvidersIsNotBelieved(String member, String value) {
        String path = "/lies-" + Math.abs((member + value).hashCode());
        String issuer = PROVIDER.home() + path;
        PROVIDER.instead(
                path + "/.well-known/openid-configuration",
                exchange -> new Reply(200, discovery(issuer, member, value)));
        try {
            fresh(issuer);
            assertThat(VISITS.authorize("provider=company").status()).isEqualTo(503);
        } finally {
            AUTH.settings("shop2345", VISITS.spec(""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/realm/token", "/realm/userinfo"})
    void whatIsTooLongTooSlowOrNothingEndsTheVisit(String path) {
        PROVIDER.claims(set -> set.claim("email", null));
        for (Reply reply : List.of(
                new Reply(200, "x".repeat(300_000)),
                new Reply(200, "no JSON"),
                new Reply(200, "[]"),
                new Reply(500, "{\"error\":\"<script>\"}"),
                new Reply(302, ""))) {
            PROVIDER.instead(path, exchange -> reply);
            assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
        }
    }

    @Test
    void aProviderThatNeverAnswersIsGivenUp() {
        PROVIDER.instead("/realm/token", exchange -> {
            try {
                END.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Reply(200, "{}");
        });
        assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
    }

    @Test
    void userinfoOfSomebodyElseIsNotTaken() {
        PROVIDER.claims(set -> set.claim("email", null));
        PROVIDER.instead(
                "/realm/userinfo",
                exchange -> new Reply(200, "{\"sub\":\"bob\",\"email\":\"bob@example.com\",\"email_verified\":true}"));
        assertRefused(VISITS.landing("provider=company"), "bad_oauth_callback");
    }

    @Test
    void noSecretReachesTheAddressOrTheAnswer() {
        PROVIDER.instead(
                "/realm/token",
                exchange -> new Reply(
                        400,
                        "{\"error\":\"invalid_client\",\"error_description\":\"" + "secret "
                                + ProviderForTests.SECRET.replace("\"", "") + "\"}"));
        String landing = VISITS.landing("provider=company");
        assertRefused(landing, "bad_oauth_callback");
        assertThat(queryOf(landing).get("error_description"))
                .contains("invalid_client")
                .doesNotContain(ProviderForTests.SECRET);
        assertThat(VISITS.entrance("provider=company&" + VISITS.challenge())).doesNotContain("cret");
    }
}
