package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests.Answer;
import svc.auth.FactorsForTests.App;
import svc.auth.FactorsForTests.Session;
import svc.auth.HookServer.Reply;

/** Promise: what needs a second factor is not done without it, nor with another user's. */
class AccountsWithFactorsTest {
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
    void aFactorOfBeforeIsNotVerifiedWithoutTheVerifiedOne() throws Exception {
        PHONES.answers(call -> Reply.json("{}"));
        Session owner = user();
        Session thief = owner.again();
        String planted = thief.call("POST", "/factors", "{\"factor_type\":\"phone\",\"phone\":\"+491700000077\"}")
                .text("id");
        String challenge =
                thief.call("POST", "/factors/" + planted + "/challenge", "{}").text("id");
        String code = AuthForTests.JSON
                .readTree(PHONES.last().body())
                .path("sms")
                .path("otp")
                .asText();
        Session strong = owner.enroll("own").pass(owner);
        Session again = owner.again();
        Answer refused = again.call(
                "POST",
                "/factors/" + planted + "/verify",
                "{\"challenge_id\":\"" + challenge + "\",\"code\":\"" + code + "\"}");
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(403);
        assertThat(refused.text("error_code")).isEqualTo("insufficient_aal");
        assertThat(again.call("POST", "/factors/" + planted + "/challenge", "{}")
                        .text("error_code"))
                .isEqualTo("insufficient_aal");
        assertThat(strong.call(
                                "POST",
                                "/factors/" + planted + "/verify",
                                "{\"challenge_id\":\"" + challenge + "\",\"code\":\"" + code + "\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void withoutTheFactorItsUserChangesNothingOfTheAccount() {
        Session session = user();
        App app = session.enroll("a");
        Session strong = app.pass(session);
        Session weak = strong.again();
        Answer password = weak.call("PUT", "/user", "{\"password\":\"another horse\"}");
        assertThat(password.status()).isEqualTo(401);
        assertThat(password.text("error_code")).isEqualTo("insufficient_aal");
        assertThat(weak.call("PUT", "/user", "{\"email\":\"thief" + session.email() + "\"}")
                        .text("error_code"))
                .isEqualTo("insufficient_aal");
        assertThat(weak.call("PUT", "/user", "{\"data\":{\"a\":1}}").status()).isEqualTo(200);
        Answer enroll = weak.call("POST", "/factors", "{\"factor_type\":\"totp\"}");
        assertThat(enroll.status()).isEqualTo(403);
        assertThat(enroll.text("error_code")).isEqualTo("insufficient_aal");
        Answer unenroll = weak.call("DELETE", "/factors/" + app.id(), null);
        assertThat(unenroll.status()).isEqualTo(422);
        assertThat(unenroll.text("error_code")).isEqualTo("insufficient_aal");
        assertThat(strong.call("DELETE", "/factors/" + app.id(), null).text("id"))
                .isEqualTo(app.id());
        assertThat(strong.refreshed().claims().path("aal").asText()).isEqualTo("aal1");
        assertThat(strong.call("PUT", "/user", "{\"password\":\"another horse\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aFactorWorksForItsOwnerAlone() {
        Session ann = user();
        App app = ann.enroll("a");
        String challenge = app.challenge(ann).text("id");
        for (Session thief : List.of(user(), FACTORS.user("other234"))) {
            assertThat(app.challenge(thief).text("error_code")).isEqualTo("mfa_factor_not_found");
            assertThat(app.verify(thief, challenge, app.code()).text("error_code"))
                    .isEqualTo("mfa_factor_not_found");
            assertThat(thief.call("DELETE", "/factors/" + app.id(), null).text("error_code"))
                    .isEqualTo("mfa_factor_not_found");
            App own = thief.enroll("own");
            assertThat(own.verify(thief, challenge, own.code()).text("error_code"))
                    .isEqualTo("mfa_factor_not_found");
        }
        Session foreign = FACTORS.session("other234", ann.email(), ann.answer());
        assertThat(app.challenge(foreign).status()).isEqualTo(401);
    }

    @Test
    void theSecretDoesNotLieOpenInTheDatabase() {
        App app = user().enroll("a");
        String kept = AUTH.projects()
                .ask("SELECT secret FROM " + AUTH.auth("mfa23456") + ".mfa_factors WHERE id = '" + app.id() + "'");
        assertThat(kept).startsWith("1.").doesNotContain(app.totp().secret());
        Session other = FACTORS.user("other234");
        App copy = other.enroll("a");
        AUTH.projects()
                .asOperator("UPDATE " + AUTH.auth("other234") + ".mfa_factors SET secret = '" + kept + "' WHERE id = '"
                        + copy.id() + "'");
        Answer refused = copy.verify(other, copy.challenge(other).text("id"), app.code());
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.text("msg")).contains("cannot be opened");
    }

    @Test
    void theProjectsServersSeeAndTakeAwayFactors() {
        Session session = user();
        App app = session.enroll("a");
        Session strong = app.pass(session);
        String user = strong.claims().path("sub").asText();
        assertThat(strong.call("GET", "/admin/users/" + user + "/factors", null).status())
                .isEqualTo(403);
        Answer list = AUTH.call("mfa23456", "GET", "/admin/users/" + user + "/factors", "service", null);
        assertThat(list.body()).hasSize(1);
        assertThat(list.body().get(0).path("id").asText()).isEqualTo(app.id());
        assertThat(list.body().toString()).doesNotContain("secret");
        String path = "/admin/users/" + user + "/factors/" + app.id();
        assertThat(AUTH.call("other234", "DELETE", path, "service", null).status())
                .isEqualTo(404);
        assertThat(AUTH.call("mfa23456", "DELETE", path, "service", null).text("id"))
                .isEqualTo(app.id());
        assertThat(AUTH.call("mfa23456", "DELETE", path, "service", null).text("error_code"))
                .isEqualTo("mfa_factor_not_found");
        assertThat(strong.refreshed().claims().path("aal").asText()).isEqualTo("aal1");
    }

    @Test
    void theProjectJudgesFactorsAndARefusalEndsAllSessions() {
        Session session = user();
        App app = session.enroll("a");
        PHONES.answers(call -> Reply.json("{\"decision\":\"reject\",\"message\":\"Not today\"}"));
        FACTORS.hooked("mfaVerification");
        Answer refused = app.verify(session, app.challenge(session).text("id"), app.code());
        FACTORS.hooked("sendSms");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("error_code")).isEqualTo("mfa_verification_rejected");
        assertThat(refused.text("msg")).isEqualTo("Not today");
        assertThat(PHONES.last().body()).contains("\"valid\":true").contains(app.id());
        assertThat(session.refresh().text("error_code")).isEqualTo("refresh_token_not_found");
    }
}
