package svc.api.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.api.auth.AuthForTests.Answer;
import svc.api.auth.mail.MailForTests;
import svc.api.testing.TestingProjects;
import svc.embedded.mail.CaughtMail;

/** Promise: who can read the mails of an address has it, once, for as long as the project says; nobody else has. */
class MailedAccountsTest {
    private static final MailForTests MAILS = MailForTests.open();
    private static final AuthForTests AUTH = new AuthForTests(TestingProjects.create(), MAILS);
    private static final String SHOP = "shop2345";
    private static final String SITE = "https://app.example.com";
    private static final Pattern CODE = Pattern.compile("<strong>([0-9]{6,10})</strong>");

    static {
        AUTH.project(SHOP, settings(""));
        AUTH.project("other234", settings(""));
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    private static String settings(String more) {
        return "{\"siteUrl\":\"" + SITE + "\",\"redirectUrls\":[\"https://*.preview.example.com/**\"],"
                + "\"rateLimits\":{\"emailsPerHour\":100000}" + more + "}";
    }

    private static String json(String... members) {
        var body = AuthForTests.JSON.createObjectNode();
        for (int i = 0; i < members.length; i += 2) {
            body.put(members[i], members[i + 1]);
        }
        return body.toString();
    }

    private static Answer signUp(String ref, String email) {
        return AUTH.post(ref, "/signup", json("email", email, "password", "correct horse"));
    }

    private static Answer signIn(String email, String password) {
        return AUTH.post(SHOP, "/token?grant_type=password", json("email", email, "password", password));
    }

    private static CaughtMail mail(String to) {
        List<CaughtMail> found = MAILS.inbox().to(to);
        assertThat(found).as("mails to " + to).isNotEmpty();
        return found.getFirst();
    }

    private static String code(String to) {
        Matcher code = CODE.matcher(mail(to).html());
        assertThat(code.find()).as(mail(to).html()).isTrue();
        return code.group(1);
    }

    /** What follows {@code /auth/v1} in the link. */
    private static String link(String to) {
        String link = mail(to).links().getFirst();
        assertThat(link).startsWith("http://");
        return link.substring(link.indexOf("/auth/v1") + "/auth/v1".length());
    }

    private static String tokenHash(String to) {
        Matcher token = Pattern.compile("token=([^&]+)").matcher(link(to));
        assertThat(token.find()).isTrue();
        return token.group(1);
    }

    private static String followed(String ref, String path) {
        Answer answer = AUTH.call(ref, "GET", path, null, null);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(303);
        return answer.http().headers().firstValue("Location").orElseThrow();
    }

    private static Answer verify(String ref, String type, String email, String code) {
        return AUTH.post(ref, "/verify", json("type", type, "email", email, "token", code));
    }

    private static String confirmed(String email) {
        assertThat(signUp(SHOP, email).status()).isEqualTo(200);
        Answer session = verify(SHOP, "signup", email, code(email));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        return session.text("access_token");
    }

    private static Answer asUser(String token, String method, String path, String body) {
        return AUTH.call(SHOP, method, path, token, body);
    }

    @Test
    void whoSignsUpIsAUserWhenTheMailIsAnswered() {
        Answer user = signUp(SHOP, "Ann@Example.com");
        assertThat(user.status()).as(user.body().toString()).isEqualTo(200);
        assertThat(user.text("access_token")).isEmpty();
        assertThat(user.text("confirmation_sent_at")).isNotEmpty();
        assertThat(user.body().path("identities")).hasSize(1);
        assertThat(signIn("ann@example.com", "correct horse").text("error_code"))
                .isEqualTo("email_not_confirmed");
        Answer session = verify(SHOP, "email", "ann@example.com", code("ann@example.com"));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.body().path("user").path("email_confirmed_at").asText())
                .isNotEmpty();
        assertThat(session.body()
                        .path("user")
                        .path("identities")
                        .get(0)
                        .path("identity_data")
                        .path("email_verified")
                        .asBoolean())
                .isTrue();
        assertThat(session.body()
                        .path("user")
                        .path("user_metadata")
                        .path("email_verified")
                        .asBoolean())
                .isTrue();
        assertThat(signIn("ann@example.com", "correct horse").status()).isEqualTo(200);
        assertThat(verify(SHOP, "email", "ann@example.com", code("ann@example.com"))
                        .text("error_code"))
                .as("a code is used once")
                .isEqualTo("otp_expired");
    }

