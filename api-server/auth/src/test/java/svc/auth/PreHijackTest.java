package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.auth.ProviderForTests.queryOf;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.auth.AuthForTests.Answer;

/**
 * Promise: an account belongs to the owner of its address. Nothing that others have put there before the owner came opens
 * it, or is found in it.
 */
class PreHijackTest extends MailedUsers {
    private static final String ATTACKER = "198.51.100.66";
    private static final String OWNER = "203.0.113.7";
    private static final String STOLEN = "known to attacker";
    private static final String OWN = "known to owner";

    @BeforeAll
    static void shorten() {
        AUTH.settings(SHOP, settings(",\"email\":{\"otpExpirySeconds\":3600}"));
    }

    private static Answer from(String address, String path, String body) {
        return AUTH.call(SHOP, "POST", path, null, body, Map.of("X-Forwarded-For", address));
    }

    private static Answer signUp(String address, String email, String password) {
        Answer made = from(
                address,
                "/signup",
                "{\"email\":\"" + email + "\",\"password\":\"" + password + "\",\"data\":{\"said by\":\"" + password
                        + "\"}}");
        assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
        return made;
    }

    /** The session of a link that is followed from an address. */
    private static JsonNode answered(String address, String email) {
        Answer followed = AUTH.call(SHOP, "GET", link(email), null, null, Map.of("X-Forwarded-For", address));
        String place = followed.http().headers().firstValue("Location").orElseThrow();
        assertThat(place).contains("access_token=");
        String token = ProviderForTests.fragmentOf(place).get("access_token");
        return AUTH.call(SHOP, "GET", "/user", token, null).body();
    }

    private static void later() {
        AUTH.pass(Duration.ofMinutes(2));
    }

    private static void assertShut(String email, String password) {
        Answer refused = AUTH.post(SHOP, "/token?grant_type=password", json("email", email, "password", password));
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(400);
        assertThat(refused.text("error_code")).isEqualTo("invalid_credentials");
    }

    private static void assertOpen(String email, String password) {
        Answer session = AUTH.post(SHOP, "/token?grant_type=password", json("email", email, "password", password));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
    }

