package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;

/** Promise: the project's own servers invite users, and make links that they send themselves. */
class MadeLinksTest extends MailedUsers {
    @Test
    void anInvitedUserComesByTheLink() {
        Answer invited = AUTH.call(
                SHOP,
                "POST",
                "/invite?redirect_to=https://a.preview.example.com/hi",
                "service",
                "{\"email\":\"lea@example.com\",\"data\":{\"team\":7}}");
        assertThat(invited.status()).as(invited.body().toString()).isEqualTo(200);
        assertThat(invited.text("invited_at")).isNotEmpty();
        assertThat(invited.body().path("user_metadata").path("team").asInt()).isEqualTo(7);
        assertThat(followed(SHOP, link("lea@example.com")))
                .startsWith("https://a.preview.example.com/hi#")
                .contains("type=invite");
        assertThat(AUTH.call(SHOP, "POST", "/invite", "service", json("email", "lea@example.com"))
                        .text("error_code"))
                .isEqualTo("email_exists");
        assertThat(AUTH.call(SHOP, "POST", "/invite", null, json("email", "x@example.com"))
                        .status())
                .isEqualTo(401);
        assertThat(AUTH.call(SHOP, "POST", "/invite", confirmed("lou@example.com"), json("email", "x@example.com"))
                        .text("error_code"))
                .isEqualTo("not_admin");
    }

    @ParameterizedTest
    @CsvSource({"signup,signup", "invite,invite", "magiclink,signup", "recovery,recovery"})
    void aServerMakesLinksAndSendsThemItself(String type, String verification) {
        String email = type + "@made.example.com";
        if (type.equals("recovery")) {
            AUTH.call(SHOP, "POST", "/admin/users", "service", "{\"email\":\"" + email + "\",\"email_confirm\":true}");
        }
        Answer made = AUTH.call(
                SHOP,
                "POST",
                "/admin/generate_link",
                "service",
                json("type", type, "email", email, "password", "correct horse"));
        assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
        assertThat(made.text("verification_type")).isEqualTo(verification);
        assertThat(made.text("redirect_to")).isEqualTo(SITE);
        assertThat(made.text("hashed_token")).hasSize(56);
        assertThat(made.text("action_link"))
                .contains("token=" + made.text("hashed_token"))
                .contains("type=" + verification);
        assertThat(MAILS.inbox().to(email)).isEmpty();
        assertThat(verify(SHOP, verification, email, made.text("email_otp")).status())
                .isEqualTo(200);
    }

    @Test
    void aServerMakesBothLinksOfAChange() {
        confirmed("max@example.com");
        List<String> codes = new ArrayList<>();
        for (String end : List.of("email_change_new", "email_change_current")) {
            Answer made = AUTH.call(
                    SHOP,
                    "POST",
                    "/admin/generate_link",
                    "service",
                    json("type", end, "email", "max@example.com", "new_email", "max@new.example.com"));
            assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
            assertThat(made.text("action_link")).contains("type=email_change&");
            codes.add(made.text("email_otp"));
        }
        assertThat(verify(SHOP, "email_change", "max@new.example.com", codes.get(0))
                        .text("code"))
                .isEqualTo("200");
        assertThat(verify(SHOP, "email_change", "max@example.com", codes.get(1))
                        .body()
                        .path("user")
                        .path("email")
                        .asText())
                .isEqualTo("max@new.example.com");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"type":"signup","email":"x@example.com"} | 400
            {"type":"other","email":"x@example.com"} | 400
            {"type":"recovery","email":"unknown@example.com"} | 404
            {"type":"email_change_new","email":"x@example.com"} | 400
            {"type":"signup","email":"x","password":"correct horse"} | 400
            """)
    void andSoForTheServer(String body, int status) {
        Answer refused = AUTH.call(SHOP, "POST", "/admin/generate_link", "service", body);
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(status);
        assertThat(refused.text("msg")).isNotBlank();
    }
}
