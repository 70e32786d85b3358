package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;

/** Promise: who can read the mails of an address has it, once, for as long as the project says. */
class MailedSignInTest extends MailedUsers {
    @Test
    void whoSignsUpIsAUserWhenTheMailIsAnswered() {
        Answer user = signUp(SHOP, "Ann@Example.com");
        assertThat(user.status()).as(user.body().toString()).isEqualTo(200);
        assertThat(user.text("access_token")).isEmpty();
        assertThat(user.text("confirmation_sent_at")).isNotEmpty();
        assertThat(user.body().path("identities")).hasSize(1);
        assertThat(signIn("ann@example.com", "correct horse").text("error_code"))
                .isEqualTo("email_not_confirmed");
        Answer session = verify(SHOP, "email", "ann@example.com", code("ann@example.com"));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.body().path("user").path("email_confirmed_at").asText())
                .isNotEmpty();
        assertThat(session.body()
                        .path("user")
                        .path("identities")
                        .get(0)
                        .path("identity_data")
                        .path("email_verified")
                        .asBoolean())
                .isTrue();
        assertThat(session.body()
                        .path("user")
                        .path("user_metadata")
                        .path("email_verified")
                        .asBoolean())
                .isTrue();
        assertThat(signIn("ann@example.com", "correct horse").status()).isEqualTo(200);
        assertThat(verify(SHOP, "email", "ann@example.com", code("ann@example.com"))
                        .text("error_code"))
                .as("a code is used once")
                .isEqualTo("otp_expired");
    }

    @Test
    void aLinkSignsInOnceAndLeadsToTheSite() {
        signUp(SHOP, "bob@example.com");
        String place = followed(SHOP, link("bob@example.com"));
        assertThat(place)
                .startsWith(SITE + "#")
                .contains("access_token=")
                .contains("&type=signup")
                .contains("refresh_token=");
        String again = followed(SHOP, link("bob@example.com"));
        assertThat(again).startsWith(SITE + "?").contains("error=access_denied").contains("error_code=otp_expired");
        assertThat(again.substring(again.indexOf('#')))
                .contains("error_code=otp_expired")
                .contains("error_description=");
    }

    @Test
    void aLookAheadUsesNothingUp() {
        signUp(SHOP, "cat@example.com");
        String link = link("cat@example.com");
        assertThat(AUTH.call(SHOP, "HEAD", link, null, null).status()).isEqualTo(200);
        assertThat(AUTH.call(SHOP, "GET", link, null, null, Map.of("Sec-Purpose", "prefetch;prerender"))
                        .status())
                .isEqualTo(503);
        assertThat(followed(SHOP, link)).contains("access_token=");
    }

    @Test
    void aFlowWithAChallengeEndsInACode() throws Exception {
        String verifier = "v".repeat(43);
        String challenge = java.util.Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(java.security.MessageDigest.getInstance("SHA-256")
                        .digest(verifier.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
        AUTH.post(
                SHOP,
                "/signup",
                json(
                        "email",
                        "dan@example.com",
                        "password",
                        "correct horse",
                        "code_challenge",
                        challenge,
                        "code_challenge_method",
                        "s256"));
        assertThat(tokenHash("dan@example.com")).startsWith("pkce_");
        String place = followed(SHOP, link("dan@example.com"));
        assertThat(place).startsWith(SITE + "?code=").doesNotContain("access_token");
        String code = place.substring(place.indexOf("code=") + 5);
        Answer session = AUTH.post(SHOP, "/token?grant_type=pkce", json("auth_code", code, "code_verifier", verifier));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.body().path("user").path("email").asText()).isEqualTo("dan@example.com");
    }

    @Test
    void aMailSignsInWithoutAPassword() {
        Answer sent = AUTH.post(SHOP, "/otp", "{\"email\":\"gil@example.com\",\"data\":{\"name\":\"Gil\"}}");
        assertThat(sent.status()).as(sent.body().toString()).isEqualTo(200);
        assertThat(sent.body().toString()).isEqualTo("{}");
        Answer session = verify(SHOP, "email", "gil@example.com", code("gil@example.com"));
        assertThat(session.body()
                        .path("user")
                        .path("user_metadata")
                        .path("name")
                        .asText())
                .isEqualTo("Gil");
        AUTH.pass(Duration.ofMinutes(2));
        AUTH.post(SHOP, "/magiclink", json("email", "gil@example.com"));
        assertThat(link("gil@example.com")).contains("type=magiclink");
        Answer again =
                AUTH.post(SHOP, "/verify", json("type", "magiclink", "token_hash", tokenHash("gil@example.com")));
        assertThat(again.body().path("user").path("id"))
                .isEqualTo(session.body().path("user").path("id"));
        assertThat(AUTH.post(SHOP, "/otp", "{\"email\":\"nobody@example.com\",\"create_user\":false}")
                        .text("error_code"))
                .isEqualTo("otp_disabled");
    }

    @Test
    void tokensDieByTheClock() {
        signUp(SHOP, "nat@example.com");
        String code = code("nat@example.com");
        String link = link("nat@example.com");
        AUTH.pass(Duration.ofSeconds(3601));
        assertThat(verify(SHOP, "signup", "nat@example.com", code).text("error_code"))
                .isEqualTo("otp_expired");
        assertThat(followed(SHOP, link)).contains("error_code=otp_expired");
        assertThat(AUTH.post(SHOP, "/resend", json("type", "signup", "email", "nat@example.com"))
                        .status())
                .isEqualTo(200);
        assertThat(code("nat@example.com")).isNotEqualTo(code);
        assertThat(verify(SHOP, "signup", "nat@example.com", code("nat@example.com"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void oneTokenIsOneSessionHoweverManyComeWithIt() throws Exception {
        signUp(SHOP, "oda@example.com");
        String hash = tokenHash("oda@example.com");
        Set<Integer> seen = new HashSet<>();
        int sessions = 0;
        for (Answer answer : atOnce(12, () -> AUTH.post(SHOP, "/verify", json("type", "signup", "token_hash", hash)))) {
            seen.add(answer.status());
            sessions += answer.status() == 200 ? 1 : 0;
        }
        assertThat(sessions).isOne();
        assertThat(seen).containsExactlyInAnyOrder(200, 403);
    }

    @Test
    void signUpsAtTheSameMomentAreOneUserAndOneMail() throws Exception {
        List<Answer> answers = atOnce(8, () -> signUp(SHOP, "pam@example.com"));
        assertThat(answers).extracting(Answer::status).containsOnly(200, 429);
        assertThat(MAILS.inbox().to("pam@example.com")).hasSize(1);
        assertThat(AUTH.call(SHOP, "GET", "/admin/users?filter=pam@", "service", null)
                        .body()
                        .path("users"))
                .hasSize(1);
    }

    @Test
    void aBannedUserIsNotLetInByAMail() {
        Answer user = signUp(SHOP, "tim@example.com");
        AUTH.call(SHOP, "PUT", "/admin/users/" + user.text("id"), "service", "{\"ban_duration\":\"1h\"}");
        assertThat(verify(SHOP, "signup", "tim@example.com", code("tim@example.com"))
                        .text("error_code"))
                .isEqualTo("user_banned");
    }
}
