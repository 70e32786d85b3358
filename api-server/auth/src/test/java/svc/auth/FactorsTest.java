package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.auth.AuthForTests.Answer;
import svc.auth.FactorsForTests.App;
import svc.auth.FactorsForTests.Session;
import svc.auth.HookServer.Reply;
import svc.auth.mfa.Totp;

/** Promise: a user proves a second factor, and what needs one cannot be done without. */
class FactorsTest {
    private static final FactorsForTests FACTORS = new FactorsForTests();
    private static final AuthForTests AUTH = FACTORS.auth();
    private static final HookServer PHONES = FACTORS.phones();

    @AfterAll
    static void close() {
        FACTORS.close();
    }

    private static Session user() {
        return FACTORS.user();
    }

    @Test
    void anAppRaisesTheSessionToTheHigherLevelAndEndsTheOthers() {
        Session before = user();
        Session elsewhere = before.again();
        Answer enrolled = before.call(
                "POST", "/factors", "{\"factor_type\":\"totp\",\"friendly_name\":\"Ann's\",\"issuer\":\"Shop & Co\"}");
        JsonNode totp = enrolled.body().path("totp");
        assertThat(enrolled.text("type")).isEqualTo("totp");
        assertThat(enrolled.text("friendly_name")).isEqualTo("Ann's");
        assertThat(totp.path("qr_code").asText())
                .startsWith("<svg")
                .endsWith("</svg>")
                .doesNotContain("#", "%");
        assertThat(totp.path("uri").asText())
                .startsWith("otpauth://totp/Shop%20%26%20Co:user")
                .contains("secret=" + totp.path("secret").asText(), "issuer=Shop%20%26%20Co");
        var app =
                new App(AUTH, enrolled.text("id"), new Totp(totp.path("secret").asText()));
        Answer challenge = app.challenge(before);
        assertThat(challenge.body().path("expires_at").asLong())
                .isEqualTo(AUTH.clock().instant().plusSeconds(300).getEpochSecond());
        Answer wrong = app.verify(before, challenge.text("id"), "000000");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.text("error_code")).isEqualTo("mfa_verification_failed");
        Session after =
                FACTORS.session("mfa23456", before.email(), app.verify(before, challenge.text("id"), app.code()));
        assertThat(after.claims().path("aal").asText()).isEqualTo("aal2");
        assertThat(after.claims().path("amr").findValuesAsText("method")).containsExactlyInAnyOrder("totp", "password");
        JsonNode factor = after.answer().body().path("user").path("factors").get(0);
        assertThat(factor.path("status").asText()).isEqualTo("verified");
        assertThat(factor.has("secret")).isFalse();
        assertThat(after.refreshed().claims().path("aal").asText()).isEqualTo("aal2");
        assertThat(elsewhere.call("GET", "/user", null).text("error_code")).isEqualTo("session_not_found");
        assertThat(after.again().claims().path("aal").asText()).isEqualTo("aal1");
    }

    @Test
    void aRefreshTokenOfBeforeDoesNotBecomeOneOfTheHigherLevel() {
        Session before = user();
        App app = before.enroll("a");
        app.pass(before);
        assertThat(before.refresh().text("error_code")).isEqualTo("refresh_token_already_used");
    }

    @Test
    void aCodeIsTakenOnceHoweverManyComeWithIt() throws Exception {
        Session session = user();
        App app = session.enroll("a");
        String code = app.code();
        List<String> challenges = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            challenges.add(app.challenge(session).text("id"));
        }
        List<Callable<Answer>> tries = challenges.stream()
                .<Callable<Answer>>map(challenge -> () -> app.verify(session, challenge, code))
                .toList();
        try (var threads = Executors.newFixedThreadPool(5)) {
            List<Integer> answers = threads.invokeAll(tries).stream()
                    .map(done -> done.resultNow().status())
                    .sorted()
                    .toList();
            assertThat(answers).containsExactly(200, 422, 422, 422, 422);
        }
        assertThat(app.verify(session, challenges.getFirst(), code).status()).isEqualTo(422);
    }

    @Test
    void aClockMayBeOffByOneStepAndNotByTwo() {
        Session session = user();
        App app = session.enroll("a");
        Instant now = AUTH.clock().instant();
        String challenge = app.challenge(session).text("id");
        assertThat(app.verify(session, challenge, app.totp().code(now.minusSeconds(60)))
                        .text("error_code"))
                .isEqualTo("mfa_verification_failed");
        assertThat(app.verify(session, challenge, app.totp().code(now.plusSeconds(60)))
                        .text("error_code"))
                .isEqualTo("mfa_verification_failed");
        assertThat(app.verify(session, challenge, app.totp().code(now.minusSeconds(30)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aChallengeIsForOneTryInFiveMinutesFromOneAddress() {
        Session session = user();
        App app = session.enroll("a");
        String challenge = app.challenge(session).text("id");
        String body = "{\"challenge_id\":\"" + challenge + "\",\"code\":\"" + app.code() + "\"}";
        Answer elsewhere = AUTH.call(
                "mfa23456",
                "POST",
                "/factors/" + app.id() + "/verify",
                session.access(),
                body,
                Map.of("X-Forwarded-For", "203.0.113.9"));
        assertThat(elsewhere.status()).isEqualTo(422);
        assertThat(elsewhere.text("error_code")).isEqualTo("mfa_ip_address_mismatch");
        AUTH.pass(Duration.ofMinutes(5));
        Answer late = app.verify(session, challenge, app.code());
        assertThat(late.status()).isEqualTo(422);
        assertThat(late.text("error_code")).isEqualTo("mfa_challenge_expired");
        assertThat(app.verify(session, "00000000-0000-4000-8000-000000000000", app.code())
                        .text("error_code"))
                .isEqualTo("mfa_factor_not_found");
        assertThat(app.pass(session).claims().path("aal").asText()).isEqualTo("aal2");
    }

    @Test
    void aUserHasAFewFactorsUnderDifferentNamesAndThoseLeftUnverifiedGo() {
        Session session = user();
        session.enroll("phone of Ann");
        Answer same = session.call("POST", "/factors", "{\"factor_type\":\"totp\",\"friendly_name\":\"phone of Ann\"}");
        assertThat(same.status()).isEqualTo(422);
        assertThat(same.text("error_code")).isEqualTo("mfa_factor_name_conflict");
        session.enroll("");
        session.enroll("");
        Answer many = session.call("POST", "/factors", "{\"factor_type\":\"totp\"}");
        assertThat(many.status()).isEqualTo(422);
        assertThat(many.text("error_code")).isEqualTo("too_many_enrolled_mfa_factors");
        AUTH.pass(Duration.ofMinutes(6));
        App app = session.enroll("phone of Ann");
        session.enroll("left");
        Session strong = app.pass(session);
        assertThat(strong.call("GET", "/user", null).body().path("factors")).hasSize(1);
    }

    @Test
    void triesOfOneFactorAreFew() {
        Session session = user();
        App app = session.enroll("a");
        String challenge = app.challenge(session).text("id");
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            answers.add(app.verify(session, challenge, "00000" + i % 10).status());
        }
        assertThat(answers.subList(0, 10)).containsOnly(422);
        assertThat(answers.getLast()).isEqualTo(429);
    }

    @Test
    void aPhoneIsAFactorToo() throws Exception {
        Session session = user();
        String enroll = "{\"factor_type\":\"phone\",\"friendly_name\":\"p\",\"phone\":\"+49 170 1234567\"}";
        Answer made = session.call("POST", "/factors", enroll);
        assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
        assertThat(made.text("phone")).isEqualTo("491701234567");
        var phone = new App(AUTH, made.text("id"), Totp.random());
        PHONES.answers(call -> new Reply(500, null, ""));
        assertThat(phone.challenge(session).status()).isEqualTo(500);
        PHONES.answers(call -> Reply.json("{}"));
        String challenge = phone.challenge(session).text("id");
        JsonNode sent = AuthForTests.JSON.readTree(PHONES.last().body());
        assertThat(sent.path("sms").path("phone").asText()).isEqualTo("491701234567");
        Answer again = phone.challenge(session);
        assertThat(again.status()).isEqualTo(429);
        assertThat(again.text("error_code")).isEqualTo("over_sms_send_rate_limit");
        assertThat(phone.verify(session, challenge, "x").text("error_code")).isEqualTo("mfa_verification_failed");
        Answer passed =
                phone.verify(session, challenge, sent.path("sms").path("otp").asText());
        Session strong = FACTORS.session("mfa23456", session.email(), passed);
        assertThat(strong.claims().path("aal").asText()).isEqualTo("aal2");
        assertThat(strong.claims().path("amr").findValuesAsText("method")).contains("mfa/phone");
        assertThat(strong.call("POST", "/factors", enroll.replace("\"p\"", "\"q\""))
                        .text("error_code"))
                .isEqualTo("mfa_verified_factor_exists");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"factor_type":"webauthn"}                                   | 422 | mfa_webauthn_enroll_not_enabled
            {"factor_type":"sms"}                                        | 400 | validation_failed
            {}                                                           | 400 | validation_failed
            {"factor_type":1}                                            | 400 | bad_json
            {"factor_type":"phone"}                                      | 400 | validation_failed
            {"factor_type":"phone","phone":"12"}                         | 400 | validation_failed
            {"factor_type":"totp","friendly_name":"\\u0000"}             | 400 | validation_failed
            {"factor_type":"totp","issuer":"0123456789012345678901234567890123456789012345678901234567890123456789"} | 400 | validation_failed
            """)
    void whatCannotBeEnrolledIsRefused(String body, int status, String code) {
        Answer refused = user().call("POST", "/factors", body);
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(status);
        assertThat(refused.text("error_code")).isEqualTo(code);
    }

    @Test
    void anAnonymousUserHasNoFactor() {
        Session anonymous = FACTORS.session("mfa23456", "", AUTH.post("mfa23456", "/signup", "{}"));
        assertThat(anonymous
                        .call("POST", "/factors", "{\"factor_type\":\"totp\"}")
                        .status())
                .isEqualTo(403);
        assertThat(AUTH.post("mfa23456", "/factors", "{\"factor_type\":\"totp\"}")
                        .status())
                .isEqualTo(401);
        assertThat(user().call("POST", "/factors/not-an-id/challenge", "{}").status())
                .isEqualTo(404);
        AUTH.settings("other234", "{\"email\":{\"autoconfirm\":true},\"mfa\":{\"totp\":false}}");
        assertThat(FACTORS.user("other234")
                        .call("POST", "/factors", "{\"factor_type\":\"totp\"}")
                        .text("error_code"))
                .isEqualTo("mfa_totp_enroll_not_enabled");
        AUTH.settings("other234", FactorsForTests.SETTINGS);
    }
}
