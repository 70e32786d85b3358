package svc.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import svc.auth.AuthForTests;
import svc.auth.AuthForTests.Answer;
import svc.auth.mfa.Totp;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/** Promise: the project's policies see the claims of auth's tokens through REST. */
class RowSecurityTest {
    private static final String REF = "rows2345";
    private static final TestingProjects PROJECTS = TestingProjects.create();
    private static final AuthForTests AUTH = new AuthForTests(PROJECTS);
    private static final TestingDataPlane REST = new TestingDataPlane(PROJECTS, PoolSettings.defaults(), true);
    private static final Tenant TENANT = AUTH.project(REF, "{\"email\":{\"autoconfirm\":true}}");

    static {
        AUTH.asOwner(REF, """
                CREATE TABLE letter (id int, owner uuid, secret boolean);
                ALTER TABLE letter ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON letter FOR SELECT TO %1$s USING (owner = svc_auth.uid());
                CREATE POLICY strong ON letter AS RESTRICTIVE FOR SELECT TO %1$s
                    USING (NOT secret OR (svc_auth.jwt() ->> 'aal') = 'aal2');
                """.formatted(AUTH.role(REF, "authenticated")));
        REST.serve(TENANT);
    }

    @AfterAll
    static void close() {
        REST.close();
        AUTH.close();
    }

    private static String letters(String token) throws Exception {
        return REST.request(
                        TENANT,
                        "GET",
                        "/letter?select=id&order=id",
                        Map.of(
                                "Test-Claims",
                                SignedJWT.parse(token).getPayload().toString()),
                        null)
                .body()
                .replaceAll("\\s", "");
    }

    private static Answer signUp(String name) {
        Answer answer =
                AUTH.post(REF, "/signup", "{\"email\":\"" + name + "@example.com\",\"password\":\"correct horse\"}");
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer;
    }

    private static Answer withApp(String token) {
        Answer made = AUTH.call(REF, "POST", "/factors", token, "{\"factor_type\":\"totp\"}");
        String factor = "/factors/" + made.text("id");
        var app = new Totp(made.body().path("totp").path("secret").asText());
        Answer challenge = AUTH.call(REF, "POST", factor + "/challenge", token, "{}");
        Answer strong = AUTH.call(
                REF,
                "POST",
                factor + "/verify",
                token,
                "{\"challenge_id\":\"" + challenge.text("id") + "\",\"code\":\""
                        + app.code(AUTH.clock().instant()) + "\"}");
        assertThat(strong.status()).as(strong.body().toString()).isEqualTo(200);
        return strong;
    }

    @Test
    void aRowThatWantsASecondFactorIsSeenOnlyWithOne() throws Exception {
        Answer ann = signUp("ann");
        Answer bob = signUp("bob");
        AUTH.asOwner(
                REF,
                "INSERT INTO letter VALUES (1, '%1$s', false), (2, '%1$s', true), (3, '%2$s', false), (4, '%2$s', true)"
                        .formatted(
                                ann.body().path("user").path("id").asText(),
                                bob.body().path("user").path("id").asText()));

        assertThat(letters(ann.text("access_token"))).isEqualTo("[{\"id\":1}]");
        String strong = withApp(ann.text("access_token")).text("access_token");
        assertThat(letters(strong)).isEqualTo("[{\"id\":1},{\"id\":2}]");
        assertThat(letters(ann.text("access_token")))
                .as("the token of before stays what it was")
                .isEqualTo("[{\"id\":1}]");
        assertThat(letters(bob.text("access_token"))).isEqualTo("[{\"id\":3}]");
    }
}
