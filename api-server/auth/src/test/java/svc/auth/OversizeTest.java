package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;
import svc.testing.TestingProjects;

/** Promise: no call takes more than a megabyte, whatever it does with it, nor JSON that is nested without end. */
class OversizeTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final String REF = "large234";
    private static final String ID = "11111111-1111-4111-8111-111111111111";
    private static final int LIMIT = 1024 * 1024;

    static {
        AUTH.project(REF, "{\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true,\"manualLinking\":true}");
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /signup",
        "POST, /token?grant_type=password",
        "POST, /token?grant_type=refresh_token",
        "POST, /token?grant_type=pkce",
        "POST, /token?grant_type=id_token",
        "POST, /otp",
        "POST, /magiclink",
        "POST, /recover",
        "POST, /resend",
        "POST, /verify",
        "PUT, /user",
        "POST, /logout",
        "POST, /factors",
        "POST, /factors/" + ID + "/challenge",
        "POST, /factors/" + ID + "/verify",
        "DELETE, /factors/" + ID,
        "DELETE, /user/identities/" + ID,
        "POST, /callback",
        "POST, /invite",
        "POST, /admin/generate_link",
        "POST, /admin/users",
        "PUT, /admin/users/" + ID,
        "DELETE, /admin/users/" + ID,
        "DELETE, /admin/users/" + ID + "/factors/" + ID
    })
    void whatIsTooLargeIsRefusedUnread(String method, String path) {
        String bearer = path.startsWith("/admin") || path.equals("/invite") ? "service" : null;
        String body = "{\"data\":\"" + "x".repeat(LIMIT) + "\"}";
        Answer large = AUTH.call(REF, method, path, bearer, body);
        assertThat(large.status()).as(large.body().toString()).isEqualTo(413);
        assertThat(large.text("error_code")).isEqualTo("validation_failed");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /signup, data",
        "POST, /otp, data",
        "POST, /admin/users, user_metadata",
        "POST, /admin/users, app_metadata"
    })
    void whatIsNestedTooDeepIsRefused(String method, String path, String member) {
        String deep = "{\"email\":\"deep@example.com\",\"password\":\"correct horse\",\"" + member + "\":"
                + "{\"a\":".repeat(5000) + "1" + "}".repeat(5000) + "}";
        Answer refused = AUTH.call(REF, method, path, "service", deep);
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(400);
        assertThat(refused.text("error_code")).isEqualTo("bad_json");
    }
}