    @Test
    void aLinkSignsInOnceAndLeadsToTheSite() {
        signUp(SHOP, "bob@example.com");
        String place = followed(SHOP, link("bob@example.com"));
        assertThat(place)
                .startsWith(SITE + "#")
                .contains("access_token=")
                .contains("&type=signup")
                .contains("refresh_token=");
        String again = followed(SHOP, link("bob@example.com"));
        assertThat(again).startsWith(SITE + "?").contains("error=access_denied").contains("error_code=otp_expired");
        assertThat(again.substring(again.indexOf('#')))
                .contains("error_code=otp_expired")
                .contains("error_description=");
    }

    @Test
    void aLookAheadUsesNothingUp() {
        signUp(SHOP, "cat@example.com");
        String link = link("cat@example.com");
        assertThat(AUTH.call(SHOP, "HEAD", link, null, null).status()).isEqualTo(200);
        assertThat(AUTH.call(SHOP, "GET", link, null, null, Map.of("Sec-Purpose", "prefetch;prerender"))
                        .status())
                .isEqualTo(503);
        assertThat(followed(SHOP, link)).contains("access_token=");
    }

    @Test
    void aFlowWithAChallengeEndsInACode() throws Exception {
        String verifier = "v".repeat(43);
        String challenge = java.util.Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(java.security.MessageDigest.getInstance("SHA-256")
                        .digest(verifier.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
        AUTH.post(
                SHOP,
                "/signup",
                json(
                        "email",
                        "dan@example.com",
                        "password",
                        "correct horse",
                        "code_challenge",
                        challenge,
                        "code_challenge_method",
                        "s256"));
        assertThat(tokenHash("dan@example.com")).startsWith("pkce_");
        String place = followed(SHOP, link("dan@example.com"));
        assertThat(place).startsWith(SITE + "?code=").doesNotContain("access_token");
        String code = place.substring(place.indexOf("code=") + 5);
        Answer session = AUTH.post(SHOP, "/token?grant_type=pkce", json("auth_code", code, "code_verifier", verifier));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        assertThat(session.body().path("user").path("email").asText()).isEqualTo("dan@example.com");
    }

    @Test
    void whoHasAnAccountAlreadyLooksLikeWhoHasNone() {
        confirmed("eve@example.com");
        int before = MAILS.inbox().to("eve@example.com").size();
        Answer again = signUp(SHOP, "eve@example.com");
        Answer fresh = signUp(SHOP, "eve2@example.com");
        assertThat(again.status()).isEqualTo(200);
        assertThat(names(again.body())).isEqualTo(names(fresh.body()));
        assertThat(again.body().path("identities"))
                .as("by which applications tell, as with Supabase")
                .isEmpty();
        assertThat(AUTH.call(SHOP, "GET", "/admin/users/" + again.text("id"), "service", null)
                        .status())
                .as("a user of that id does not exist")
                .isEqualTo(404);
        assertThat(MAILS.inbox().to("eve@example.com")).hasSize(before);
        assertThat(signIn("eve@example.com", "correct horse").status()).isEqualTo(200);
    }

    private static Set<String> names(JsonNode body) {
        Set<String> names = new HashSet<>();
        body.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void nothingTellsWhetherAnAddressIsKnown() {
        confirmed("fay@example.com");
        signUp(SHOP, "waiting@example.com");
        for (String call : List.of("/recover", "/resend")) {
            List<String> seen = new ArrayList<>();
            for (String email : List.of("fay@example.com", "nobody-" + call.substring(1) + "@example.com")) {
                String body = call.equals("/resend") ? json("type", "signup", "email", email) : json("email", email);
                Answer first = AUTH.post(SHOP, call, body);
                Answer second = AUTH.post(SHOP, call, body);
                seen.add(first.status() + " " + first.body() + " " + second.status() + " " + second.text("error_code")
                        + " " + second.text("msg").replaceAll("[0-9]+", "N") + " "
                        + second.http().headers().firstValue("Retry-After").isPresent());
            }
            assertThat(new HashSet<>(seen)).as(call + " " + seen).hasSize(1);
            assertThat(seen.getFirst()).startsWith("200 {} 429 over_email_send_rate_limit For security purposes");
        }
        assertThat(MAILS.inbox().to("nobody-recover@example.com")).isEmpty();
    }

    @Test
    void aMailSignsInWithoutAPassword() {
        Answer sent = AUTH.post(SHOP, "/otp", "{\"email\":\"gil@example.com\",\"data\":{\"name\":\"Gil\"}}");
        assertThat(sent.status()).as(sent.body().toString()).isEqualTo(200);
        assertThat(sent.body().toString()).isEqualTo("{}");
        Answer session = verify(SHOP, "email", "gil@example.com", code("gil@example.com"));
        assertThat(session.body()
                        .path("user")
                        .path("user_metadata")
                        .path("name")
                        .asText())
                .isEqualTo("Gil");
        AUTH.pass(Duration.ofMinutes(2));
        AUTH.post(SHOP, "/magiclink", json("email", "gil@example.com"));
        assertThat(link("gil@example.com")).contains("type=magiclink");
        Answer again =
                AUTH.post(SHOP, "/verify", json("type", "magiclink", "token_hash", tokenHash("gil@example.com")));
        assertThat(again.body().path("user").path("id"))
                .isEqualTo(session.body().path("user").path("id"));
        assertThat(AUTH.post(SHOP, "/otp", "{\"email\":\"nobody@example.com\",\"create_user\":false}")
                        .text("error_code"))
                .isEqualTo("otp_disabled");
    }

    @Test
    void aClosedProjectTellsNobodyWhoIsIn() {
        AUTH.project("shut2345", settings(",\"signUp\":false"));
        AUTH.call(
                "shut2345", "POST", "/admin/users", "service", "{\"email\":\"in@example.com\",\"email_confirm\":true}");
        Answer in = AUTH.post("shut2345", "/otp", json("email", "in@example.com"));
        Answer out = AUTH.post("shut2345", "/otp", json("email", "out@example.com"));
        assertThat(in.status() + in.body().toString())
                .isEqualTo("200{}")
                .isEqualTo(out.status() + out.body().toString());
        assertThat(MAILS.inbox().to("out@example.com")).isEmpty();
        assertThat(MAILS.inbox().to("in@example.com")).hasSize(1);
    }

    @Test
    void aForgottenPasswordIsSetAnewAndOldMailsAreWorthless() {
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
                .isEqualTo(
                        "{\"msg\":\"Confirmation link accepted. Please proceed to confirm link sent to the other email\",\"code\":\"200\"}");
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
    void somebodyUnknownBecomesSomebodyByMail() {
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

    @Test
    void anInvitedUserComesByTheLink() {
        Answer invited = AUTH.call(
                SHOP,
                "POST",
                "/invite?redirect_to=https://a.preview.example.com/hi",
                "service",
                "{\"email\":\"lea@example.com\",\"data\":{\"team\":7}}");
        assertThat(invited.status()).as(invited.body().toString()).isEqualTo(200);
        assertThat(invited.text("invited_at")).isNotEmpty();
        assertThat(invited.body().path("user_metadata").path("team").asInt()).isEqualTo(7);
        assertThat(followed(SHOP, link("lea@example.com")))
                .startsWith("https://a.preview.example.com/hi#")
                .contains("type=invite");
        assertThat(AUTH.call(SHOP, "POST", "/invite", "service", json("email", "lea@example.com"))
                        .text("error_code"))
                .isEqualTo("email_exists");
        assertThat(AUTH.call(SHOP, "POST", "/invite", null, json("email", "x@example.com"))
                        .status())
                .isEqualTo(401);
        assertThat(AUTH.call(SHOP, "POST", "/invite", confirmed("lou@example.com"), json("email", "x@example.com"))
                        .text("error_code"))
                .isEqualTo("not_admin");
    }

    @ParameterizedTest
    @CsvSource({"signup,signup", "invite,invite", "magiclink,signup", "recovery,recovery"})
    void aServerMakesLinksAndSendsThemItself(String type, String verification) {
        String email = type + "@made.example.com";
        if (type.equals("recovery")) {
            AUTH.call(SHOP, "POST", "/admin/users", "service", "{\"email\":\"" + email + "\",\"email_confirm\":true}");
        }
        Answer made = AUTH.call(
                SHOP,
                "POST",
                "/admin/generate_link",
                "service",
                json("type", type, "email", email, "password", "correct horse"));
        assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
        assertThat(made.text("verification_type")).isEqualTo(verification);
        assertThat(made.text("redirect_to")).isEqualTo(SITE);
        assertThat(made.text("hashed_token")).hasSize(56);
        assertThat(made.text("action_link"))
                .contains("token=" + made.text("hashed_token"))
                .contains("type=" + verification);
        assertThat(MAILS.inbox().to(email)).isEmpty();
        assertThat(verify(SHOP, verification, email, made.text("email_otp")).status())
                .isEqualTo(200);
    }

    @Test
    void aServerMakesBothLinksOfAChange() {
        confirmed("max@example.com");
        List<String> codes = new ArrayList<>();
        for (String end : List.of("email_change_new", "email_change_current")) {
            Answer made = AUTH.call(
                    SHOP,
                    "POST",
                    "/admin/generate_link",
                    "service",
                    json("type", end, "email", "max@example.com", "new_email", "max@new.example.com"));
            assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
            assertThat(made.text("action_link")).contains("type=email_change&");
            codes.add(made.text("email_otp"));
        }
        assertThat(verify(SHOP, "email_change", "max@new.example.com", codes.get(0))
                        .text("code"))
                .isEqualTo("200");
        assertThat(verify(SHOP, "email_change", "max@example.com", codes.get(1))
                        .body()
                        .path("user")
                        .path("email")
                        .asText())
                .isEqualTo("max@new.example.com");
    }

    @Test
    void tokensDieByTheClock() {
        signUp(SHOP, "nat@example.com");
        String code = code("nat@example.com");
        String link = link("nat@example.com");
        AUTH.pass(Duration.ofSeconds(3601));
        assertThat(verify(SHOP, "signup", "nat@example.com", code).text("error_code"))
                .isEqualTo("otp_expired");
        assertThat(followed(SHOP, link)).contains("error_code=otp_expired");
        assertThat(AUTH.post(SHOP, "/resend", json("type", "signup", "email", "nat@example.com"))
                        .status())
                .isEqualTo(200);
        assertThat(code("nat@example.com")).isNotEqualTo(code);
        assertThat(verify(SHOP, "signup", "nat@example.com", code("nat@example.com"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void mailsToOneUserAreSpaced() {
        signUp(SHOP, "ned@example.com");
        AUTH.pass(Duration.ofSeconds(20));
        Answer early = AUTH.post(SHOP, "/resend", json("type", "signup", "email", "ned@example.com"));
        assertThat(early.status()).isEqualTo(429);
        assertThat(early.text("msg")).isEqualTo("For security purposes, you can only request this after 40 seconds.");
        assertThat(early.http().headers().firstValue("Retry-After")).contains("40");
        assertThat(verify(SHOP, "signup", "ned@example.com", code("ned@example.com"))
                        .status())
                .as("what was sent before is still good")
                .isEqualTo(200);
    }

    @Test
    void aProjectSendsSoManyMailsAnHour() {
        AUTH.project("few23456", "{\"rateLimits\":{\"emailsPerHour\":2}}");
        assertThat(signUp("few23456", "a@example.com").status()).isEqualTo(200);
        assertThat(AUTH.post("few23456", "/recover", json("email", "nobody@example.com"))
                        .status())
                .isEqualTo(200);
        Answer over = signUp("few23456", "c@example.com");
        assertThat(over.status()).isEqualTo(429);
        assertThat(over.text("error_code")).isEqualTo("over_email_send_rate_limit");
        assertThat(AUTH.call("few23456", "GET", "/admin/users", "service", null)
                        .body()
                        .path("users"))
                .hasSize(1);
        assertThat(signUp(SHOP, "c@example.com").status())
                .as("another project's mails")
                .isEqualTo(200);
    }

    @Test
    void oneTokenIsOneSessionHoweverManyComeWithIt() throws Exception {
        signUp(SHOP, "oda@example.com");
        String hash = tokenHash("oda@example.com");
        Set<Integer> seen = new HashSet<>();
        int sessions = 0;
        for (Answer answer : atOnce(12, () -> AUTH.post(SHOP, "/verify", json("type", "signup", "token_hash", hash)))) {
            seen.add(answer.status());
            sessions += answer.status() == 200 ? 1 : 0;
        }
        assertThat(sessions).isOne();
        assertThat(seen).containsExactlyInAnyOrder(200, 403);
    }

    @Test
    void signUpsAtTheSameMomentAreOneUserAndOneMail() throws Exception {
        List<Answer> answers = atOnce(8, () -> signUp(SHOP, "pam@example.com"));
        assertThat(answers).extracting(Answer::status).containsOnly(200, 429);
        assertThat(MAILS.inbox().to("pam@example.com")).hasSize(1);
        assertThat(AUTH.call(SHOP, "GET", "/admin/users?filter=pam@", "service", null)
                        .body()
                        .path("users"))
                .hasSize(1);
    }

    private static List<Answer> atOnce(int count, Callable<Answer> call) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> one : threads.invokeAll(java.util.Collections.nCopies(count, call))) {
                answers.add(one.get());
            }
            return answers;
        }
    }

    @Test
    void nothingOfOneProjectWorksInAnother() {
        signUp(SHOP, "quy@example.com");
        String code = code("quy@example.com");
        String link = link("quy@example.com");
        signUp("other234", "quy@example.com");
        assertThat(verify("other234", "signup", "quy@example.com", code).text("error_code"))
                .isEqualTo("otp_expired");
        assertThat(followed("other234", link)).contains("error_code=otp_expired");
        assertThat(verify(SHOP, "signup", "quy@example.com", code).status()).isEqualTo(200);
    }

    @Test
    void codesAreNotTriedForEver() {
        signUp(SHOP, "ray@example.com");
        String right = code("ray@example.com");
        String wrong = right.equals("000000") ? "000001" : "000000";
        for (int i = 0; i < 10; i++) {
            assertThat(verify(SHOP, "signup", "ray@example.com", wrong).status())
                    .isEqualTo(403);
        }
        assertThat(verify(SHOP, "signup", "ray@example.com", right).text("error_code"))
                .isEqualTo("over_request_rate_limit");
        assertThat(followed(SHOP, link("ray@example.com")))
                .as("the link cannot be guessed")
                .contains("access_token=");
    }

    @Test
    void whatIsKeptOpensNoAccount() {
        signUp(SHOP, "sam@example.com");
        String schema = AUTH.auth(SHOP);
        String kept = AUTH.projects().ask("SELECT string_agg(t::text, '|') FROM " + schema + ".one_time_tokens t");
        assertThat(kept).doesNotContain(tokenHash("sam@example.com"));
        String users = AUTH.projects()
                .ask("SELECT string_agg(u::text, '|') FROM " + schema + ".users u WHERE email = 'sam@example.com'");
        String hash = AUTH.projects()
                .ask("SELECT token_hash FROM " + schema + ".one_time_tokens WHERE relates_to = 'sam@example.com'");
        assertThat(users).as("tenants' SQL reads users").doesNotContain(hash);
        assertThat(AUTH.post(SHOP, "/verify", json("type", "signup", "token_hash", hash))
                        .text("error_code"))
                .isEqualTo("otp_expired");
    }

    @Test
    void aBannedUserIsNotLetInByAMail() {
        Answer user = signUp(SHOP, "tim@example.com");
        AUTH.call(SHOP, "PUT", "/admin/users/" + user.text("id"), "service", "{\"ban_duration\":\"1h\"}");
        assertThat(verify(SHOP, "signup", "tim@example.com", code("tim@example.com"))
                        .text("error_code"))
                .isEqualTo("user_banned");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://evil.example
            https://app.example.com@evil.example
            https://evil.example/.preview.example.com/
            //evil.example
            javascript:alert(1)
            https://app.example.com%0d%0aSet-Cookie:a=b
            """)
    void aLinkLeadsNowhereElse(String wanted) {
        String email = "u" + Math.abs(wanted.hashCode()) + "@example.com";
        AUTH.post(
                SHOP,
                "/signup?redirect_to=" + wanted.replace("#", "%23"),
                json("email", email, "password", "correct horse"));
        assertThat(mail(email).links().getFirst()).endsWith("redirect_to=https%3A%2F%2Fapp.example.com");
        String token = tokenHash(email);
        assertThat(followed(SHOP, "/verify?type=signup&token=" + token + "&redirect_to=" + wanted))
                .startsWith(SITE + "#access_token");
        assertThat(followed(SHOP, "/verify?type=signup&token=" + token + "&redirect_to=" + wanted))
                .startsWith(SITE + "?error");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST | /otp | {} | 400 | validation_failed
            POST | /otp | {"email":"a@b.example","phone":"+123456789"} | 400 | validation_failed
            POST | /otp | {"phone":"+123456789"} | 400 | phone_provider_disabled
            POST | /otp | {"email":"a@b.example","create_user":"yes"} | 400 | bad_json
            POST | /otp | {"email":"a@b.example\\r\\nBcc: x@y.z"} | 400 | validation_failed
            POST | /otp | {"email":"a@b.example, c@d.example"} | 400 | validation_failed
            POST | /otp | {"email":"a@b.example","code_challenge":"x","code_challenge_method":"s256"} | 400 | validation_failed
            POST | /recover | {} | 400 | validation_failed
            POST | /recover | {"email":"nobody@b.example","code_challenge":"short","code_challenge_method":"s256"} | 400 | validation_failed
            POST | /resend | {"email":"a@b.example"} | 400 | validation_failed
            POST | /resend | {"type":"sms","email":"a@b.example"} | 400 | validation_failed
            POST | /resend | {"type":"signup"} | 400 | validation_failed
            POST | /verify | {} | 400 | validation_failed
            POST | /verify | {"type":"nothing","token_hash":"x"} | 400 | validation_failed
            POST | /verify | {"type":"signup"} | 400 | validation_failed
            POST | /verify | {"type":"signup","token":"123456"} | 400 | validation_failed
            POST | /verify | {"type":"signup","token_hash":"x","email":"a@b.example"} | 400 | validation_failed
            POST | /verify | {"type":"signup","token_hash":"x"} | 403 | otp_expired
            POST | /verify | {"type":"signup","token":"123456","email":"a@b.example"} | 403 | otp_expired
            POST | /verify | {"type":"signup","token":"\\u0000","email":"a@b.example"} | 400 | validation_failed
            POST | /admin/generate_link | {} | 401 | no_authorization
            GET | /reauthenticate | {} | 401 | no_authorization
            """)
    void whatCannotBeIsRefusedWithItsCode(String method, String path, String body, int status, String code) {
        Answer refused = AUTH.call(SHOP, method, path, null, body);
        assertThat(refused.text("error_code")).as(refused.body().toString()).isEqualTo(code);
        assertThat(refused.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"type":"signup","email":"x@example.com"} | 400
            {"type":"other","email":"x@example.com"} | 400
            {"type":"recovery","email":"unknown@example.com"} | 404
            {"type":"email_change_new","email":"x@example.com"} | 400
            {"type":"signup","email":"x","password":"correct horse"} | 400
            """)
    void andSoForTheServer(String body, int status) {
        Answer refused = AUTH.call(SHOP, "POST", "/admin/generate_link", "service", body);
        assertThat(refused.status()).as(refused.body().toString()).isEqualTo(status);
        assertThat(refused.text("msg")).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "/verify",
        "/verify?type=signup",
        "/verify?type=x&token=y",
        "/verify?token=%00&type=signup",
        "/verify?type=signup&token=y&email=no"
    })
    void aLinkThatIsNoneStillLeadsToTheSite(String path) {
        assertThat(followed(SHOP, path)).startsWith(SITE + "?error=").contains("#error=");
    }
}
