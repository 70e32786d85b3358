package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.auth.ProviderForTests.queryOf;
import static svc.auth.ProviderVisits.assertRefused;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.ProviderForTests.Reply;
import svc.testing.TestingProjects;

/** Promise: what comes back from a provider is believed only if it is the answer to that visit, from there, and in force. */
class HostileProviderTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final ProviderForTests PROVIDER = AUTH.provider();
    private static final ProviderVisits VISITS = new ProviderVisits(AUTH, "shop2345");
    private static final ProviderVisits OTHER = new ProviderVisits(AUTH, "other234");
    private static final CountDownLatch END = new CountDownLatch(1);

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

    /** Another provider than all before, whose documents are in no cache. */
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
        String path = "/lies-" + Integer.toHexString((member + value).hashCode());
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
    void userinfoOfAnotherSubjectIsRefused() {
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