    private static void assertFreeOf(String words, JsonNode user) {
        assertThat(user.path("user_metadata").toString()).doesNotContain(words);
        assertThat(user.path("identities").toString()).doesNotContain(words);
        assertThat(user.path("identities")).hasSize(1);
        assertThat(user.path("phone").asText()).isEmpty();
        assertThat(user.path("factors")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/otp", "/magiclink", "/recover"})
    void aMailSignInLeavesNothingOfAnEarlierSignUp(String call) {
        String email = "owner-of" + call.replace('/', '-') + "@example.com";
        signUp(ATTACKER, email, STOLEN);
        later();
        assertThat(from(OWNER, call, json("email", email)).status()).isEqualTo(200);
        JsonNode user = answered(OWNER, email);
        assertFreeOf("attacker", user);
        assertThat(user.path("email_confirmed_at").asText()).isNotEmpty();
        assertThat(user.path("user_metadata").path("email_verified").asBoolean())
                .isTrue();
        assertShut(email, STOLEN);
    }

    @Test
    void aCodeLeavesNothingEither() {
        signUp(ATTACKER, "code@example.com", STOLEN);
        later();
        from(OWNER, "/otp", "{\"email\":\"code@example.com\",\"data\":{\"name\":\"Owner\"}}");
        Answer session = from(
                OWNER,
                "/verify",
                json("type", "email", "email", "code@example.com", "token", code("code@example.com")));
        assertFreeOf("attacker", session.body().path("user"));
        assertThat(session.body()
                        .path("user")
                        .path("user_metadata")
                        .path("name")
                        .asText())
                .isEqualTo("Owner");
        assertShut("code@example.com", STOLEN);
    }

    @Test
    void anInvitationLeavesNothingOfAnEarlierSignUp() {
        signUp(ATTACKER, "invited@example.com", STOLEN);
        Answer invited = AUTH.call(
                SHOP, "POST", "/invite", "service", "{\"email\":\"invited@example.com\",\"data\":{\"team\":7}}");
        assertThat(invited.status()).as(invited.body().toString()).isEqualTo(200);
        JsonNode user = answered(OWNER, "invited@example.com");
        assertFreeOf("attacker", user);
        assertThat(user.path("user_metadata").path("team").asInt()).isEqualTo(7);
        assertShut("invited@example.com", STOLEN);
    }

    @Test
    void aSignUpAddsNothingToAnInvitation() {
        AUTH.call(SHOP, "POST", "/invite", "service", "{\"email\":\"guest@example.com\",\"data\":{\"team\":7}}");
        later();
        signUp(ATTACKER, "guest@example.com", STOLEN);
        JsonNode user = answered(OWNER, "guest@example.com");
        assertFreeOf("attacker", user);
        assertThat(user.path("user_metadata").path("team").asInt()).isEqualTo(7);
        assertShut("guest@example.com", STOLEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"magiclink", "recovery", "invite"})
    void aLinkOfTheServerLeavesNothingOfAnEarlierSignUp(String type) {
        String email = type + "-made@example.com";
        signUp(ATTACKER, email, STOLEN);
        Answer made = AUTH.call(SHOP, "POST", "/admin/generate_link", "service", json("type", type, "email", email));
        Answer session = from(
                OWNER,
                "/verify",
                json("type", made.text("verification_type"), "token_hash", made.text("hashed_token")));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertFreeOf("attacker", session.body().path("user"));
        assertShut(email, STOLEN);
    }

    @Test
    void theSecondSignUpReplacesTheFirst() {
        signUp(ATTACKER, "second@example.com", STOLEN);
        String first = tokenHash("second@example.com");
        later();
        Answer again = signUp(OWNER, "second@example.com", OWN);
        assertThat(again.body().toString()).doesNotContain("attacker");
        assertThat(AUTH.post(SHOP, "/verify", json("type", "signup", "token_hash", first))
                        .text("error_code"))
                .isEqualTo("otp_expired");
        JsonNode user = answered(OWNER, "second@example.com");
        assertFreeOf("attacker", user);
        assertThat(user.path("user_metadata").path("said by").asText()).isEqualTo(OWN);
        assertShut("second@example.com", STOLEN);
        assertOpen("second@example.com", OWN);
    }

    @Test
    void aSignUpAfterTheOwnersGivesThePasswordOfNeither() {
        signUp(OWNER, "later@example.com", OWN);
        later();
        signUp(ATTACKER, "later@example.com", STOLEN);
        JsonNode user = answered(OWNER, "later@example.com");
        assertFreeOf("attacker", user);
        assertShut("later@example.com", STOLEN);
        assertShut("later@example.com", OWN);
    }

    @Test
    void aMailThatTheOwnerExpectedButAnotherAskedForGivesNoPassword() {
        signUp(ATTACKER, "soon@example.com", STOLEN);
        Answer refused = from(OWNER, "/otp", json("email", "soon@example.com"));
        assertThat(refused.text("error_code")).isEqualTo("over_email_send_rate_limit");
        JsonNode user = answered(OWNER, "soon@example.com");
        assertFreeOf("attacker", user);
        assertShut("soon@example.com", STOLEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/recover", "/resend"})
    void theOldMailIsWorthNoPasswordOnceTheOwnerWantsOne(String call) {
        String email = "old" + call.replace('/', '-') + "@example.com";
        signUp(ATTACKER, email, STOLEN);
        String first = link(email);
        later();
        assertThat(from(OWNER, call, json("email", email, "type", "signup")).status())
                .isEqualTo(200);
        if (call.equals("/recover")) {
            AUTH.call(SHOP, "GET", first, null, null, Map.of("X-Forwarded-For", OWNER));
        } else {
            answered(OWNER, email);
        }
        assertShut(email, STOLEN);
    }

    @Test
    void aRepeatedMailOfOnesOwnSignUpKeepsThePassword() {
        signUp(OWNER, "patient@example.com", OWN);
        later();
        from(OWNER, "/resend", json("type", "signup", "email", "patient@example.com"));
        answered("192.0.2.99", "patient@example.com");
        assertOpen("patient@example.com", OWN);
    }

    @Test
    void anUndisputedSignUpIsConfirmedOnAnotherDevice() {
        signUp(OWNER, "phone@example.com", OWN);
        JsonNode user = answered("192.0.2.99", "phone@example.com");
        assertThat(user.path("user_metadata").path("said by").asText()).isEqualTo(OWN);
        assertOpen("phone@example.com", OWN);
    }

    @Test
    void aSignUpThatCameToNothingIsForgotten() {
        signUp(ATTACKER, "stale@example.com", STOLEN);
        AUTH.pass(Duration.ofSeconds(3601));
        signUp(OWNER, "stale@example.com", OWN);
        assertFreeOf("attacker", answered("192.0.2.99", "stale@example.com"));
        assertShut("stale@example.com", STOLEN);
        assertOpen("stale@example.com", OWN);
    }

    @Test
    void aPasswordOfTheServerIsOfTheServersLinkAlone() {
        for (String call : new String[] {"/otp", "/recover"}) {
            String email = "served" + call.replace('/', '-') + "@example.com";
            AUTH.call(
                    SHOP,
                    "POST",
                    "/admin/users",
                    "service",
                    "{\"email\":\"" + email + "\",\"password\":\"" + STOLEN + "\",\"user_metadata\":{\"plan\":1}}");
            from(OWNER, call, json("email", email));
            JsonNode user = answered(OWNER, email);
            assertThat(user.path("user_metadata").path("plan").asInt()).isEqualTo(1);
            assertShut(email, STOLEN);
        }
        Answer made = AUTH.call(
                SHOP,
                "POST",
                "/admin/generate_link",
                "service",
                json("type", "signup", "email", "linked@example.com", "password", OWN));
        from(OWNER, "/verify", json("type", "signup", "token_hash", made.text("hashed_token")));
        assertOpen("linked@example.com", OWN);
    }

    @Test
    void pendingTokensEndWithTheFirstProof() {
        signUp(ATTACKER, "tokens@example.com", STOLEN);
        later();
        from(ATTACKER, "/recover", json("email", "tokens@example.com"));
        String recovery = tokenHash("tokens@example.com");
        later();
        from(OWNER, "/otp", json("email", "tokens@example.com"));
        answered(OWNER, "tokens@example.com");
        assertThat(from(ATTACKER, "/verify", json("type", "recovery", "token_hash", recovery))
                        .text("error_code"))
                .isEqualTo("otp_expired");
        assertThat(AUTH.projects()
                        .ask("SELECT count(*) FROM " + AUTH.auth(SHOP)
                                + ".one_time_tokens t JOIN " + AUTH.auth(SHOP)
                                + ".users u ON u.id = t.user_id WHERE u.email = 'tokens@example.com'"))
                .isEqualTo("0");
    }

    private static void plant(String table, String columns, String values) {
        AUTH.projects()
                .ask("WITH planted AS (INSERT INTO " + AUTH.auth(SHOP) + "." + table + " (" + columns + ") VALUES ("
                        + values + ") RETURNING 1) SELECT count(*) FROM planted");
    }

    private static String count(String table, String user) {
        return AUTH.projects()
                .ask("SELECT count(*) FROM " + AUTH.auth(SHOP) + "." + table + " WHERE user_id = '" + user + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/otp", "/recover"})
    void noSessionFactorNumberOrIdentityOfBeforeIsLeft(String call) {
        String email = "planted" + call.replace('/', '-') + "@example.com";
        String user = signUp(ATTACKER, email, STOLEN).text("id");
        plant("sessions", "id, user_id, aal, refresh_token_counter", "gen_random_uuid(), '" + user + "', 'aal1', 0");
        plant(
                "mfa_factors",
                "id, user_id, factor_type, status, created_at, updated_at",
                "gen_random_uuid(), '" + user + "', 'totp', 'verified', now(), now()");
        plant(
                "identities",
                "provider_id, user_id, identity_data, provider",
                "'planted-" + email + "', '" + user + "', '{\"a\":\"attacker\"}', 'google'");
        AUTH.projects()
                .ask("WITH planted AS (UPDATE " + AUTH.auth(SHOP) + ".users SET phone = '49170" + email.length()
                        + "', phone_change = '4917099', email_change = 'attacker@example.com' WHERE id = '" + user
                        + "' RETURNING 1) SELECT count(*) FROM planted");
        later();
        from(OWNER, call, json("email", email));
        JsonNode owner = answered(OWNER, email);
        assertFreeOf("attacker", owner);
        assertThat(owner.has("new_email")).isFalse();
        assertThat(owner.has("new_phone")).isFalse();
        assertThat(count("sessions", user)).as("the owner's own").isEqualTo("1");
        assertThat(count("mfa_factors", user)).isEqualTo("0");
        assertShut(email, STOLEN);
    }

    @Test
    void aChangeOfAddressEndsTheSessionsOfItsCaller() {
        AUTH.project("anon2345", settings(",\"anonymousSignIn\":true"));
        String foreign = AUTH.post("anon2345", "/signup", "{}").text("access_token");
        assertThat(AUTH.call("anon2345", "PUT", "/user", foreign, json("password", STOLEN))
                        .status())
                .as("a password without an address")
                .isEqualTo(422);
        AUTH.call("anon2345", "PUT", "/user", foreign, json("email", "moved@example.com"));
        Answer owner = verify("anon2345", "email_change", "moved@example.com", code("moved@example.com"));
        assertThat(owner.status()).as(owner.body().toString()).isEqualTo(200);
        assertThat(AUTH.call("anon2345", "GET", "/user", foreign, null).text("error_code"))
                .isEqualTo("session_not_found");
        assertThat(AUTH.call("anon2345", "GET", "/user", owner.text("access_token"), null)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void anAccountElsewhereWithAnUnprovedAddressLeavesNothing() {
        var visits = new ProviderVisits(AUTH, "elsewher");
        visits.project("elsewher", ",\"email\":{\"autoconfirm\":false},\"rateLimits\":{\"emailsPerHour\":1000}");
        Map<String, Object> attacker =
                Map.of("sub", "attacker", "email", "taken@example.com", "email_verified", false, "name", "attacker");
        AUTH.provider().reset(attacker);
        assertThat(queryOf(visits.landing("provider=company")))
                .containsEntry("error_code", "provider_email_needs_verification");
        later();
        AUTH.call("elsewher", "POST", "/otp", null, json("email", "taken@example.com"), Map.of());
        Answer owner = verify("elsewher", "email", "taken@example.com", code("taken@example.com"));
        assertThat(owner.status()).as(owner.body().toString()).isEqualTo(200);
        assertFreeOf("attacker", owner.body().path("user"));
        later();
        assertThat(queryOf(visits.landing("provider=company"))).containsKey("error");
    }

    @Test
    void aProvedAddressElsewhereLeavesNothing() {
        var visits = new ProviderVisits(AUTH, "elsewhe2");
        visits.project("elsewhe2", ",\"email\":{\"autoconfirm\":false},\"rateLimits\":{\"emailsPerHour\":1000}");
        AUTH.post(
                "elsewhe2",
                "/signup",
                "{\"email\":\"oauth@example.com\",\"password\":\"" + STOLEN + "\",\"data\":{\"a\":\"attacker\"}}");
        String pending = tokenHash("oauth@example.com");
        AUTH.provider().reset(Map.of("sub", "owner-elsewhere", "email", "oauth@example.com", "email_verified", true));
        JsonNode user = visits.user(visits.landing("provider=company"));
        assertFreeOf("attacker", user);
        assertThat(AUTH.post(
                                "elsewhe2",
                                "/token?grant_type=password",
                                json("email", "oauth@example.com", "password", STOLEN))
                        .text("error_code"))
                .isEqualTo("invalid_credentials");
        assertThat(AUTH.post("elsewhe2", "/verify", json("type", "signup", "token_hash", pending))
                        .text("error_code"))
                .isEqualTo("otp_expired");
    }
}
