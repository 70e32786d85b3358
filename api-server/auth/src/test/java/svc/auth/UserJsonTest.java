package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.auth.mfa.Totp;
import svc.testing.TestingProjects;

/** Promise: the JSON of a user, a session, a factor and a token is GoTrue's to the byte, in the order of its members. */
class UserJsonTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile(
            "\"(?!2026-01-02T)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,6})?Z\"");
    private static final Pattern NUMBER = Pattern.compile(":1[0-9]{9}\\b");
    private static final Pattern SECRET = Pattern.compile("\"[A-Za-z0-9_.-]{40,}\"");

    static {
        AUTH.project(
                "json2345",
                "{\"email\":{\"autoconfirm\":true},\"phone\":{\"enabled\":true,\"autoconfirm\":true},"
                        + "\"anonymousSignIn\":true}");
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static Answer post(String path, String body) {
        Answer answer = AUTH.post("json2345", path, body);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer;
    }

    /** The text of an answer; ids, times and secrets stand as names. */
    private static String shape(String json) {
        String text = ID.matcher(json).replaceAll("ID");
        text = TIME.matcher(text).replaceAll("TIME");
        text = NUMBER.matcher(text).replaceAll(":SECONDS");
        return SECRET.matcher(text).replaceAll("SECRET");
    }

    private static String shape(Answer answer) {
        return shape(answer.http().body());
    }

    private static String claims(Answer session) throws Exception {
        return shape(SignedJWT.parse(session.text("access_token")).getPayload().toString());
    }

    @Test
    void aSessionByEmail() throws Exception {
        Answer session = post(
                "/signup",
                "{\"email\":\"Ann@Example.com\",\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\",\"age\":7}}");
        assertThat(shape(session))
                .isEqualTo(
                        "{\"access_token\":SECRET,\"token_type\":\"bearer\",\"expires_in\":3600,\"expires_at\":SECONDS,"
                                + "\"refresh_token\":SECRET,\"user\":{\"id\":\"ID\",\"aud\":\"authenticated\",\"role\":\"authenticated\","
                                + "\"email\":\"ann@example.com\",\"email_confirmed_at\":TIME,\"phone\":\"\",\"confirmed_at\":TIME,"
                                + "\"last_sign_in_at\":TIME,\"app_metadata\":{\"provider\":\"email\",\"providers\":[\"email\"]},"
                                + "\"user_metadata\":{\"age\":7,\"sub\":\"ID\",\"name\":\"Ann\",\"email\":\"ann@example.com\","
                                + "\"email_verified\":true,\"phone_verified\":false},\"identities\":[{\"identity_id\":\"ID\","
                                + "\"id\":\"ID\",\"user_id\":\"ID\",\"identity_data\":{\"age\":7,\"sub\":\"ID\",\"name\":\"Ann\","
                                + "\"email\":\"ann@example.com\",\"email_verified\":true,\"phone_verified\":false},"
                                + "\"provider\":\"email\",\"last_sign_in_at\":TIME,\"created_at\":TIME,\"updated_at\":TIME,"
                                + "\"email\":\"ann@example.com\"}],\"created_at\":TIME,\"updated_at\":TIME,\"is_anonymous\":false}}");
        assertThat(claims(session))
                .isEqualTo("{\"iss\":\"http://json2345.localhost/auth/v1\",\"sub\":\"ID\",\"aud\":\"authenticated\","
                        + "\"exp\":SECONDS,\"iat\":SECONDS,\"email\":\"ann@example.com\",\"phone\":\"\","
                        + "\"app_metadata\":{\"provider\":\"email\",\"providers\":[\"email\"]},\"user_metadata\":{\"age\":7,"
                        + "\"sub\":\"ID\",\"name\":\"Ann\",\"email\":\"ann@example.com\",\"email_verified\":true,"
                        + "\"phone_verified\":false},\"role\":\"authenticated\",\"aal\":\"aal1\",\"amr\":[{\"method\":\"password\","
                        + "\"timestamp\":SECONDS}],\"session_id\":\"ID\",\"is_anonymous\":false}");
    }

    @Test
    void aSessionByPhone() throws Exception {
        Answer session = post("/signup", "{\"phone\":\"+491701234567\",\"password\":\"correct horse\"}");
        assertThat(shape(session))
                .isEqualTo(
                        "{\"access_token\":SECRET,\"token_type\":\"bearer\",\"expires_in\":3600,\"expires_at\":SECONDS,"
                                + "\"refresh_token\":SECRET,\"user\":{\"id\":\"ID\",\"aud\":\"authenticated\",\"role\":\"authenticated\","
                                + "\"email\":\"\",\"phone\":\"491701234567\",\"phone_confirmed_at\":TIME,\"confirmed_at\":TIME,"
                                + "\"last_sign_in_at\":TIME,\"app_metadata\":{\"provider\":\"phone\",\"providers\":[\"phone\"]},"
                                + "\"user_metadata\":{},\"identities\":[{\"identity_id\":\"ID\",\"id\":\"ID\",\"user_id\":\"ID\","
                                + "\"identity_data\":{\"sub\":\"ID\",\"phone\":\"491701234567\",\"email_verified\":false,"
                                + "\"phone_verified\":true},\"provider\":\"phone\",\"last_sign_in_at\":TIME,\"created_at\":TIME,"
                                + "\"updated_at\":TIME}],\"created_at\":TIME,\"updated_at\":TIME,\"is_anonymous\":false}}");
        assertThat(claims(session))
                .isEqualTo("{\"iss\":\"http://json2345.localhost/auth/v1\",\"sub\":\"ID\",\"aud\":\"authenticated\","
                        + "\"exp\":SECONDS,\"iat\":SECONDS,\"email\":\"\",\"phone\":\"491701234567\","
                        + "\"app_metadata\":{\"provider\":\"phone\",\"providers\":[\"phone\"]},\"user_metadata\":{},"
                        + "\"role\":\"authenticated\",\"aal\":\"aal1\",\"amr\":[{\"method\":\"password\",\"timestamp\":SECONDS}],"
                        + "\"session_id\":\"ID\",\"is_anonymous\":false}");
    }

    @Test
    void anAnonymousSession() throws Exception {
        Answer session = post("/signup", "{}");
        assertThat(shape(session))
                .isEqualTo(
                        "{\"access_token\":SECRET,\"token_type\":\"bearer\",\"expires_in\":3600,\"expires_at\":SECONDS,"
                                + "\"refresh_token\":SECRET,\"user\":{\"id\":\"ID\",\"aud\":\"authenticated\",\"role\":\"authenticated\","
                                + "\"email\":\"\",\"phone\":\"\",\"last_sign_in_at\":TIME,\"app_metadata\":{},\"user_metadata\":{},"
                                + "\"identities\":[],\"created_at\":TIME,\"updated_at\":TIME,\"is_anonymous\":true}}");
        assertThat(claims(session))
                .isEqualTo("{\"iss\":\"http://json2345.localhost/auth/v1\",\"sub\":\"ID\",\"aud\":\"authenticated\","
                        + "\"exp\":SECONDS,\"iat\":SECONDS,\"email\":\"\",\"phone\":\"\",\"app_metadata\":{},\"user_metadata\":{},"
                        + "\"role\":\"authenticated\",\"aal\":\"aal1\",\"amr\":[{\"method\":\"anonymous\",\"timestamp\":SECONDS}],"
                        + "\"session_id\":\"ID\",\"is_anonymous\":true}");
    }

    @Test
    void aUserWithAFactor() throws Exception {
        Answer first = post("/signup", "{\"email\":\"mfa@example.com\",\"password\":\"correct horse\"}");
        Answer factor = AUTH.call(
                "json2345",
                "POST",
                "/factors",
                first.text("access_token"),
                "{\"factor_type\":\"totp\",\"friendly_name\":\"phone\"}");
        String id = factor.text("id");
        Answer challenge =
                AUTH.call("json2345", "POST", "/factors/" + id + "/challenge", first.text("access_token"), "{}");
        String code = new Totp(factor.body().path("totp").path("secret").asText())
                .code(AUTH.clock().instant());
        Answer session = AUTH.call(
                "json2345",
                "POST",
                "/factors/" + id + "/verify",
                first.text("access_token"),
                "{\"challenge_id\":\"" + challenge.text("id") + "\",\"code\":\"" + code + "\"}");
        assertThat(shape(challenge)).isEqualTo("{\"id\":\"ID\",\"type\":\"totp\",\"expires_at\":SECONDS}");
        assertThat(shape(session))
                .isEqualTo(
                        "{\"access_token\":SECRET,\"token_type\":\"bearer\",\"expires_in\":3600,\"expires_at\":SECONDS,"
                                + "\"refresh_token\":SECRET,\"user\":{\"id\":\"ID\",\"aud\":\"authenticated\",\"role\":\"authenticated\","
                                + "\"email\":\"mfa@example.com\",\"email_confirmed_at\":TIME,\"phone\":\"\",\"confirmed_at\":TIME,"
                                + "\"last_sign_in_at\":TIME,\"app_metadata\":{\"provider\":\"email\",\"providers\":[\"email\"]},"
                                + "\"user_metadata\":{\"sub\":\"ID\",\"email\":\"mfa@example.com\",\"email_verified\":true,"
                                + "\"phone_verified\":false},\"factors\":[{\"id\":\"ID\",\"friendly_name\":\"phone\","
                                + "\"factor_type\":\"totp\",\"status\":\"verified\",\"created_at\":TIME,\"updated_at\":TIME,"
                                + "\"last_challenged_at\":TIME}],\"identities\":[{\"identity_id\":\"ID\",\"id\":\"ID\",\"user_id\":\"ID\","
                                + "\"identity_data\":{\"sub\":\"ID\",\"email\":\"mfa@example.com\",\"email_verified\":true,"
                                + "\"phone_verified\":false},\"provider\":\"email\",\"last_sign_in_at\":TIME,\"created_at\":TIME,"
                                + "\"updated_at\":TIME,\"email\":\"mfa@example.com\"}],\"created_at\":TIME,\"updated_at\":TIME,"
                                + "\"is_anonymous\":false}}");
        assertThat(claims(session))
                .isEqualTo("{\"iss\":\"http://json2345.localhost/auth/v1\",\"sub\":\"ID\",\"aud\":\"authenticated\","
                        + "\"exp\":SECONDS,\"iat\":SECONDS,\"email\":\"mfa@example.com\",\"phone\":\"\","
                        + "\"app_metadata\":{\"provider\":\"email\",\"providers\":[\"email\"]},\"user_metadata\":{\"sub\":\"ID\","
                        + "\"email\":\"mfa@example.com\",\"email_verified\":true,\"phone_verified\":false},"
                        + "\"role\":\"authenticated\",\"aal\":\"aal2\",\"amr\":[{\"method\":\"totp\","
                        + "\"timestamp\":SECONDS},{\"method\":\"password\",\"timestamp\":SECONDS}],\"session_id\":\"ID\","
                        + "\"is_anonymous\":false}");
        Answer user = AUTH.call("json2345", "GET", "/user", session.text("access_token"), null);
        assertThat(shape(user))
                .isEqualTo(
                        "{\"id\":\"ID\",\"aud\":\"authenticated\",\"role\":\"authenticated\",\"email\":\"mfa@example.com\","
                                + "\"email_confirmed_at\":TIME,\"phone\":\"\",\"confirmed_at\":TIME,\"last_sign_in_at\":TIME,"
                                + "\"app_metadata\":{\"provider\":\"email\",\"providers\":[\"email\"]},\"user_metadata\":{\"sub\":\"ID\","
                                + "\"email\":\"mfa@example.com\",\"email_verified\":true,\"phone_verified\":false},"
                                + "\"factors\":[{\"id\":\"ID\",\"friendly_name\":\"phone\",\"factor_type\":\"totp\",\"status\":\"verified\","
                                + "\"created_at\":TIME,\"updated_at\":TIME,\"last_challenged_at\":TIME}],"
                                + "\"identities\":[{\"identity_id\":\"ID\",\"id\":\"ID\",\"user_id\":\"ID\",\"identity_data\":{\"sub\":\"ID\","
                                + "\"email\":\"mfa@example.com\",\"email_verified\":true,\"phone_verified\":false},"
                                + "\"provider\":\"email\",\"last_sign_in_at\":TIME,\"created_at\":TIME,\"updated_at\":TIME,"
                                + "\"email\":\"mfa@example.com\"}],\"created_at\":TIME,\"updated_at\":TIME,\"is_anonymous\":false}");
        Answer admin = AUTH.call("json2345", "GET", "/admin/users/" + user.text("id") + "/factors", "service", null);
        assertThat(shape(admin))
                .isEqualTo(
                        "[{\"id\":\"ID\",\"friendly_name\":\"phone\",\"factor_type\":\"totp\",\"status\":\"verified\","
                                + "\"created_at\":TIME,\"updated_at\":TIME,\"last_challenged_at\":TIME}]");
    }

    @Test
    void aUserWithEveryColumn() {
        Answer made = AUTH.call(
                "json2345",
                "POST",
                "/admin/users",
                "service",
                "{\"email\":\"all@example.com\",\"email_confirm\":true,"
                        + "\"user_metadata\":{\"z\":1.50,\"a\":[null,true]},\"app_metadata\":{\"plan\":\"pro\"}}");
        String times = "'2026-01-02 03:04:05.120000+00'";
        AUTH.projects()
                .asOperator("UPDATE " + AUTH.auth("json2345") + ".users SET invited_at = " + times
                        + ", confirmation_sent_at = " + times + ", recovery_sent_at = " + times
                        + ", phone = '491709999999', phone_confirmed_at = " + times
                        + ", email_change = 'new@example.com', email_change_sent_at = " + times
                        + ", phone_change = '491708888888', phone_change_sent_at = " + times
                        + ", reauthentication_sent_at = " + times + ", last_sign_in_at = " + times
                        + ", banned_until = 'infinity', deleted_at = '2026-01-02 03:04:05+00'"
                        + " WHERE email = 'all@example.com'");
        Answer user = AUTH.call("json2345", "GET", "/admin/users/" + made.text("id"), "service", null);
        assertThat(shape(user))
                .isEqualTo(
                        "{\"id\":\"ID\",\"aud\":\"authenticated\",\"role\":\"authenticated\",\"email\":\"all@example.com\","
                                + "\"email_confirmed_at\":TIME,\"invited_at\":\"2026-01-02T03:04:05.12Z\",\"phone\":\"491709999999\","
                                + "\"phone_confirmed_at\":\"2026-01-02T03:04:05.12Z\","
                                + "\"confirmation_sent_at\":\"2026-01-02T03:04:05.12Z\","
                                + "\"confirmed_at\":\"2026-01-02T03:04:05.12Z\",\"recovery_sent_at\":\"2026-01-02T03:04:05.12Z\","
                                + "\"new_email\":\"new@example.com\",\"email_change_sent_at\":\"2026-01-02T03:04:05.12Z\","
                                + "\"new_phone\":\"491708888888\",\"phone_change_sent_at\":\"2026-01-02T03:04:05.12Z\","
                                + "\"reauthentication_sent_at\":\"2026-01-02T03:04:05.12Z\","
                                + "\"last_sign_in_at\":\"2026-01-02T03:04:05.12Z\",\"app_metadata\":{\"plan\":\"pro\","
                                + "\"provider\":\"email\",\"providers\":[\"email\"]},\"user_metadata\":{\"a\":[null,true],\"z\":1.5,"
                                + "\"email_verified\":true},"
                                + "\"identities\":[{\"identity_id\":\"ID\",\"id\":\"ID\",\"user_id\":\"ID\","
                                + "\"identity_data\":{\"a\":[null,true],\"z\":1.5,\"sub\":\"ID\",\"email\":\"all@example.com\","
                                + "\"email_verified\":true,\"phone_verified\":false},\"provider\":\"email\",\"last_sign_in_at\":TIME,"
                                + "\"created_at\":TIME,\"updated_at\":TIME,\"email\":\"all@example.com\"}],\"created_at\":TIME,"
                                + "\"updated_at\":TIME,\"banned_until\":\"infinity\",\"deleted_at\":\"2026-01-02T03:04:05Z\","
                                + "\"is_anonymous\":false}");
    }
}
