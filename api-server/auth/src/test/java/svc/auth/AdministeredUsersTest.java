package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;
import svc.testing.TestingProjects;

/** Promise: the service role creates, confirms, bans and deletes users, and no user does. */
class AdministeredUsersTest {
    private static final String OPEN = "{\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true}";
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());

    static {
        AUTH.project("shop2345", OPEN);
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static String user(String email) {
        return "{\"email\":\"" + email + "\",\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}}";
    }

    private static Answer signUp(String email) {
        return AUTH.post("shop2345", "/signup", user(email));
    }

    private static Answer refresh(String token) {
        return AUTH.post("shop2345", "/token?grant_type=refresh_token", "{\"refresh_token\":\"" + token + "\"}");
    }

    @Test
    void aBannedUserIsOutAndBackWhenTheBanEnds() {
        Answer session = signUp("gil@example.com");
        String id = session.body().path("user").path("id").asText();
        AUTH.call("shop2345", "PUT", "/admin/users/" + id, "service", "{\"ban_duration\":\"1h\"}");
        assertThat(AUTH.call("shop2345", "GET", "/user", session.text("access_token"), null)
                        .text("error_code"))
                .isEqualTo("user_banned");
        assertThat(refresh(session.text("refresh_token")).text("error_code")).isEqualTo("user_banned");
        assertThat(AUTH.post("shop2345", "/token?grant_type=password", user("gil@example.com"))
                        .text("error_code"))
                .isEqualTo("user_banned");
        AUTH.call("shop2345", "PUT", "/admin/users/" + id, "service", "{\"ban_duration\":\"none\"}");
        assertThat(refresh(session.text("refresh_token")).status()).isEqualTo(200);
    }

    @Test
    void theServiceRoleKeepsUsers() {
        String other = signUp("ida@example.com").text("access_token");
        Answer made = AUTH.call("shop2345", "POST", "/admin/users", "service", """
            {"email":"hal@example.com","email_confirm":true,"user_metadata":{"a":1},"app_metadata":{"plan":"pro"},
             "password_hash":"$2b$04$abcdefghijklmnopqrstuuSbFeSjHhCq/OFwkcQHUkSbi0JPm46mC"}\
            """);
        assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
        assertThat(made.body().path("app_metadata").path("plan").asText()).isEqualTo("pro");
        String path = "/admin/users/" + made.text("id");
        assertThat(AUTH.call("shop2345", "GET", path, "service", null).text("email"))
                .isEqualTo("hal@example.com");
        assertThat(AUTH.call("shop2345", "POST", "/admin/users", "service", "{\"email\":\"hal@example.com\"}")
                        .text("error_code"))
                .isEqualTo("email_exists");
        Answer page = AUTH.call("shop2345", "GET", "/admin/users?page=1&per_page=1", "service", null);
        assertThat(page.body().path("users")).hasSize(1);
        assertThat(page.http().headers().firstValue("x-total-count")).isPresent();
        assertThat(page.http().headers().firstValue("link").orElseThrow()).contains("rel=\"last\"");
        assertThat(AUTH.call("shop2345", "GET", "/admin/users?filter=hal@", "service", null)
                        .body()
                        .path("users"))
                .hasSize(1);
        assertThat(AUTH.call("shop2345", "DELETE", path, "service", "{\"should_soft_delete\":false}")
                        .status())
                .isEqualTo(200);
        assertThat(AUTH.call("shop2345", "GET", path, "service", null).text("error_code"))
                .isEqualTo("user_not_found");
        assertThat(AUTH.call("shop2345", "GET", "/admin/users", null, null).status())
                .isEqualTo(401);
        assertThat(AUTH.call("shop2345", "GET", "/admin/users", other, null).text("error_code"))
                .isEqualTo("not_admin");
    }

    @Test
    void theServiceRoleConfirmsWhatItNames() {
        Answer made = AUTH.call("shop2345", "POST", "/admin/users", "service", """
            {"email":"jo@example.com","phone":"491711111111","email_confirm":true}\
            """);
        assertThat(made.body().path("email_confirmed_at").asText()).isNotEmpty();
        assertThat(made.body().has("phone_confirmed_at"))
                .as("a number that nobody has confirmed")
                .isFalse();
        Answer email = AUTH.call(
                "shop2345",
                "POST",
                "/admin/users",
                "service",
                "{\"email\":\"kim@example.com\",\"email_confirm\":true}");
        Answer both = AUTH.call(
                "shop2345",
                "PUT",
                "/admin/users/" + email.text("id"),
                "service",
                "{\"phone\":\"491722222222\",\"phone_confirm\":true,\"app_metadata\":{\"plan\":\"pro\"}}");
        assertThat(both.body().path("phone_confirmed_at").asText()).isNotEmpty();
        assertThat(both.body().path("app_metadata").toString())
                .isEqualTo("{\"plan\":\"pro\",\"provider\":\"email\",\"providers\":[\"email\",\"phone\"]}");
    }

    private static JsonNode claims(Answer session) throws IOException {
        String payload = session.text("access_token").split("[.]")[1];
        return AuthForTests.JSON.readTree(Base64.getUrlDecoder().decode(payload));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"email":"ann%s@example.com","email_confirm":true,"password":"correct horse"}
        {"phone":"49173%s","phone_confirm":true}
        """)
    void anAnonymousUserWithAnAddressIsPermanent(String change) throws IOException {
        Answer begun = AUTH.post("shop2345", "/signup", "{}");
        String id = begun.body().path("user").path("id").asText();
        String body = change.formatted(COUNTER.incrementAndGet() + 1_000_000);

        Answer made = AUTH.call("shop2345", "PUT", "/admin/users/" + id, "service", body);

        assertThat(made.body().path("is_anonymous").asBoolean(true))
                .as(made.body().toString())
                .isFalse();
        // A new password ends the session.
        Answer session = body.contains("password")
                ? AUTH.post("shop2345", "/token?grant_type=password", body)
                : refresh(begun.text("refresh_token"));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(claims(session).path("is_anonymous").asBoolean(true)).isFalse();
    }

    /** Rows that were written before the flag followed the address. */
    @Test
    void anyChangeByTheServerMakesAUserWithAnAddressPermanent() {
        String id = signUp("max@example.com").body().path("user").path("id").asText();
        AUTH.asOwner(
                "shop2345",
                "UPDATE " + AUTH.auth("shop2345") + ".users SET is_anonymous = true WHERE id = '" + id + "'");

        Answer made = AUTH.call("shop2345", "PUT", "/admin/users/" + id, "service", "{\"email_confirm\":true}");

        assertThat(made.body().path("is_anonymous").asBoolean(true)).isFalse();
    }

    @Test
    void anAnonymousUserWithoutAnAddressStaysAnonymous() {
        String id = AUTH.post("shop2345", "/signup", "{}")
                .body()
                .path("user")
                .path("id")
                .asText();

        Answer same = AUTH.call("shop2345", "PUT", "/admin/users/" + id, "service", "{\"user_metadata\":{\"a\":1}}");

        assertThat(same.body().path("is_anonymous").asBoolean()).isTrue();
    }

    @Test
    void theCopyOfTheAddressInTheMetadataFollowsIt() {
        String id = signUp("nia@example.com").body().path("user").path("id").asText();
        String path = "/admin/users/" + id;

        Answer moved = AUTH.call("shop2345", "PUT", path, "service", "{\"email\":\"nia@new.example.com\"}");

        assertThat(moved.body().path("user_metadata").path("email").asText()).isEqualTo("nia@new.example.com");
        AUTH.call("shop2345", "PUT", path, "service", "{\"user_metadata\":{\"email\":\"nia@work.example.com\"}}");
        Answer again = AUTH.call("shop2345", "PUT", path, "service", "{\"email\":\"nia@third.example.com\"}");
        assertThat(again.body().path("user_metadata").path("email").asText())
                .as("a value of the application's own")
                .isEqualTo("nia@work.example.com");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET | /admin/users/7 | {} | 404
        GET | /admin/users?page=x | {} | 400
        GET | /admin/users?filter=%00 | {} | 400
        POST | /admin/users | {} | 400
        POST | /admin/users | {"email":"x@example.com","password_hash":"md5"} | 400
        POST | /admin/users | {"email":"x@example.com","password_hash":"$argon2id$v=19$m=9999999,t=90,p=1$YWFhYWFhYWE$YWFhYWFhYWFhYWFh"} | 400
        POST | /admin/users | {"email":"x@example.com","ban_duration":"soon"} | 400
        POST | /admin/users | {"email":"x@example.com","role":"a b"} | 400
        PATCH | /admin/users | {} | 405
        """)
    void whatCannotBeIsRefused(String method, String path, String body, int status) {
        Answer refused = AUTH.call("shop2345", method, path, "service", body);
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(status);
        assertThat(refused.text("msg")).isNotBlank();
    }

    @Test
    void aUserWhoIsForgottenLeavesNoAddressBehind() {
        String id = signUp("lea@example.com").body().path("user").path("id").asText();
        AUTH.call("shop2345", "DELETE", "/admin/users/" + id, "service", "{\"should_soft_delete\":true}");
        Answer left = AUTH.call("shop2345", "GET", "/admin/users/" + id, "service", null);
        assertThat(left.body().path("deleted_at").asText()).isNotEmpty();
        assertThat(left.body().toString()).doesNotContain("lea@example.com");
        assertThat(signUp("lea@example.com").status()).as("the address is free").isEqualTo(200);
    }
}
