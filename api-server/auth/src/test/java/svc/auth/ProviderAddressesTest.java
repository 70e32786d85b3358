package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.auth.ProviderForTests.queryOf;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.auth.mail.MailForTests;
import svc.testing.TestingProjects;

/** Promise: an address that a provider names is its user's as far as the provider has proved it, and opens no other account. */
class ProviderAddressesTest {
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

    private static Answer signUp(String email) {
        return AUTH.post("shop2345", "/signup", "{\"email\":\"" + email + "\",\"password\":\"correct horse\"}");
    }

    @Test
    void aProvedAddressIsItsUsersAccount() {
        Answer own = signUp("same@example.com");
        PROVIDER.reset(person("same", "Same@Example.com", true));
        JsonNode user = VISITS.user(VISITS.landing("provider=company"));
        assertThat(user.path("id").asText())
                .isEqualTo(own.body().path("user").path("id").asText());
        assertThat(user.path("app_metadata").path("providers").toString()).isEqualTo("[\"email\",\"company\"]");
        PROVIDER.reset(Map.of(
                "id",
                99,
                "login",
                "same",
                "emails",
                List.of(Map.of("email", "same@example.com", "primary", true, "verified", true))));
        assertThat(VISITS.user(VISITS.landing("provider=github")).path("id").asText())
                .isEqualTo(user.path("id").asText());
    }

    @Test
    void anUnverifiedAddressBelongsToNoUser() {
        signUp("victim@example.com");
        PROVIDER.reset(person("attacker", "victim@example.com", false));
        Map<String, String> refused = queryOf(VISITS.landing("provider=company"));
        assertThat(refused).containsKey("error").doesNotContainKey("access_token");
        PROVIDER.reset(person("newcomer", "newcomer@example.com", false));
        AUTH.settings("other234", VISITS.spec(",\"email\":{\"autoconfirm\":false,\"minIntervalSeconds\":0}"));
        var other = new ProviderVisits(AUTH, "other234");
        for (int i = 0; i < 2; i++) {
            assertThat(queryOf(other.landing("provider=company")))
                    .containsEntry("error_code", "provider_email_needs_verification");
        }
        PROVIDER.reset(person("newcomer", "newcomer@example.com", true));
        assertThat(other.user(other.landing("provider=company"))
                        .path("email_confirmed_at")
                        .asText())
                .isNotEmpty();
    }

    @Test
    void anAddressThatIsNotProvedIsConfirmedByMail() {
        PROVIDER.reset(person("mailed", "mailed@example.com", false));
        AUTH.settings("other234", VISITS.spec(",\"email\":{\"autoconfirm\":false}"));
        var other = new ProviderVisits(AUTH, "other234");
        String visit = "provider=company&redirect_to=https://shop.example/in&" + other.challenge();
        Map<String, String> refused = queryOf(other.landing(visit));
        assertThat(refused)
                .containsEntry("error_code", "provider_email_needs_verification")
                .containsEntry(
                        "error_description",
                        "Unverified email with company. A confirmation email has been sent to your company email");
        assertThat(MAILS.inbox().to("mailed@example.com")).hasSize(1);
        assertThat(queryOf(other.landing(visit)))
                .as("mails to one user are spaced")
                .containsEntry("error_code", "over_email_send_rate_limit");
        String link = MAILS.inbox().to("mailed@example.com").getFirst().links().getFirst();
        Answer followed = AUTH.call(
                "other234", "GET", link.substring(link.indexOf("/auth/v1") + "/auth/v1".length()), null, null);
        String landing = other.location(followed);
        assertThat(landing).startsWith("https://shop.example/in#");
        JsonNode user = other.user(landing);
        assertThat(user.path("email_confirmed_at").asText()).isNotEmpty();
        assertThat(user.path("identities")).hasSize(1);
        assertThat(other.user(other.landing("provider=company")).path("id").asText())
                .as("signed in from now on")
                .isEqualTo(user.path("id").asText());
    }

    @Test
    void anUnverifiedAddressDoesNotRevealWhetherItHasAnAccount() {
        AUTH.settings("other234", VISITS.spec(",\"email\":{\"autoconfirm\":true}"));
        assertThat(AUTH.post("other234", "/signup", "{\"email\":\"there@example.com\",\"password\":\"correct horse\"}")
                        .status())
                .isEqualTo(200);
        AUTH.settings("other234", VISITS.spec(",\"email\":{\"autoconfirm\":false}"));
        var other = new ProviderVisits(AUTH, "other234");
        List<Map<String, String>> first = new ArrayList<>();
        List<Map<String, String>> soon = new ArrayList<>();
        for (String name : new String[] {"there", "absent"}) {
            PROVIDER.reset(person("prober-of-" + name, name + "@example.com", false));
            first.add(queryOf(other.landing("provider=company")));
            soon.add(queryOf(other.landing("provider=company")));
        }
        assertThat(first.get(0))
                .isEqualTo(first.get(1))
                .containsEntry("error_code", "provider_email_needs_verification");
        assertThat(soon)
                .allSatisfy(answer -> assertThat(answer).containsEntry("error_code", "over_email_send_rate_limit"));
        assertThat(MAILS.inbox().to("there@example.com")).isEmpty();
    }

    @Test
    void aSquatterOfAnAddressIsSignedOutWhenItsOwnerSignsIn() {
        AUTH.settings("other234", VISITS.spec(",\"email\":{\"autoconfirm\":false}"));
        Answer squatter = AUTH.call(
                "other234",
                "POST",
                "/admin/users",
                "service",
                "{\"email\":\"owner@example.com\",\"password\":\"known to me\",\"user_metadata\":{\"role\":\"boss\"}}");
        assertThat(squatter.status()).isEqualTo(200);
        PROVIDER.reset(person("owner", "owner@example.com", true));
        var other = new ProviderVisits(AUTH, "other234");
        JsonNode user = other.user(other.landing("provider=company"));
        assertThat(user.path("id").asText()).isEqualTo(squatter.text("id"));
        assertThat(user.path("identities")).hasSize(1);
        assertThat(user.path("user_metadata").has("role")).isFalse();
        assertThat(AUTH.post(
                                "other234",
                                "/token?grant_type=password",
                                "{\"email\":\"owner@example.com\",\"password\":\"known to me\"}")
                        .text("error_code"))
                .isEqualTo("invalid_credentials");
    }

    @Test
    void anAddressThatMovesElsewhereAtTheProviderDoesNotMoveTheUser() {
        PROVIDER.reset(person("mover", "before@example.com", true));
        String id = VISITS.user(VISITS.landing("provider=company")).path("id").asText();
        PROVIDER.reset(person("mover", "after@example.com", true));
        JsonNode again = VISITS.user(VISITS.landing("provider=company"));
        assertThat(again.path("id").asText()).isEqualTo(id);
        assertThat(again.path("email").asText()).isEqualTo("before@example.com");
        assertThat(again.path("identities").get(0).path("email").asText()).isEqualTo("after@example.com");
    }
}
