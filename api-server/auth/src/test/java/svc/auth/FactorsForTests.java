package svc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.SignedJWT;
import java.util.concurrent.atomic.AtomicInteger;
import svc.auth.AuthForTests.Answer;
import svc.auth.mfa.Totp;
import svc.testing.TestingProjects;

/** Two projects whose users may enrol factors, and a hook that receives the messages of the first. */
final class FactorsForTests implements AutoCloseable {
    private static final String OPEN = "\"email\":{\"autoconfirm\":true},\"anonymousSignIn\":true,"
            + "\"rateLimits\":{\"smsPerHour\":1000},\"mfa\":{\"phone\":true,\"maxFactors\":3}";
    /** Of the second project. */
    static final String SETTINGS = "{" + OPEN + "}";

    private final AuthForTests auth = new AuthForTests(TestingProjects.create());
    private final HookServer phones = new HookServer();
    private final AtomicInteger users = new AtomicInteger();

    FactorsForTests() {
        auth.project("mfa23456", SETTINGS);
        auth.project("other234", SETTINGS);
        auth.secret("mfa23456", "signing", "secret", "v1,whsec_c2VjcmV0");
        hooked("sendSms");
    }

    AuthForTests auth() {
        return auth;
    }

    HookServer phones() {
        return phones;
    }

    /** Calls the server of {@link #phones} at one point, and at no other. */
    void hooked(String point) {
        auth.settings(
                "mfa23456",
                "{" + OPEN + ",\"hooks\":{\"" + point + "\":{\"url\":\"" + phones.url()
                        + "\",\"secretKeyRef\":{\"name\":\"signing\",\"key\":\"secret\"}}}}");
    }

    Session session(String ref, String email, Answer answer) {
        return new Session(auth, ref, email, answer);
    }

    Session user(String ref) {
        String email = "user" + users.getAndIncrement() + "@example.com";
        Answer answer = auth.post(ref, "/signup", credentials(email));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return session(ref, email, answer);
    }

    Session user() {
        return user("mfa23456");
    }

    @Override
    public void close() {
        phones.close();
        auth.close();
    }

    private static String credentials(String email) {
        return "{\"email\":\"" + email + "\",\"password\":\"correct horse\"}";
    }

    /** A signed-in user. */
    record Session(AuthForTests auth, String ref, String email, Answer answer) {
        String access() {
            return answer.text("access_token");
        }

        Answer call(String method, String path, String body) {
            return auth.call(ref, method, path, access(), body);
        }

        Session refreshed() {
            return new Session(auth, ref, email, refresh());
        }

        Answer refresh() {
            return auth.post(
                    ref,
                    "/token?grant_type=refresh_token",
                    "{\"refresh_token\":\"" + answer.text("refresh_token") + "\"}");
        }

        Session again() {
            return new Session(auth, ref, email, auth.post(ref, "/token?grant_type=password", credentials(email)));
        }

        JsonNode claims() {
            try {
                return AuthForTests.JSON.readTree(
                        SignedJWT.parse(access()).getPayload().toString());
            } catch (Exception e) {
                throw new IllegalStateException(answer.body().toString(), e);
            }
        }

        App enroll(String name) {
            Answer made = call("POST", "/factors", "{\"factor_type\":\"totp\",\"friendly_name\":\"" + name + "\"}");
            assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
            return new App(
                    auth,
                    made.text("id"),
                    new Totp(made.body().path("totp").path("secret").asText()));
        }
    }

    /** An app with the secret of a factor. */
    record App(AuthForTests auth, String id, Totp totp) {
        String code() {
            return totp.code(auth.clock().instant());
        }

        Answer challenge(Session session) {
            return session.call("POST", "/factors/" + id + "/challenge", "{}");
        }

        Answer verify(Session session, String challenge, String code) {
            return session.call(
                    "POST",
                    "/factors/" + id + "/verify",
                    "{\"challenge_id\":\"" + challenge + "\",\"code\":\"" + code + "\"}");
        }

        Session pass(Session session) {
            Answer answer = verify(session, challenge(session).text("id"), code());
            assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
            return new Session(auth, session.ref(), session.email(), answer);
        }
    }
}
