package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;

/** Promise: an address or a password changes for who reads the mails, and what was sent before is worthless then. */
class MailedChangeTest extends MailedUsers {
    @Test
    void aForgottenPasswordIsResetAndOldMailsAreWorthless() {
        String other = confirmed("hal@example.com");
        AUTH.post(
                SHOP, "/recover?redirect_to=https://pr-1.preview.example.com/reset", json("email", "hal@example.com"));
        String place = followed(SHOP, link("hal@example.com"));
        assertThat(place).startsWith("https://pr-1.preview.example.com/reset#").contains("type=recovery");
        Matcher token = Pattern.compile("access_token=([^&]+)").matcher(place);
        assertThat(token.find()).isTrue();
        AUTH.pass(Duration.ofMinutes(2));
        AUTH.post(SHOP, "/recover", json("email", "hal@example.com"));
        String unused = tokenHash("hal@example.com");
        assertThat(asUser(token.group(1), "PUT", "/user", json("password", "battery staple"))
                        .status())
                .isEqualTo(200);
        assertThat(signIn("hal@example.com", "battery staple").status()).isEqualTo(200);
        assertThat(asUser(other, "GET", "/user", null).text("error_code"))
                .as("other sessions end")
                .isEqualTo("session_not_found");
        assertThat(AUTH.post(SHOP, "/verify", json("type", "recovery", "token_hash", unused))
                        .text("error_code"))
                .isEqualTo("otp_expired");
    }

    @Test
    void aNewAddressIsConfirmedFromBoth() {
        String token = confirmed("ida@example.com");
        Answer asked = asUser(token, "PUT", "/user", json("email", "ida@new.example.com"));
        assertThat(asked.text("email")).isEqualTo("ida@example.com");
        assertThat(asked.text("new_email")).isEqualTo("ida@new.example.com");
        String fresh = code("ida@new.example.com");
        String present = code("ida@example.com");
        Answer half = verify(SHOP, "email_change", "ida@new.example.com", fresh);
        assertThat(half.body().toString())
                .isEqualTo("{\"msg\":\"Confirmation link accepted. Please proceed to confirm link sent to the other"
                        + " email\",\"code\":\"200\"}");
        assertThat(verify(SHOP, "email_change", "ida@new.example.com", fresh).text("error_code"))
                .as("one address cannot stand for both")
                .isEqualTo("otp_expired");
        Answer whole = verify(SHOP, "email_change", "ida@example.com", present);
        assertThat(whole.body().path("user").path("email").asText()).isEqualTo("ida@new.example.com");
        assertThat(whole.body().path("user").has("new_email")).isFalse();
        assertThat(whole.body()
                        .path("user")
                        .path("identities")
                        .get(0)
                        .path("email")
                        .asText())
                .isEqualTo("ida@new.example.com");
        assertThat(whole.body().path("user").path("user_metadata").path("email").asText())
                .as("the copy that the sign-up made")
                .isEqualTo("ida@new.example.com");
        assertThat(signIn("ida@new.example.com", "correct horse").status()).isEqualTo(200);
    }

    @Test
    void aLinkOfHalfAChangeSaysSo() {
        String token = confirmed("ike@example.com");
        asUser(token, "PUT", "/user", json("email", "ike@new.example.com"));
        assertThat(followed(SHOP, link("ike@new.example.com"))).startsWith(SITE + "#message=Confirmation");
        assertThat(followed(SHOP, link("ike@example.com")))
                .contains("access_token=")
                .contains("type=email_change");
        signUp(SHOP, "taken@example.com");
        AUTH.pass(Duration.ofMinutes(2));
        assertThat(asUser(
                                signIn("ike@new.example.com", "correct horse").text("access_token"),
                                "PUT",
                                "/user",
                                json("email", "taken@example.com"))
                        .text("error_code"))
                .isEqualTo("email_exists");
    }

    @Test
    void anAnonymousUserBecomesAPermanentOneByMail() {
        AUTH.project("anon2345", settings(",\"anonymousSignIn\":true"));
        String token = AUTH.post("anon2345", "/signup", "{}").text("access_token");
        AUTH.call("anon2345", "PUT", "/user", token, json("email", "jay@example.com"));
        Answer known = verify("anon2345", "email_change", "jay@example.com", code("jay@example.com"));
        assertThat(known.body().path("user").path("is_anonymous").asBoolean(true))
                .isFalse();
        assertThat(known.body()
                        .path("user")
                        .path("app_metadata")
                        .path("provider")
                        .asText())
                .isEqualTo("email");
    }

    @Test
    void aPasswordIsChangedWithACodeWhereTheSignInIsOld() {
        AUTH.project("care2345", settings(",\"password\":{\"requireReauthentication\":true}"));
        AUTH.post("care2345", "/signup", json("email", "kim@example.com", "password", "correct horse"));
        String token = verify("care2345", "signup", "kim@example.com", code("kim@example.com"))
                .text("access_token");
        assertThat(AUTH.call("care2345", "PUT", "/user", token, json("password", "battery staple"))
                        .status())
                .as("a sign-in of today needs none")
                .isEqualTo(200);
        AUTH.pass(Duration.ofHours(25));
        assertThat(AUTH.call("care2345", "PUT", "/user", token, json("password", "another one"))
                        .text("error_code"))
                .isEqualTo("reauthentication_needed");
        assertThat(AUTH.call("care2345", "GET", "/reauthenticate", token, null)
                        .body()
                        .toString())
                .isEqualTo("{}");
        String nonce = code("kim@example.com");
        assertThat(mail("kim@example.com").links()).isEmpty();
        assertThat(AUTH.call("care2345", "PUT", "/user", token, json("password", "another one", "nonce", "000000"))
                        .text("error_code"))
                .isEqualTo("reauthentication_not_valid");
        assertThat(AUTH.call("care2345", "PUT", "/user", token, json("password", "another one", "nonce", nonce))
                        .status())
                .isEqualTo(200);
        assertThat(AUTH.call("care2345", "PUT", "/user", token, json("password", "yet another", "nonce", nonce))
                        .text("error_code"))
                .isEqualTo("reauthentication_not_valid");
        assertThat(AUTH.call("care2345", "GET", "/reauthenticate", null, null).status())
                .isEqualTo(401);
    }
}
