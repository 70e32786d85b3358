package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.auth.HookServer.Reply;
import svc.testing.TestingProjects;

/** Promise: programs that try things get nowhere, and cannot keep users out by trying. */
class AbuseTest {
    private static final HookServer ELSEWHERE = new HookServer();
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create(), URI.create(ELSEWHERE.url()));
    private static final String REF = "abuse234";
    private static final String AUTOCONFIRM = "\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true";

    static {
        AUTH.project(REF, "{" + AUTOCONFIRM + "}");
        AUTH.secret(REF, "captcha", "secret", "s&cret");
    }

    @AfterAll
    static void close() {
        ELSEWHERE.close();
        AUTH.close();
    }

    private static void settings(String more) {
        AUTH.settings(REF, "{" + AUTOCONFIRM + "," + more + "}");
    }

    private static Answer from(String address, String path, String body) {
        return AUTH.call(REF, "POST", path, null, body, Map.of("X-Forwarded-For", address));
    }

    private static String user(String name, String password) {
        return "{\"email\":\"" + name + "@example.com\",\"password\":\"" + password + "\"}";
    }

    private static Answer signIn(String address, String name, String password) {
        return from(address, "/token?grant_type=password", user(name, password));
    }

    @Test
    void aStrangerCannotLockAUserOut() {
        settings("\"rateLimits\":{\"signUpsPerHour\":1000}");
        from("198.51.100.1", "/signup", user("ann", "correct horse"));
        assertThat(signIn("198.51.100.1", "ann", "correct horse").status()).isEqualTo(200);
        int tries = 0;
        Answer refused = null;
        for (int address = 1; address <= 5; address++) {
            for (int i = 0; i < 31; i++) {
                refused = signIn("203.0.113." + address, "ann", "x");
                tries++;
            }
            assertThat(refused.status()).as("too many of one address").isEqualTo(429);
        }
        assertThat(tries).isGreaterThan(100);
        assertThat(signIn("203.0.113.99", "ann", "correct horse").status())
                .as("a new address while strangers try")
                .isEqualTo(429);
        assertThat(signIn("198.51.100.1", "ann", "correct horse").status())
                .as("an address of the user's")
                .isEqualTo(200);
        assertThat(signIn("203.0.113.99", "nobody", "x").status())
                .as("another account")
                .isEqualTo(400);
    }

    @Test
    void eachAddressMayDoAsMuchAsTheProjectSays() {
        settings("\"rateLimits\":{\"signUpsPerHour\":2,\"anonymousPerHour\":1,\"refreshesPerHour\":1}");
        Answer session = from("192.0.2.1", "/signup", user("one", "correct horse"));
        assertThat(session.status()).isEqualTo(200);
        assertThat(from("192.0.2.1", "/signup", user("two", "correct horse")).status())
                .isEqualTo(200);
        Answer third = from("192.0.2.1", "/signup", user("three", "correct horse"));
        assertThat(third.status()).isEqualTo(429);
        assertThat(third.text("error_code")).isEqualTo("over_request_rate_limit");
        assertThat(signIn("192.0.2.1", "one", "correct horse").status()).isEqualTo(429);
        assertThat(from("192.0.2.2", "/signup", user("three", "correct horse")).status())
                .isEqualTo(200);
        assertThat(AUTH.call(
                                REF,
                                "POST",
                                "/signup",
                                "service",
                                user("four", "correct horse"),
                                Map.of("X-Forwarded-For", "192.0.2.1"))
                        .status())
                .as("the project's own servers")
                .isEqualTo(200);
        assertThat(from("192.0.2.1", "/signup", "{}").status()).isEqualTo(200);
        assertThat(from("192.0.2.1", "/signup", "{}").status()).isEqualTo(429);
        String refresh = "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}";
        assertThat(from("192.0.2.1", "/token?grant_type=refresh_token", refresh).status())
                .isEqualTo(200);
        Answer late = from("192.0.2.1", "/token?grant_type=refresh_token", refresh);
        assertThat(late.status()).isEqualTo(429);
        assertThat(late.text("msg")).contains("try again in");
        assertThat(from("192.0.2.3", "/token?grant_type=refresh_token", refresh).status())
                .isEqualTo(200);
        settings("\"rateLimits\":{\"anonymousPerHour\":0}");
        assertThat(from("192.0.2.9", "/signup", "{}").status()).isEqualTo(429);
    }

    @Test
    void aCaptchaStandsBeforeSignUpAndSignIn() {
        settings("\"captcha\":{\"provider\":\"HCaptcha\",\"secretKeyRef\":{\"name\":\"captcha\",\"key\":\"secret\"}}");
        ELSEWHERE.answers(call -> Reply.json(
                call.body().contains("response=solved+%26")
                        ? "{\"success\":true}"
                        : "{\"success\":false,\"error-codes\":[\"invalid-input-response\"]}"));
        String name = "robot";
        Answer without = from("192.0.2.50", "/signup", user(name, "correct horse"));
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.text("error_code")).isEqualTo("captcha_failed");
        assertThat(ELSEWHERE.calls()).isEmpty();
        Answer wrong = from("192.0.2.50", "/signup", captcha(name, "guessed"));
        assertThat(wrong.text("error_code")).isEqualTo("captcha_failed");
        assertThat(wrong.text("msg")).contains("invalid-input-response");
        assertThat(from("192.0.2.50", "/signup", captcha(name, "solved &")).status())
                .isEqualTo(200);
        assertThat(ELSEWHERE.last().path()).isEqualTo("/hcaptcha");
        assertThat(ELSEWHERE.last().body()).contains("secret=s%26cret").contains("remoteip=192.0.2.50");
        assertThat(signIn("192.0.2.50", name, "correct horse").text("error_code"))
                .isEqualTo("captcha_failed");
        Answer session = from("192.0.2.50", "/token?grant_type=password", captcha(name, "solved &"));
        assertThat(session.status()).isEqualTo(200);
        assertThat(from(
                                "192.0.2.50",
                                "/token?grant_type=refresh_token",
                                "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}")
                        .status())
                .isEqualTo(200);
        ELSEWHERE.answers(call -> new Reply(502, null, ""));
        Answer away = from("192.0.2.50", "/signup", captcha("other", "solved &"));
        assertThat(away.status())
                .as("its provider is away: nobody's fault who calls")
                .isEqualTo(500);
        ELSEWHERE.answers(call -> Reply.json("nonsense"));
        assertThat(from("192.0.2.50", "/signup", captcha("other", "solved &")).status())
                .isEqualTo(500);
    }

    private static String captcha(String name, String token) {
        return "{\"email\":\"" + name + "@example.com\",\"password\":\"correct horse\","
                + "\"gotrue_meta_security\":{\"captcha_token\":\"" + token + "\"}}";
    }

    @Test
    void aLeakedPasswordIsRefusedAndOnlyItsHashPrefixLeavesThePlatform() throws Exception {
        settings("\"password\":{\"refuseLeaked\":true}");
        String hash = HexFormat.of()
                .withUpperCase()
                .formatHex(MessageDigest.getInstance("SHA-1").digest("password1".getBytes(StandardCharsets.UTF_8)));
        String padding = "0018A45C4D1DEF81644B54AB7F969B88D65:0\r\n";
        ELSEWHERE.answers(call -> new Reply(200, "text/plain", padding + hash.substring(5) + ":2413945\r\n"));
        Answer refused = from("192.0.2.60", "/signup", user("leaked", "password1"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("error_code")).isEqualTo("weak_password");
        assertThat(refused.body().path("weak_password").path("reasons").get(0).asText())
                .isEqualTo("pwned");
        assertThat(ELSEWHERE.last().path()).isEqualTo("/range/" + hash.substring(0, 5));
        assertThat(ELSEWHERE.last().headers().getFirst("Add-Padding")).isEqualTo("true");
        ELSEWHERE.answers(call -> new Reply(200, "text/plain", padding + hash.substring(5) + ":0\r\n"));
        assertThat(from("192.0.2.60", "/signup", user("padded", "password1")).status())
                .isEqualTo(200);
        ELSEWHERE.answers(call -> new Reply(500, null, ""));
        assertThat(from("192.0.2.60", "/signup", user("away", "password1")).status())
                .as("nobody is kept out by a service elsewhere")
                .isEqualTo(200);
        ELSEWHERE.answers(call -> new Reply(200, "text/plain", hash.substring(5) + ":1"));
        Answer in = signIn("192.0.2.60", "away", "password1");
        assertThat(in.status()).isEqualTo(200);
        assertThat(in.body().path("weak_password").path("reasons").get(0).asText())
                .isEqualTo("pwned");
    }
}
