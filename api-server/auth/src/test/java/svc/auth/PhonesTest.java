package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.auth.HookServer.Reply;
import svc.testing.TestingProjects;

/** Promise: users are known by their phones as well, and messages go there by the project's own hook. */
class PhonesTest {
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create());
    private static final HookServer SENDER = new HookServer();
    private static final String REF = "phone234";

    static {
        AUTH.project(REF, "{}");
        AUTH.project("other234", "{}");
        AUTH.secret(REF, "signing", "secret", "v1,whsec_c2VjcmV0");
        AUTH.secret("other234", "signing", "secret", "v1,whsec_c2VjcmV0");
        settings(REF, "");
        settings("other234", "");
    }

    @AfterAll
    static void close() {
        SENDER.close();
        AUTH.close();
    }

    private static void settings(String ref, String more) {
        AUTH.settings(
                ref,
                "{\"email\":{\"autoconfirm\":true},\"phone\":{\"enabled\":true" + more
                        + "},\"hooks\":{\"sendSms\":{\"url\":\"" + SENDER.url()
                        + "\",\"secretKeyRef\":{\"name\":\"signing\",\"key\":\"secret\"}}}}");
    }

    private static Answer post(String path, String body) {
        return AUTH.post(REF, path, body);
    }

    private static String user(String phone) {
        return "{\"phone\":\"" + phone + "\",\"password\":\"correct horse\"}";
    }

    private static String otp() {
        try {
            JsonNode sent = AuthForTests.JSON.readTree(SENDER.last().body());
            return sent.path("sms").path("otp").asText();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Answer verify(String type, String phone, String code) {
        return post("/verify", "{\"type\":\"" + type + "\",\"phone\":\"" + phone + "\",\"token\":\"" + code + "\"}");
    }

    private static String wrong(String code) {
        return (code.charAt(0) == '9' ? "8" : "9") + code.substring(1);
    }

    @Test
    void whoSignsUpByANumberProvesItAndSignsInByPassword() throws IOException {
        SENDER.answers(call -> Reply.json("{}"));
        Answer made = post("/signup", user("+49 170 1111111"));
        assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
        assertThat(made.text("phone")).isEqualTo("491701111111");
        assertThat(made.body().has("access_token")).isFalse();
        JsonNode sent = AuthForTests.JSON.readTree(SENDER.last().body());
        assertThat(sent.path("sms").path("phone").asText()).isEqualTo("491701111111");
        assertThat(sent.path("user").path("id").asText()).isEqualTo(made.text("id"));
        String in = "/token?grant_type=password";
        assertThat(post(in, user("491701111111")).text("error_code")).isEqualTo("phone_not_confirmed");
        String code = otp();
        Answer refused = verify("sms", "491701111111", wrong(code));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("error_code")).isEqualTo("otp_expired");
        Answer session = verify("sms", "+491701111111", code);
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.body().path("user").path("phone_confirmed_at").asText())
                .isNotEmpty();
        assertThat(verify("sms", "491701111111", code).text("error_code"))
                .as("a code is used once")
                .isEqualTo("otp_expired");
        assertThat(post(in, user("+491701111111")).status()).isEqualTo(200);
        assertThat(post(in, user("491701111111").replace("horse", "x")).text("error_code"))
                .isEqualTo("invalid_credentials");
        int messages = SENDER.calls().size();
        Answer again = post("/signup", user("491701111111"));
        assertThat(again.status()).as("nobody learns who has an account").isEqualTo(200);
        assertThat(again.text("id")).isNotEqualTo(made.text("id"));
        assertThat(SENDER.calls()).hasSize(messages);
    }

    @Test
    void aCodeSignsInAndIsShortLivedAndSpaced() {
        SENDER.answers(call -> Reply.json("{}"));
        String phone = "{\"phone\":\"491702222222\"}";
        assertThat(post("/otp", "{\"phone\":\"491702222222\",\"create_user\":false}")
                        .text("error_code"))
                .isEqualTo("otp_disabled");
        assertThat(post("/otp", phone).status()).isEqualTo(200);
        Answer soon = post("/otp", phone);
        assertThat(soon.status()).isEqualTo(429);
        assertThat(soon.text("error_code")).isEqualTo("over_sms_send_rate_limit");
        assertThat(soon.text("msg")).startsWith("For security purposes, you can only request this after ");
        AUTH.pass(Duration.ofSeconds(61));
        assertThat(verify("sms", "491702222222", otp()).text("error_code")).isEqualTo("otp_expired");
        assertThat(post("/resend", "{\"type\":\"sms\",\"phone\":\"491702222222\"}")
                        .status())
                .isEqualTo(200);
        String code = otp();
        assertThat(AUTH.post(
                                "other234",
                                "/verify",
                                "{\"type\":\"sms\",\"phone\":\"491702222222\",\"token\":\"" + code + "\"}")
                        .status())
                .as("a code of one project in another")
                .isEqualTo(403);
        assertThat(verify("phone_change", "491702222222", code).status()).isEqualTo(403);
        Answer session = verify("sms", "491702222222", code);
        assertThat(session.body()
                        .path("user")
                        .path("identities")
                        .get(0)
                        .path("provider")
                        .asText())
                .isEqualTo("phone");
        int messages = SENDER.calls().size();
        assertThat(post("/resend", "{\"type\":\"sms\",\"phone\":\"491709999999\"}")
                        .status())
                .isEqualTo(200);
        assertThat(SENDER.calls()).hasSize(messages);
    }

    @Test
    void anotherNumberIsTheUsersWhenItIsProved() {
        SENDER.answers(call -> Reply.json("{}"));
        Answer session = post("/signup", "{\"email\":\"mover@example.com\",\"password\":\"correct horse\"}");
        String token = session.text("access_token");
        Answer waiting = AUTH.call(REF, "PUT", "/user", token, "{\"phone\":\"491703333333\"}");
        assertThat(waiting.status()).as(waiting.body().toString()).isEqualTo(200);
        assertThat(waiting.text("new_phone")).isEqualTo("491703333333");
        assertThat(waiting.text("phone")).isEmpty();
        AUTH.pass(Duration.ofSeconds(61));
        assertThat(post("/resend", "{\"type\":\"phone_change\",\"phone\":\"491703333333\"}")
                        .status())
                .isEqualTo(200);
        Answer moved = verify("phone_change", "491703333333", otp());
        assertThat(moved.status()).as(moved.body().toString()).isEqualTo(200);
        assertThat(moved.body().path("user").path("phone").asText()).isEqualTo("491703333333");
        assertThat(moved.body().path("user").has("new_phone")).isFalse();
        assertThat(moved.body()
                        .path("user")
                        .path("app_metadata")
                        .path("providers")
                        .toString())
                .isEqualTo("[\"email\",\"phone\"]");
        Answer other = post("/signup", "{\"email\":\"thief@example.com\",\"password\":\"correct horse\"}");
        assertThat(AUTH.call(REF, "PUT", "/user", other.text("access_token"), "{\"phone\":\"491703333333\"}")
                        .text("error_code"))
                .isEqualTo("phone_exists");
    }

    @Test
    void aChangeOfNumberAndOtherThingsAreAllDoneOrNone() {
        SENDER.answers(call -> Reply.json("{}"));
        Answer first = post("/signup", "{\"email\":\"first@example.com\",\"password\":\"correct horse\"}");
        settings(REF, ",\"autoconfirm\":true");
        assertThat(AUTH.call(REF, "PUT", "/user", first.text("access_token"), "{\"phone\":\"491706666666\"}")
                        .text("phone"))
                .isEqualTo("491706666666");
        settings(REF, "");
        Answer session = post("/signup", "{\"email\":\"whole@example.com\",\"password\":\"correct horse\"}");
        String token = session.text("access_token");
        String change = "{\"phone\":\"%s\",\"password\":\"battery staple\",\"data\":{\"a\":1}}";
        Answer taken = AUTH.call(REF, "PUT", "/user", token, change.formatted("491706666666"));
        assertThat(taken.text("error_code")).isEqualTo("phone_exists");
        assertUnchanged(token);
        SENDER.answers(call -> new Reply(500, null, ""));
        Answer unsent = AUTH.call(REF, "PUT", "/user", token, change.formatted("491707777777"));
        assertThat(unsent.status()).as(unsent.body().toString()).isEqualTo(500);
        assertUnchanged(token);
        SENDER.answers(call -> Reply.json("{}"));
        Answer done = AUTH.call(REF, "PUT", "/user", token, change.formatted("491707777777"));
        assertThat(done.status()).as(done.body().toString()).isEqualTo(200);
        assertThat(done.text("new_phone")).isEqualTo("491707777777");
        assertThat(done.body().path("user_metadata").path("a").asInt()).isEqualTo(1);
        assertThat(verify("phone_change", "491707777777", otp()).status()).isEqualTo(200);
        assertThat(post("/token?grant_type=password", user("491707777777").replace("correct horse", "battery staple"))
                        .status())
                .isEqualTo(200);
    }

    private static void assertUnchanged(String token) {
        Answer user = AUTH.call(REF, "GET", "/user", token, null);
        assertThat(user.text("new_phone")).isEmpty();
        assertThat(user.text("phone_change_sent_at")).isEmpty();
        assertThat(user.body().path("user_metadata").has("a")).isFalse();
        assertThat(post(
                                "/token?grant_type=password",
                                "{\"email\":\"whole@example.com\",\"password\":\"correct horse\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void manyThatSignUpAtOnceWithOneNumberAreOneUser() throws Exception {
        SENDER.answers(call -> Reply.json("{}"));
        settings("other234", ",\"autoconfirm\":true");
        List<Integer> atOnce = signUps("other234", "491708888888");
        assertThat(atOnce).containsOnly(200, 422);
        assertThat(atOnce).containsOnlyOnce(200);
        settings("other234", "");
        List<Integer> waiting = signUps("other234", "491709999999");
        assertThat(waiting)
                .as("the others are told to wait for the one message")
                .containsOnly(200, 429);
        assertThat(waiting).containsOnlyOnce(200);
        for (String phone : new String[] {"491708888888", "491709999999"}) {
            assertThat(AUTH.call("other234", "GET", "/admin/users?filter=" + phone, "service", null)
                            .body()
                            .path("users"))
                    .hasSize(1);
        }
    }

    private static List<Integer> signUps(String ref, String phone) throws Exception {
        Callable<Integer> one = () -> AUTH.post(ref, "/signup", user(phone)).status();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> status : threads.invokeAll(Collections.nCopies(8, one))) {
                statuses.add(status.get());
            }
            return statuses;
        }
    }

    private static Answer from(String address, String path, String body) {
        return AUTH.call(REF, "POST", path, null, body, java.util.Map.of("X-Forwarded-For", address));
    }

    @Test
    void whoHasTheNumberGetsAnAccountWithoutWhatOthersPutThere() {
        SENDER.answers(call -> Reply.json("{}"));
        for (boolean waits : new boolean[] {true, false}) {
            String phone = waits ? "491707070701" : "491707070702";
            String theirs =
                    "{\"phone\":\"" + phone + "\",\"password\":\"correct horse\",\"data\":{\"a\":\"attacker\"}}";
            assertThat(from("198.51.100.66", "/signup", theirs).status()).isEqualTo(200);
            if (waits) {
                AUTH.pass(Duration.ofSeconds(61));
            }
            Answer wanted = from("203.0.113.7", "/otp", "{\"phone\":\"" + phone + "\"}");
            assertThat(wanted.status()).isEqualTo(waits ? 200 : 429);
            Answer session = from(
                    "203.0.113.7",
                    "/verify",
                    "{\"type\":\"sms\",\"phone\":\"" + phone + "\",\"token\":\"" + otp() + "\"}");
            assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
            assertThat(session.body().toString()).doesNotContain("attacker");
            assertThat(post("/token?grant_type=password", user(phone)).text("error_code"))
                    .as("waits: " + waits)
                    .isEqualTo("invalid_credentials");
        }
    }

    @Test
    void aSignUpByNumberIsConfirmedOnAnotherDevice() {
        SENDER.answers(call -> Reply.json("{}"));
        from("203.0.113.7", "/signup", user("491707070703"));
        assertThat(from(
                                "192.0.2.99",
                                "/verify",
                                "{\"type\":\"sms\",\"phone\":\"491707070703\",\"token\":\"" + otp() + "\"}")
                        .status())
                .isEqualTo(200);
        assertThat(post("/token?grant_type=password", user("491707070703")).status())
                .isEqualTo(200);
    }

    @Test
    void aSenderThatFailsIsAnAnswerAndTheUserMayAskAgainAtOnce() {
        SENDER.answers(call -> new Reply(500, null, ""));
        assertThat(post("/otp", "{\"phone\":\"491704444444\"}").status()).isEqualTo(500);
        SENDER.answers(call -> Reply.json("{}"));
        assertThat(post("/otp", "{\"phone\":\"491704444444\"}").status()).isEqualTo(200);
        assertThat(verify("sms", "491704444444", otp()).status()).isEqualTo(200);
    }

    @Test
    void withoutPhonesOrASenderThereIsAnAnswerThatSaysSo() {
        AUTH.settings("other234", "{\"phone\":{\"enabled\":true}}");
        Answer mute = AUTH.post("other234", "/otp", "{\"phone\":\"491705555555\"}");
        assertThat(mute.status()).isEqualTo(400);
        assertThat(mute.text("error_code")).isEqualTo("phone_provider_disabled");
        assertThat(mute.text("msg")).contains("spec.auth.hooks.sendSms");
        AUTH.settings("other234", "{}");
        assertThat(AUTH.post("other234", "/signup", user("491705555555")).text("error_code"))
                .isEqualTo("phone_provider_disabled");
        assertThat(AUTH.post("other234", "/token?grant_type=password", user("491705555555"))
                        .status())
                .isEqualTo(422);
        settings("other234", "");
        for (String bad : new String[] {"", "12", "+1' OR 1=1--", "٠١٢٣٤٥٦٧٨٩", "0".repeat(5000)}) {
            Answer refused = post("/otp", "{\"phone\":\"" + bad + "\"}");
            assertThat(refused.status()).as(bad).isEqualTo(400);
        }
        settings("other234", ",\"autoconfirm\":true");
        assertThat(AUTH.post("other234", "/signup", user("491705555555")).body().has("access_token"))
                .isTrue();
        assertThat(AUTH.post("other234", "/signup", user("491705555555")).text("error_code"))
                .isEqualTo("user_already_exists");
        settings("other234", "");
    }
}
