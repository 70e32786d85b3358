package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import svc.auth.AuthForTests.Answer;
import svc.auth.mail.MailForTests;
import svc.embedded.mail.CaughtMail;
import svc.testing.TestingProjects;

/** Two projects whose users get mails, created for each test class, and the calls of the tests. */
abstract class MailedUsers {
    static MailForTests MAILS;
    static AuthForTests AUTH;
    static final String SHOP = "shop2345";
    static final String OTHER = "other234";
    static final String SITE = "https://app.example.com";
    private static final Pattern CODE = Pattern.compile("<strong>([0-9]{6,10})</strong>");

    @BeforeAll
    static void open() {
        MAILS = MailForTests.open();
        AUTH = new AuthForTests(TestingProjects.create(), MAILS);
        AUTH.project(SHOP, settings(""));
        AUTH.project(OTHER, settings(""));
    }

    @AfterAll
    static void close() {
        AUTH.close();
    }

    static String settings(String more) {
        return "{\"siteUrl\":\"" + SITE + "\",\"redirectUrls\":[\"https://*.preview.example.com/**\"],"
                + "\"rateLimits\":{\"emailsPerHour\":100000}" + more + "}";
    }

    static String json(String... members) {
        var body = AuthForTests.JSON.createObjectNode();
        for (int i = 0; i < members.length; i += 2) {
            body.put(members[i], members[i + 1]);
        }
        return body.toString();
    }

    static Answer signUp(String ref, String email) {
        return AUTH.post(ref, "/signup", json("email", email, "password", "correct horse"));
    }

    static Answer signIn(String email, String password) {
        return AUTH.post(SHOP, "/token?grant_type=password", json("email", email, "password", password));
    }

    static CaughtMail mail(String to) {
        List<CaughtMail> found = MAILS.inbox().to(to);
        assertThat(found).as("mails to " + to).isNotEmpty();
        return found.getFirst();
    }

    static String code(String to) {
        Matcher code = CODE.matcher(mail(to).html());
        assertThat(code.find()).as(mail(to).html()).isTrue();
        return code.group(1);
    }

    /** The part of the link after {@code /auth/v1}. */
    static String link(String to) {
        String link = mail(to).links().getFirst();
        assertThat(link).startsWith("http://");
        return link.substring(link.indexOf("/auth/v1") + "/auth/v1".length());
    }

    static String tokenHash(String to) {
        Matcher token = Pattern.compile("token=([^&]+)").matcher(link(to));
        assertThat(token.find()).isTrue();
        return token.group(1);
    }

    static String followed(String ref, String path) {
        Answer answer = AUTH.call(ref, "GET", path, null, null);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(303);
        return answer.http().headers().firstValue("Location").orElseThrow();
    }

    static Answer verify(String ref, String type, String email, String code) {
        return AUTH.post(ref, "/verify", json("type", type, "email", email, "token", code));
    }

    static String confirmed(String email) {
        assertThat(signUp(SHOP, email).status()).isEqualTo(200);
        Answer session = verify(SHOP, "signup", email, code(email));
        assertThat(session.status()).as(session.body().toString()).isEqualTo(200);
        return session.text("access_token");
    }

    static Answer asUser(String token, String method, String path, String body) {
        return AUTH.call(SHOP, method, path, token, body);
    }

    static List<Answer> atOnce(int count, Callable<Answer> call) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> one : threads.invokeAll(java.util.Collections.nCopies(count, call))) {
                answers.add(one.get());
            }
            return answers;
        }
    }
}
