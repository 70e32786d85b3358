package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.testing.TestingProjects;

/** Promise: what is our own fault is never answered as the client's, so clients keep their sessions; and they go on. */
class OutageTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final String REF = "outage23";
    private static final String USER = "{\"email\":\"ann@example.com\",\"password\":\"correct horse\"}";

    @AfterAll
    static void close() {
        AUTH.close();
    }

    @Test
    void withoutTheDatabaseNothingIsRefusedAndWithoutRedisNothingStops() {
        AUTH.project(REF, "{\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true}");
        Answer session = AUTH.post(REF, "/signup", USER);
        String token = session.text("access_token");
        String refresh = "{\"refresh_token\":\"" + session.text("refresh_token") + "\"}";
        AUTH.loseDatabase(REF);
        Map<String, Answer> answers = new LinkedHashMap<>();
        answers.put("user", AUTH.call(REF, "GET", "/user", token, null));
        answers.put("update", AUTH.call(REF, "PUT", "/user", token, "{\"data\":{\"a\":1}}"));
        answers.put("refresh", AUTH.post(REF, "/token?grant_type=refresh_token", refresh));
        answers.put("sign-in", AUTH.post(REF, "/token?grant_type=password", USER));
        answers.put("sign-up", AUTH.post(REF, "/signup", USER.replace("ann", "bob")));
        answers.put("anonymous", AUTH.post(REF, "/signup", "{}"));
        answers.put("logout", AUTH.call(REF, "POST", "/logout", token, "{}"));
        answers.put("enroll", AUTH.call(REF, "POST", "/factors", token, "{\"factor_type\":\"totp\"}"));
        answers.put("admin", AUTH.call(REF, "GET", "/admin/users", "service", null));
        AUTH.findDatabase(REF);
        assertThat(answers).allSatisfy((name, answer) -> {
            assertThat(answer.status()).as(name + " " + answer.body()).isBetween(500, 504);
            assertThat(answer.text("msg")).doesNotContain("127.0.0.1").doesNotContain("_system");
        });
        AUTH.loseRedis();
        Answer next = AUTH.post(REF, "/token?grant_type=refresh_token", refresh);
        assertThat(next.status()).as(next.body().toString()).isEqualTo(200);
        assertThat(AUTH.post(REF, "/token?grant_type=password", USER).status()).isEqualTo(200);
        assertThat(AUTH.call(REF, "GET", "/user", next.text("access_token"), null)
                        .status())
                .isEqualTo(200);
    }
}
