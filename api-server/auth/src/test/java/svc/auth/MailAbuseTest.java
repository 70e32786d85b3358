package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;

/** Promise: mails reveal no accounts, their codes cannot be guessed, and their links lead to allowed addresses only. */
class MailAbuseTest extends MailedUsers {
    @Test
    void whoHasAnAccountAlreadyLooksLikeWhoHasNone() {
        confirmed("eve@example.com");
        int before = MAILS.inbox().to("eve@example.com").size();
        Answer again = signUp(SHOP, "eve@example.com");
        Answer fresh = signUp(SHOP, "eve2@example.com");
        assertThat(again.status()).isEqualTo(200);
        assertThat(names(again.body())).isEqualTo(names(fresh.body()));
        assertThat(again.body().path("identities"))
                .as("by which applications tell, as with Supabase")
                .isEmpty();
        assertThat(AUTH.call(SHOP, "GET", "/admin/users/" + again.text("id"), "service", null)
                        .status())
                .as("a user of that id does not exist")
                .isEqualTo(404);
        assertThat(MAILS.inbox().to("eve@example.com")).hasSize(before);
        assertThat(signIn("eve@example.com", "correct horse").status()).isEqualTo(200);
    }

    private static Set<String> names(JsonNode body) {
        Set<String> names = new HashSet<>();
        body.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void nothingTellsWhetherAnAddressIsKnown() {
        confirmed("fay@example.com");
        signUp(SHOP, "waiting@example.com");
        for (String call : List.of("/recover", "/resend")) {
            List<String> seen = new ArrayList<>();
            for (String email : List.of("fay@example.com", "nobody-" + call.substring(1) + "@example.com")) {
                String body = call.equals("/resend") ? json("type", "signup", "email", email) : json("email", email);
                Answer first = AUTH.post(SHOP, call, body);
                Answer second = AUTH.post(SHOP, call, body);
                seen.add(first.status() + " " + first.body() + " " + second.status() + " " + second.text("error_code")
                        + " " + second.text("msg").replaceAll("[0-9]+", "N") + " "
                        + second.http().headers().firstValue("Retry-After").isPresent());
            }
            assertThat(new HashSet<>(seen)).as(call + " " + seen).hasSize(1);
            assertThat(seen.getFirst()).startsWith("200 {} 429 over_email_send_rate_limit For security purposes");
        }
        assertThat(MAILS.inbox().to("nobody-recover@example.com")).isEmpty();
    }

    @Test
    void aClosedProjectDoesNotRevealItsUsers() {
        AUTH.project("shut2345", settings(",\"signUp\":false"));
        AUTH.call(
                "shut2345", "POST", "/admin/users", "service", "{\"email\":\"in@example.com\",\"email_confirm\":true}");
        Answer in = AUTH.post("shut2345", "/otp", json("email", "in@example.com"));
        Answer out = AUTH.post("shut2345", "/otp", json("email", "out@example.com"));
        assertThat(in.status() + in.body().toString())
                .isEqualTo("200{}")
                .isEqualTo(out.status() + out.body().toString());
        assertThat(MAILS.inbox().to("out@example.com")).isEmpty();
        assertThat(MAILS.inbox().to("in@example.com")).hasSize(1);
    }

    @Test
    void mailsToOneUserAreSpaced() {
        signUp(SHOP, "ned@example.com");
        AUTH.pass(Duration.ofSeconds(20));
        Answer early = AUTH.post(SHOP, "/resend", json("type", "signup", "email", "ned@example.com"));
        assertThat(early.status()).isEqualTo(429);
        assertThat(early.text("msg")).isEqualTo("For security purposes, you can only request this after 40 seconds.");
        assertThat(early.http().headers().firstValue("Retry-After")).contains("40");
        assertThat(verify(SHOP, "signup", "ned@example.com", code("ned@example.com"))
                        .status())
                .as("what was sent before is still good")
                .isEqualTo(200);
    }

    @Test
    void aProjectSendsSoManyMailsAnHour() {
        AUTH.project("few23456", "{\"rateLimits\":{\"emailsPerHour\":2}}");
        assertThat(signUp("few23456", "a@example.com").status()).isEqualTo(200);
        assertThat(AUTH.post("few23456", "/recover", json("email", "nobody@example.com"))
                        .status())
                .isEqualTo(200);
        Answer over = signUp("few23456", "c@example.com");
        assertThat(over.status()).isEqualTo(429);
        assertThat(over.text("error_code")).isEqualTo("over_email_send_rate_limit");
        assertThat(AUTH.call("few23456", "GET", "/admin/users", "service", null)
                        .body()
                        .path("users"))
                .hasSize(1);
        assertThat(signUp(SHOP, "c@example.com").status())
                .as("another project's mails")
                .isEqualTo(200);
    }

    @Test
    void nothingOfOneProjectWorksInAnother() {
        signUp(SHOP, "quy@example.com");
        String code = code("quy@example.com");
        String link = link("quy@example.com");
        signUp(OTHER, "quy@example.com");
        assertThat(verify(OTHER, "signup", "quy@example.com", code).text("error_code"))
                .isEqualTo("otp_expired");
        assertThat(followed(OTHER, link)).contains("error_code=otp_expired");
        assertThat(verify(SHOP, "signup", "quy@example.com", code).status()).isEqualTo(200);
    }

    @Test
    void codesAreNotTriedForEver() {
        signUp(SHOP, "ray@example.com");
        String right = code("ray@example.com");
        String wrong = right.equals("000000") ? "000001" : "000000";
        for (int i = 0; i < 10; i++) {
            assertThat(verify(SHOP, "signup", "ray@example.com", wrong).status())
                    .isEqualTo(403);
        }
        assertThat(verify(SHOP, "signup", "ray@example.com", right).text("error_code"))
                .isEqualTo("over_request_rate_limit");
        assertThat(followed(SHOP, link("ray@example.com")))
                .as("the link cannot be guessed")
                .contains("access_token=");
    }

    @Test
    void whatIsKeptOpensNoAccount() {
        signUp(SHOP, "sam@example.com");
        String schema = AUTH.auth(SHOP);
        String kept = AUTH.projects().ask("SELECT string_agg(t::text, '|') FROM " + schema + ".one_time_tokens t");
        assertThat(kept).doesNotContain(tokenHash("sam@example.com"));
        String users = AUTH.projects()
                .ask("SELECT string_agg(u::text, '|') FROM " + schema + ".users u WHERE email = 'sam@example.com'");
        String hash = AUTH.projects()
                .ask("SELECT token_hash FROM " + schema + ".one_time_tokens WHERE relates_to = 'sam@example.com'");
        assertThat(users).as("tenants' SQL reads users").doesNotContain(hash);
        assertThat(AUTH.post(SHOP, "/verify", json("type", "signup", "token_hash", hash))
                        .text("error_code"))
                .isEqualTo("otp_expired");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://evil.example
            https://app.example.com@evil.example
            https://evil.example/.preview.example.com/
            //evil.example
            javascript:alert(1)
            https://app.example.com%0d%0aSet-Cookie:a=b
            """)
    void aLinkLeadsNowhereElse(String wanted) {
        String email = "u" + Math.abs(wanted.hashCode()) + "@example.com";
        AUTH.post(
                SHOP,
                "/signup?redirect_to=" + wanted.replace("#", "%23"),
                json("email", email, "password", "correct horse"));
        assertThat(mail(email).links().getFirst()).endsWith("redirect_to=https%3A%2F%2Fapp.example.com");
        String token = tokenHash(email);
        assertThat(followed(SHOP, "/verify?type=signup&token=" + token + "&redirect_to=" + wanted))
                .startsWith(SITE + "#access_token");
        assertThat(followed(SHOP, "/verify?type=signup&token=" + token + "&redirect_to=" + wanted))
                .startsWith(SITE + "?error");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST | /otp | {} | 400 | validation_failed
            POST | /otp | {"email":"a@b.example","phone":"+123456789"} | 400 | validation_failed
            POST | /otp | {"phone":"+123456789"} | 400 | phone_provider_disabled
            POST | /otp | {"email":"a@b.example","create_user":"yes"} | 400 | bad_json
            POST | /otp | {"email":"a@b.example\\r\\nBcc: x@y.z"} | 400 | validation_failed
            POST | /otp | {"email":"a@b.example, c@d.example"} | 400 | validation_failed
            POST | /otp | {"email":"a@b.example","code_challenge":"x","code_challenge_method":"s256"} | 400 | validation_failed
            POST | /recover | {} | 400 | validation_failed
            POST | /recover | {"email":"nobody@b.example","code_challenge":"short","code_challenge_method":"s256"} | 400 | validation_failed
            POST | /resend | {"email":"a@b.example"} | 400 | validation_failed
            POST | /resend | {"type":"sms","email":"a@b.example"} | 400 | validation_failed
            POST | /resend | {"type":"signup"} | 400 | validation_failed
            POST | /verify | {} | 400 | validation_failed
            POST | /verify | {"type":"nothing","token_hash":"x"} | 400 | validation_failed
            POST | /verify | {"type":"signup"} | 400 | validation_failed
            POST | /verify | {"type":"signup","token":"123456"} | 400 | validation_failed
            POST | /verify | {"type":"signup","token_hash":"x","email":"a@b.example"} | 400 | validation_failed
            POST | /verify | {"type":"signup","token_hash":"x"} | 403 | otp_expired
            POST | /verify | {"type":"signup","token":"123456","email":"a@b.example"} | 403 | otp_expired
            POST | /verify | {"type":"signup","token":"\\u0000","email":"a@b.example"} | 400 | validation_failed
            POST | /admin/generate_link | {} | 401 | no_authorization
            GET | /reauthenticate | {} | 401 | no_authorization
            """)
    void whatCannotBeIsRefusedWithItsCode(String method, String path, String body, int status, String code) {
        Answer refused = AUTH.call(SHOP, method, path, null, body);
        assertThat(refused.text("error_code")).as(refused.body().toString()).isEqualTo(code);
        assertThat(refused.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "/verify",
        "/verify?type=signup",
        "/verify?type=x&token=y",
        "/verify?token=%00&type=signup",
        "/verify?type=signup&token=y&email=no"
    })
    void aLinkThatIsNoneStillLeadsToTheSite(String path) {
        assertThat(followed(SHOP, path)).startsWith(SITE + "?error=").contains("#error=");
    }

    @Test
    void metadataOfAnUnconfirmedUserIsNotRevealed() {
        AUTH.post(
                SHOP,
                "/signup",
                "{\"email\":\"uma@example.com\",\"password\":\"correct horse\",\"data\":{\"name\":\"Uma Secret\"}}");
        AUTH.pass(Duration.ofMinutes(2));
        Answer again = signUp(SHOP, "uma@example.com");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body().toString()).doesNotContain("Secret");
    }

    @Test
    void whatIsTooLongIsRefused() {
        for (String path : List.of("/otp", "/recover", "/signup")) {
            String body = json("email", "a".repeat(250) + "@b.example", "password", "correct horse");
            assertThat(AUTH.post(SHOP, path, body).status()).as(path).isEqualTo(400);
        }
        assertThat(AUTH.post(SHOP, "/otp", json("email", "a@b.example", "padding", "x".repeat(1 << 20)))
                        .status())
                .isEqualTo(413);
        assertThat(verify(SHOP, "signup", "a@b.example", "1".repeat(100_000)).text("error_code"))
                .isEqualTo("otp_expired");
        assertThat(AUTH.post(SHOP, "/verify", json("type", "signup", "token_hash", "f".repeat(100_000)))
                        .text("error_code"))
                .isEqualTo("otp_expired");
    }
}
