package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.mail.MailForTests;
import svc.testing.TestingProjects;

/** Promise: no write makes an access token that the next request cannot carry. */
class TokenSizeTest {
    private static final String REF = "sizes234";
    private static final int MAX_BYTES = 16 * 1024;
    private static final int MAX_TOKEN_CHARACTERS = 48 * 1024;
    private static final String PASSWORD = "correct horse";

    private static AuthForTests AUTH;

    @BeforeAll
    static void open() {
        AUTH = new AuthForTests(TestingProjects.create(), MailForTests.open());
        AUTH.project(REF, "{\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true}");
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static String text(int bytes) {
        return "x".repeat(bytes);
    }

    private static Answer signUp(String email) {
        return AUTH.post(REF, "/signup", "{\"email\":\"" + email + "\",\"password\":\"" + PASSWORD + "\"}");
    }

    private static Answer signIn(String email) {
        return AUTH.post(
                REF, "/token?grant_type=password", "{\"email\":\"" + email + "\",\"password\":\"" + PASSWORD + "\"}");
    }

    private static void refused(Answer answer) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(422);
        assertThat(answer.text("error_code")).isEqualTo("validation_failed");
        assertThat(answer.text("msg")).contains("more than the " + MAX_BYTES + " that an access token can carry");
    }

    private static JsonNode claims(Answer session) throws IOException {
        String token = session.text("access_token");
        assertThat(token.length()).isLessThanOrEqualTo(MAX_TOKEN_CHARACTERS);
        return AuthForTests.JSON.readTree(Base64.getUrlDecoder().decode(token.split("[.]")[1]));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /signup, data",
        "POST, /otp, data",
        "POST, /invite, data",
        "POST, /admin/generate_link, data",
        "POST, /admin/users, user_metadata",
        "POST, /admin/users, app_metadata"
    })
    void aUserIsNotMadeWithMoreThanATokenCarries(String method, String path, String member) {
        refused(AUTH.call(
                REF,
                method,
                path,
                "service",
                "{\"type\":\"signup\",\"email\":\"large@example.com\",\"password\":\"" + PASSWORD + "\",\"" + member
                        + "\":{\"big\":\"" + text(MAX_BYTES) + "\"}}"));
    }

    @Test
    void metadataDoNotGrowBeyondIt() throws IOException {
        Answer begun = signUp("grows@example.com");
        String token = begun.text("access_token");
        String id = begun.body().path("user").path("id").asText();
        refused(AUTH.call(REF, "PUT", "/user", token, "{\"data\":{\"big\":\"" + text(60_000) + "\"}}"));
        // In UTF-8: each of these letters takes two bytes.
        refused(AUTH.call(REF, "PUT", "/user", token, "{\"data\":{\"big\":\"" + "é".repeat(10_000) + "\"}}"));
        for (String member : new String[] {"user_metadata", "app_metadata"}) {
            String half = text(10_000);
            String first = "{\"" + member + "\":{\"a\":\"" + half + "\"}}";
            assertThat(AUTH.call(REF, "PUT", "/admin/users/" + id, "service", first)
                            .status())
                    .isEqualTo(200);
            refused(AUTH.call(
                    REF, "PUT", "/admin/users/" + id, "service", "{\"" + member + "\":{\"b\":\"" + half + "\"}}"));
        }
        assertThat(claims(signIn("grows@example.com")).at("/user_metadata/a").asText())
                .hasSize(10_000);
    }

    @Test
    void aUserWhoseRowSqlMadeLargerSignsInAndRepairsIt() throws IOException {
        String id = signUp("repairs@example.com").body().path("user").path("id").asText();
        AUTH.asOwner(
                REF,
                "UPDATE " + AUTH.auth(REF)
                        + ".users SET raw_user_meta_data = jsonb_build_object('a', repeat('x', 60000), 'b',"
                        + " repeat('y', 60000), 'name', 'Ann') WHERE id = '" + id + "'");

        Answer session = signIn("repairs@example.com");

        assertThat(claims(session).path("user_metadata").toString()).isEqualTo("{}");
        assertThat(session.body().at("/user/user_metadata/name").asText()).isEqualTo("Ann");
        String token = session.text("access_token");
        assertThat(AUTH.call(REF, "PUT", "/user", token, "{\"data\":{\"a\":null}}")
                        .status())
                .as("less than before, though still too much")
                .isEqualTo(200);
        assertThat(AUTH.call(REF, "PUT", "/user", token, "{\"data\":{\"b\":null}}")
                        .status())
                .isEqualTo(200);
        assertThat(claims(signIn("repairs@example.com"))
                        .at("/user_metadata/name")
                        .asText())
                .isEqualTo("Ann");
    }

    @Test
    void noTokenIsIssuedThatARequestCannotCarry() {
        String id = signUp("server@example.com").body().path("user").path("id").asText();
        AUTH.asOwner(
                REF,
                "UPDATE " + AUTH.auth(REF)
                        + ".users SET raw_app_meta_data = jsonb_build_object('a', repeat('x', 60000)) WHERE id = '" + id
                        + "'");

        Answer session = signIn("server@example.com");

        assertThat(session.status()).isEqualTo(422);
        assertThat(session.text("msg")).contains("shorten the user's app_metadata");
        Answer repaired = AUTH.call(REF, "PUT", "/admin/users/" + id, "service", "{\"app_metadata\":{\"a\":null}}");
        assertThat(repaired.status()).isEqualTo(200);
        assertThat(signIn("server@example.com").status()).isEqualTo(200);
    }
}
