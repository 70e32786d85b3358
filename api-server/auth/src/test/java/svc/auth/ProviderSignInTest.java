package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.auth.ProviderForTests.fragmentOf;
import static svc.auth.ProviderForTests.queryOf;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.mail.MailForTests;
import svc.testing.TestingProjects;

/** Promise: users sign in with accounts that they have elsewhere, and none enters the account of another user that way. */
class ProviderSignInTest {
    private static final MailForTests MAILS = MailForTests.open();
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create(), MAILS);
    private static final ProviderForTests PROVIDER = AUTH.provider();
    private static final ProviderVisits VISITS = new ProviderVisits(AUTH, "shop2345");

    static {
        VISITS.project("shop2345", "");
        VISITS.project("other234", "");
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static Map<String, Object> person(String subject, String email, boolean verified) {
        return Map.of(
                "sub",
                subject,
                "email",
                email,
                "email_verified",
                verified,
                "name",
                "Ann Ash",
                "picture",
                "https://p/a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"company", "google", "keycloak", "apple"})
    void anImplicitFlowEndsWithASessionInTheFragment(String provider) {
        PROVIDER.reset(person("implicit-" + provider, "implicit-" + provider + "@example.com", true));
        String landing = VISITS.landing("provider=" + provider + "&redirect_to=https://shop.example/in?a=b");
        assertThat(landing).startsWith("https://shop.example/in?a=b#access_token=");
        Map<String, String> given = fragmentOf(landing);
        assertThat(given)
                .containsEntry("provider_token", "access-of-provider")
                .containsEntry("provider_refresh_token", "refresh-of-provider")
                .containsEntry("token_type", "bearer")
                .containsKeys("refresh_token", "expires_in", "expires_at", "sb");
        JsonNode user = AUTH.call("shop2345", "GET", "/user", given.get("access_token"), null)
                .body();
        assertThat(user.path("email").asText()).isEqualTo("implicit-" + provider + "@example.com");
        assertThat(user.path("app_metadata").path("provider").asText()).isEqualTo(provider);
        assertThat(user.path("user_metadata").path("full_name").asText()).isEqualTo("Ann Ash");
        assertThat(user.path("user_metadata").path("avatar_url").asText()).isEqualTo("https://p/a");
        assertThat(user.path("identities").get(0).path("id").asText()).isEqualTo("implicit-" + provider);
        assertThat(user.path("email_confirmed_at").asText()).isNotEmpty();
    }

    @Test
    void aFlowWithAChallengeEndsWithACodeForWhoBeganIt() {
        PROVIDER.reset(person("pkce", "pkce@example.com", true));
        String landing = VISITS.landing("provider=company&redirect_to=https://shop.example/in&" + VISITS.challenge());
        assertThat(landing).startsWith("https://shop.example/in?code=").doesNotContain("access_token");
        String code = queryOf(landing).get("code");
        assertThat(VISITS.exchange(code, "x".repeat(43)).text("error_code")).isEqualTo("bad_code_verifier");
        Answer session = VISITS.exchange(code, ProviderVisits.VERIFIER);
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.text("provider_token")).isEqualTo("access-of-provider");
        assertThat(session.text("provider_refresh_token")).isEqualTo("refresh-of-provider");
        assertThat(VISITS.exchange(code, ProviderVisits.VERIFIER).status()).isEqualTo(404);
    }

    @Test
    void gitHubTellsWhoItIsByItsApi() {
        PROVIDER.reset(Map.of(
                "id",
                4711,
                "login",
                "octo",
                "name",
                "Octo Cat",
                "avatar_url",
                "https://p/o",
                "emails",
                List.of(
                        Map.of("email", "spare@example.com", "primary", false, "verified", true),
                        Map.of("email", "Octo@Example.com", "primary", true, "verified", true))));
        JsonNode user = VISITS.user(VISITS.landing("provider=github"));
        assertThat(user.path("email").asText()).isEqualTo("octo@example.com");
        assertThat(user.path("identities").get(0).path("id").asText()).isEqualTo("4711");
        assertThat(user.path("user_metadata").path("user_name").asText()).isEqualTo("octo");
        assertThat(user.path("user_metadata").path("preferred_username").asText())
                .isEqualTo("octo");
    }

    @Test
    void gitLabTellsWhoItIsByItsApi() {
        PROVIDER.reset(Map.of(
                "id", 12, "username", "gil", "name", "Gil", "email", "gil@example.com", "confirmed_at", "2020-01-01"));
        JsonNode user = VISITS.user(VISITS.landing("provider=gitlab"));
        assertThat(user.path("email").asText()).isEqualTo("gil@example.com");
        assertThat(user.path("identities").get(0).path("provider").asText()).isEqualTo("gitlab");
    }

    @ParameterizedTest
    @CsvSource({"false, common, false", "true, common, true", "absent, common, false", "absent, single, true"})
    void azureIsBelievedAboutAddressesOfOnesOwnDirectoryOnly(String owner, String directory, boolean believed) {
        String tid = "11111111-2222-3333-4444-555555555555";
        Map<String, Object> who =
                new HashMap<>(Map.of("tid", tid, "email", "az-" + owner + directory + "@example.com"));
        who.put("sub", "az-" + owner + directory);
        if (!owner.equals("absent")) {
            who.put("xms_edov", Boolean.parseBoolean(owner));
        }
        PROVIDER.reset(who);
        String place = directory.equals("common") ? "/common/v2.0" : "/" + tid + "/v2.0";
        String issuer = PROVIDER.home() + "/" + tid + "/v2.0";
        PROVIDER.instead(
                place + "/.well-known/openid-configuration",
                exchange -> new ProviderForTests.Reply(
                        200,
                        "{\"issuer\":\"" + (directory.equals("common") ? PROVIDER.home() + "/{tenantid}/v2.0" : issuer)
                                + "\",\"authorization_endpoint\":\""
                                + PROVIDER.issuer() + "/authorize\",\"token_endpoint\":\"" + PROVIDER.issuer()
                                + "/token\",\"jwks_uri\":\"" + PROVIDER.issuer() + "/jwks\"}"));
        PROVIDER.claims(set -> set.issuer(issuer));
        String landing = VISITS.landing("provider=" + (directory.equals("common") ? "azure" : "azure-single"));
        // The project lets every address count, as a project under development does; what is believed shows all the
        // same.
        JsonNode data = VISITS.user(landing).path("identities").get(0).path("identity_data");
        assertThat(data.path("email_verified").asBoolean()).isEqualTo(believed);
    }

    @Test
    void appleAnswersByAFormAndTellsTheNameOnce() {
        PROVIDER.reset(Map.of("sub", "apple-form", "email", "form@example.com", "email_verified", "true"));
        Map<String, String> query = queryOf(VISITS.entrance("provider=apple&" + VISITS.challenge()));
        assertThat(query).containsEntry("response_mode", "form_post");
        Map<String, String> returned = VISITS.returned(VISITS.authorized(query));
        String form = "state=" + returned.get("state") + "&code=" + returned.get("code")
                + "&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ada%22%2C%22lastName%22%3A%22Apple%22%7D%2C"
                + "%22email%22%3A%22other%40example.com%22%7D";
        Answer answer = AUTH.call(
                "shop2345",
                "POST",
                "/callback",
                null,
                form,
                Map.of("Content-Type", "application/x-www-form-urlencoded"));
        assertThat(answer.status()).isEqualTo(303);
        Answer session = VISITS.exchange(queryOf(VISITS.location(answer)).get("code"), ProviderVisits.VERIFIER);
        assertThat(session.body().path("user").path("email").asText()).isEqualTo("form@example.com");
        assertThat(session.body()
                        .path("user")
                        .path("user_metadata")
                        .path("full_name")
                        .asText())
                .isEqualTo("Ada Apple");
    }

    @Test
    void anAddressThatTheTokenLeavesOutIsAskedFor() {
        PROVIDER.reset(person("asked", "asked@example.com", true));
        PROVIDER.claims(set -> set.claim("email", null).claim("email_verified", null));
        assertThat(VISITS.user(VISITS.landing("provider=company")).path("email").asText())
                .isEqualTo("asked@example.com");
        assertThat(PROVIDER.calls()).contains("/realm/userinfo");
    }

    @Test
    void theSameSubjectInTwoProjectsIsTwoUsers() {
        PROVIDER.reset(person("two", "two@example.com", true));
        var other = new ProviderVisits(AUTH, "other234");
        assertThat(VISITS.user(VISITS.landing("provider=company")).path("id").asText())
                .isNotEqualTo(
                        other.user(other.landing("provider=company")).path("id").asText());
    }

    @Test
    void aBannedUserAndAClosedSignUpHaveTheirErrors() {
        PROVIDER.reset(person("banned", "banned@example.com", true));
        String id = VISITS.user(VISITS.landing("provider=company")).path("id").asText();
        AUTH.call("shop2345", "PUT", "/admin/users/" + id, "service", "{\"ban_duration\":\"24h\"}");
        assertThat(queryOf(VISITS.landing("provider=company"))).containsEntry("error_code", "user_banned");
        AUTH.settings("shop2345", VISITS.spec(",\"signUp\":false"));
        PROVIDER.reset(person("closed", "closed@example.com", true));
        assertThat(queryOf(VISITS.landing("provider=company"))).containsEntry("error_code", "signup_disabled");
        AUTH.settings("shop2345", VISITS.spec(""));
        PROVIDER.reset(Map.of("sub", "nameless"));
        assertThat(queryOf(VISITS.landing("provider=company")).get("error_description"))
                .contains("Error getting user email");
    }

    @Test
    void aTriggerOfTheTenantMayRefuse() {
        AUTH.asOwner(
                "shop2345",
                "CREATE FUNCTION only_ours() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF new.email LIKE"
                        + " '%@refused.example' THEN RAISE EXCEPTION 'not from there'; END IF; RETURN new; END $$; CREATE"
                        + " TRIGGER only_ours BEFORE INSERT ON " + AUTH.auth("shop2345")
                        + ".users FOR EACH ROW EXECUTE FUNCTION only_ours()");
        PROVIDER.reset(person("refused", "eve@refused.example", true));
        assertThat(queryOf(VISITS.landing("provider=company"))).containsEntry("error_description", "not from there");
    }

    @RepeatedTest(5)
    void oneNewUserInManyTabsIsOneUser() throws Exception {
        PROVIDER.reset(person("tabs" + System.nanoTime(), "tabs" + System.nanoTime() + "@example.com", true));
        List<Callable<String>> tabs = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tabs.add(() ->
                    VISITS.user(VISITS.landing("provider=company")).path("id").asText());
        }
        try (var threads = Executors.newFixedThreadPool(8)) {
            var users = new HashSet<String>();
            for (Future<String> done : threads.invokeAll(tabs)) {
                users.add(done.get());
            }
            assertThat(users).hasSize(1);
        }
    }

    @Test
    void whatIsPassedOnDecidesNothing() {
        Map<String, String> query = queryOf(VISITS.entrance("provider=company&scopes=calendar%20drive&prompt=consent"
                + "&access_type=offline&client_id=evil&redirect_uri=https://evil.example&response_type=token&state=mine"
                + "&nonce=mine&request_uri=https://evil.example&scope=all&apikey=key&" + VISITS.challenge()));
        assertThat(query)
                .containsEntry("prompt", "consent")
                .containsEntry("access_type", "offline")
                .containsEntry("client_id", ProviderForTests.CLIENT)
                .containsEntry("redirect_uri", "http://shop2345.localhost/auth/v1/callback")
                .containsEntry("response_type", "code")
                .containsEntry("scope", "openid email profile calendar drive")
                .doesNotContainKeys("request_uri", "apikey", "provider", "redirect_to");
        assertThat(query.get("state")).isNotEqualTo("mine");
        assertThat(query.get("nonce")).isNotEqualTo("mine");
    }

    @ParameterizedTest
    @CsvSource({
        "provider=nothing, 400, could not be found",
        "provider=email, 400, could not be found",
        "provider=off, 400, provider is not enabled",
        "redirect_to=x, 400, names no provider",
        "provider=company&code_challenge=short&code_challenge_method=s256, 400, between 43 and 128",
        "provider=company&scopes=%22, 400, no scope",
    })
    void whatCannotBeAskedForIsRefused(String query, int status, String message) {
        Answer refused = AUTH.call("shop2345", "GET", "/authorize?" + query, null, null);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.text("msg")).contains(message);
    }

    @Test
    void clientsLearnWhichProvidersThereAre() {
        JsonNode external =
                AUTH.call("shop2345", "GET", "/settings", null, null).body().path("external");
        assertThat(external.path("github").asBoolean()).isTrue();
        assertThat(external.path("company").asBoolean()).isTrue();
        assertThat(external.path("discord").asBoolean()).isFalse();
        assertThat(external.path("off").asBoolean()).isFalse();
        Answer document = AUTH.call("shop2345", "GET", "/.well-known/openid-configuration", null, null);
        assertThat(document.text("issuer")).isEqualTo("http://shop2345.localhost/auth/v1");
        assertThat(document.text("jwks_uri")).isEqualTo("http://shop2345.localhost/auth/v1/.well-known/jwks.json");
        Answer server = AUTH.call("shop2345", "GET", "/.well-known/oauth-authorization-server", null, null);
        assertThat(server.status()).isEqualTo(404);
    }
}
