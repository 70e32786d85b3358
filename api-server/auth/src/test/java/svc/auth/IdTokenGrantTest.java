package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.auth.ProviderForTests.queryOf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.testing.TestingProjects;

/** Promise: ID tokens that applications bring are checked as those that we fetch; users link and unlink identities. */
class IdTokenGrantTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final ProviderForTests PROVIDER = AUTH.provider();
    private static final ProviderVisits VISITS = new ProviderVisits(AUTH, "shop2345");

    static {
        VISITS.project("shop2345", "");
    }

    private String subject;

    @AfterAll
    static void close() {
        AUTH.close();
    }

    @BeforeEach
    void aNewSubject() {
        subject = "s" + UUID.randomUUID().toString().substring(0, 8);
        PROVIDER.reset(Map.of("sub", subject, "email", subject + "@example.com", "email_verified", true));
    }

    private static Answer grant(String token, Map<String, Object> more, String bearer) {
        ObjectNode body = AuthForTests.JSON.valueToTree(more);
        body.put("id_token", token);
        if (!body.has("provider") && !body.has("issuer")) {
            body.put("provider", "google");
        }
        return AUTH.call("shop2345", "POST", "/token?grant_type=id_token", bearer, body.toString());
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aTokenIsASessionForWhomItNames() {
        Answer session = grant(PROVIDER.idToken(Map.of()), Map.of(), null);
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.body().path("user").path("email").asText()).isEqualTo(subject + "@example.com");
        assertThat(session.body()
                        .path("user")
                        .path("app_metadata")
                        .path("provider")
                        .asText())
                .isEqualTo("google");
        String app = PROVIDER.signed(PROVIDER.claims("app-client", Map.of()));
        assertThat(grant(app, Map.of(), null).status()).isEqualTo(200);
        assertThat(grant(PROVIDER.idToken(Map.of("azp", "android")), Map.of(), null)
                        .status())
                .isEqualTo(200);
        Answer older = grant(
                PROVIDER.idToken(Map.of()),
                Map.of("issuer", PROVIDER.issuer(), "client_id", ProviderForTests.CLIENT),
                null);
        assertThat(older.status()).isEqualTo(200);
    }

    @Test
    void aNonceIsInBothOrInNeither() throws Exception {
        String with = PROVIDER.idToken(Map.of("nonce", sha256("a nonce")));
        assertThat(grant(with, Map.of("nonce", "a nonce"), null).status()).isEqualTo(200);
        for (Answer refused : List.of(
                grant(with, Map.of(), null),
                grant(with, Map.of("nonce", "another"), null),
                grant(with, Map.of("nonce", sha256("a nonce")), null),
                grant(PROVIDER.idToken(Map.of()), Map.of("nonce", "a nonce"), null))) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("error")).startsWith("invalid ");
            assertThat(refused.text("error_description")).containsIgnoringCase("nonce");
        }
    }

    @Test
    void whatProvesNothingIsRefused() {
        assertThat(grant(PROVIDER.signed(PROVIDER.claims("another", Map.of())), Map.of(), null)
                        .text("error_description"))
                .startsWith("Bad ID token");
        assertThat(grant(
                                PROVIDER.idToken(Map.of("at_hash", "AAAAAAAAAAAAAAAAAAAAAA")),
                                Map.of("access_token", "access"),
                                null)
                        .status())
                .isEqualTo(400);
        assertThat(grant("no token", Map.of(), null).status()).isEqualTo(400);
        assertThat(grant(PROVIDER.idToken(Map.of()), Map.of("provider", "github"), null)
                        .text("error_description"))
                .contains("no ID tokens");
        assertThat(grant(PROVIDER.idToken(Map.of()), Map.of("provider", "off"), null)
                        .text("msg"))
                .contains("not enabled");
        assertThat(grant(PROVIDER.idToken(Map.of()), Map.of("issuer", "https://evil.example", "client_id", "x"), null)
                        .text("msg"))
                .contains("not allowed");
        assertThat(AUTH.post("shop2345", "/token?grant_type=id_token", "{\"provider\":\"google\"}")
                        .text("error_description"))
                .isEqualTo("id_token required");
        assertThat(AUTH.post("shop2345", "/token?grant_type=id_token", "{\"id_token\":\"a\"}")
                        .status())
                .isEqualTo(400);
    }

    private static Answer signUp(String email) {
        return AUTH.post("shop2345", "/signup", "{\"email\":\"" + email + "\",\"password\":\"correct horse\"}");
    }

    @Test
    void aUserLinksAFurtherIdentityByATokenAndGivesItUp() {
        Answer own = signUp("own-" + subject + "@example.com");
        String bearer = own.text("access_token");
        Answer linked = grant(PROVIDER.idToken(Map.of()), Map.of("link_identity", true), bearer);
        assertThat(linked.status()).as(linked.body().toString()).isEqualTo(200);
        JsonNode user = linked.body().path("user");
        assertThat(user.path("id")).isEqualTo(own.body().path("user").path("id"));
        assertThat(user.path("email").asText()).isEqualTo("own-" + subject + "@example.com");
        assertThat(user.path("identities")).hasSize(2);
        assertThat(grant(PROVIDER.idToken(Map.of()), Map.of("link_identity", true), bearer)
                        .text("error_code"))
                .isEqualTo("identity_already_exists");
        assertThat(grant(PROVIDER.idToken(Map.of()), Map.of("link_identity", true), null)
                        .text("error_code"))
                .isEqualTo("no_authorization");
        String other = signUp("third-" + subject + "@example.com").text("access_token");
        assertThat(grant(PROVIDER.idToken(Map.of()), Map.of("link_identity", true), other)
                        .text("msg"))
                .isEqualTo("Identity is already linked to another user");

        String id = identity(user, "google");
        assertThat(AUTH.call("shop2345", "DELETE", "/user/identities/" + id, other, null)
                        .text("error_code"))
                .isEqualTo("single_identity_not_deletable");
        assertThat(AUTH.call("shop2345", "DELETE", "/user/identities/" + UUID.randomUUID(), bearer, null)
                        .text("error_code"))
                .isEqualTo("identity_not_found");
        assertThat(AUTH.call("shop2345", "DELETE", "/user/identities/x", bearer, null)
                        .status())
                .isEqualTo(404);
        assertThat(AUTH.call("shop2345", "DELETE", "/user/identities/" + id, bearer, null)
                        .status())
                .isEqualTo(200);
        JsonNode rest = AUTH.call("shop2345", "GET", "/user", bearer, null).body();
        assertThat(rest.path("identities")).hasSize(1);
        assertThat(rest.path("app_metadata").path("providers").toString()).isEqualTo("[\"email\"]");
        assertThat(AUTH.call("shop2345", "DELETE", "/user/identities/" + identity(rest, "email"), bearer, null)
                        .text("error_code"))
                .isEqualTo("single_identity_not_deletable");
    }

    private static String identity(JsonNode user, String provider) {
        for (JsonNode identity : user.path("identities")) {
            if (identity.path("provider").asText().equals(provider)) {
                return identity.path("identity_id").asText();
            }
        }
        throw new AssertionError(user.toString());
    }

    @Test
    void anAddressGoesWithTheIdentityThatItCameWith() {
        Answer own = signUp("gone-" + subject + "@example.com");
        String bearer = own.text("access_token");
        JsonNode user = grant(PROVIDER.idToken(Map.of()), Map.of("link_identity", true), bearer)
                .body()
                .path("user");
        AUTH.call("shop2345", "DELETE", "/user/identities/" + identity(user, "email"), bearer, null);
        JsonNode rest = AUTH.call("shop2345", "GET", "/user", bearer, null).body();
        assertThat(rest.path("email").asText()).isEqualTo(subject + "@example.com");
        assertThat(rest.path("app_metadata").path("provider").asText()).isEqualTo("google");
    }

    @Test
    void aUserIsSentToAProviderForAFurtherIdentity() {
        Answer anonymous = AUTH.post("shop2345", "/signup", "{}");
        assertThat(anonymous.body().path("user").path("is_anonymous").asBoolean())
                .isTrue();
        Answer sent = AUTH.call(
                "shop2345",
                "GET",
                "/user/identities/authorize?provider=company&skip_http_redirect=true&redirect_to=https://shop.example/me&"
                        + VISITS.challenge(),
                anonymous.text("access_token"),
                null);
        assertThat(sent.status()).as(sent.body().toString()).isEqualTo(200);
        String callback = VISITS.authorized(queryOf(sent.text("url")));
        String landing = VISITS.location(VISITS.back(callback, ""));
        assertThat(landing).startsWith("https://shop.example/me?code=");
        JsonNode user = VISITS.exchange(queryOf(landing).get("code"), ProviderVisits.VERIFIER)
                .body()
                .path("user");
        assertThat(user.path("id")).isEqualTo(anonymous.body().path("user").path("id"));
        assertThat(user.path("is_anonymous").asBoolean()).isFalse();
        assertThat(user.path("email").asText()).isEqualTo(subject + "@example.com");
        Answer withoutToken = AUTH.call("shop2345", "GET", "/user/identities/authorize?provider=company", null, null);
        assertThat(withoutToken.status()).isEqualTo(401);
    }

    private Answer link(String bearer, String more, String address) {
        return AUTH.call(
                "shop2345",
                "GET",
                "/user/identities/authorize?provider=company&skip_http_redirect=true&redirect_to=https://shop.example/me"
                        + more,
                bearer,
                null,
                Map.of("X-Forwarded-For", address));
    }

    private static String landed(String callback, String address) {
        return VISITS.location(AUTH.call(
                "shop2345",
                "GET",
                "/callback?" + java.net.URI.create(callback).getRawQuery(),
                null,
                null,
                Map.of("X-Forwarded-For", address)));
    }

    private static int identities(String bearer) {
        return AUTH.call("shop2345", "GET", "/user", bearer, null)
                .body()
                .path("identities")
                .size();
    }

    @Test
    void anotherPersonWhoFollowsTheLinkLinksNothing() {
        String attacker = signUp("attacker-" + subject + "@example.com").text("access_token");
        String sent = link(attacker, "&" + VISITS.challenge(), "198.51.100.66").text("url");
        String landing = landed(VISITS.authorized(queryOf(sent)), "203.0.113.7");
        assertThat(landing).startsWith("https://shop.example/me?code=");
        assertThat(identities(attacker))
                .as("the victim has been there; the code is in the victim's browser, the verifier is not")
                .isOne();
        assertThat(VISITS.exchange(queryOf(landing).get("code"), "x".repeat(43)).text("error_code"))
                .isEqualTo("bad_code_verifier");
        assertThat(identities(attacker)).isOne();
        String implicit = link(attacker, "", "198.51.100.66").text("url");
        assertThat(landed(VISITS.authorized(queryOf(implicit)), "203.0.113.7"))
                .contains("error_code=bad_oauth_state")
                .doesNotContain("access_token");
        assertThat(identities(attacker)).isOne();
    }

    @Test
    void withoutAChallengeAUserLinksFromTheNetworkOfTheCall() {
        String bearer = signUp("implicit-" + subject + "@example.com").text("access_token");
        String sent = link(bearer, "", "2001:db8:1:2::7").text("url");
        assertThat(landed(VISITS.authorized(queryOf(sent)), "2001:db8:1:2::8")).contains("#access_token=");
        assertThat(identities(bearer)).isEqualTo(2);
    }

    @Test
    void linkingIsOffUnlessTheProjectWantsIt() {
        String bearer = signUp("off-" + subject + "@example.com").text("access_token");
        AUTH.settings("shop2345", VISITS.spec("").replace("\"manualLinking\":true", "\"manualLinking\":false"));
        try {
            for (Answer refused : List.of(
                    AUTH.call("shop2345", "GET", "/user/identities/authorize?provider=company", bearer, null),
                    AUTH.call("shop2345", "DELETE", "/user/identities/" + UUID.randomUUID(), bearer, null),
                    grant(PROVIDER.idToken(Map.of()), Map.of("link_identity", true), bearer))) {
                assertThat(refused.status()).isEqualTo(404);
                assertThat(refused.text("error_code")).isEqualTo("manual_linking_disabled");
            }
        } finally {
            AUTH.settings("shop2345", VISITS.spec(""));
        }
    }
}
