package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.SignedJWT;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.database.key.SigningKey;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.SessionTokens;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProjectOperator;
import svc.testing.Http;

@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class CredentialsOverHttpTest {
    private static final String PATH = "/realtime/v1/echo";

    private final ProjectForTests project = ProjectForTests.create("credentials");

    @Inject
    SessionTokens tokens;

    @Inject
    TenantDirectory tenants;

    private static void assertRole(Http.Answer answer, String role) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().get("role").asText()).isEqualTo(role);
    }

    private static void assertRefused(Http.Answer answer, int status, String message) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.json().get("message").asText()).isEqualTo(message);
        assertThat(answer.json().get("request_id").asText()).isNotBlank();
        assertThat(answer.header("access-control-allow-origin")).hasValue("*");
    }

    @Test
    void aKeyIsAHeaderOrAParameterOrABearer() {
        assertRole(project.http().with("apikey", project.anonKey()).get(PATH), "ANON");
        assertRole(project.http().get(PATH + "?apikey=" + project.anonKey()), "ANON");
        assertRole(
                project.http()
                        .with("Authorization", "Bearer " + project.anonKey())
                        .get(PATH),
                "ANON");
        assertRole(
                project.http()
                        .with("Authorization", "bearer " + project.serviceKey())
                        .get(PATH),
                "SERVICE");
        assertRole(
                project.http()
                        .with("apikey", project.anonKey())
                        .with("Authorization", "Bearer " + project.anonKey())
                        .get(PATH),
                "ANON");
        assertRole(
                project.http()
                        .with("apikey", project.anonKey())
                        .with("Authorization", "Bearer " + project.serviceKey())
                        .get(PATH),
                "SERVICE");
    }

    @Test
    void aFilterOfAColumnNamedApikeyIsNoKey() {
        Http bearing = project.http().with("Authorization", "Bearer " + project.anonKey());

        for (String filter : new String[] {"eq.k1", "not.eq.k1", "like(any).%7Ba%2Cb%7D", "isdistinct.k1"}) {
            assertRole(bearing.get(PATH + "?apikey=" + filter), "ANON");
            assertRole(project.http().get(PATH + "?apikey=" + filter + "&apikey=" + project.anonKey()), "ANON");
            assertRefused(project.http().get(PATH + "?apikey=" + filter), 401, "No API key found in request");
        }
        assertRefused(bearing.get(PATH + "?apikey=garbage"), 401, "Invalid API key");
    }

    @Test
    void withoutAKeyNothingIsServed() {
        Http.Answer answer = project.http().get(PATH);

        assertRefused(answer, 401, "No API key found in request");
        assertThat(answer.json().get("hint").asText()).isEqualTo("No `apikey` request header or url param was found.");
    }

    @Test
    void aKeyOfAnotherProjectIsNoKey() {
        ProjectForTests other = ProjectForTests.create("other");

        for (String key : new String[] {
            other.anonKey(),
            other.serviceKey(),
            project.anonKey(2),
            "svc_anon_garbage",
            "garbage",
            TestingPlatform.ADMIN
        }) {
            assertRefused(project.http().with("apikey", key).get(PATH), 401, "Invalid API key");
        }
        assertRefused(
                project.http()
                        .with("apikey", project.anonKey())
                        .with("Authorization", "Bearer " + other.serviceKey())
                        .get(PATH),
                401,
                "Invalid API key");
        assertRole(other.http().with("apikey", other.anonKey()).get(PATH), "ANON");
    }

    @Test
    void aUsersTokenDecidesTheRole() {
        String token = project.token(project.claims().build());

        Http.Answer answer = project.http()
                .with("apikey", project.anonKey())
                .with("Authorization", "Bearer " + token)
                .get(PATH);

        assertRole(answer, "AUTHENTICATED");
        assertThat(answer.json().get("login").asText()).isEqualTo("API");
        assertThat(answer.json().get("claims").asText()).contains("11111111-1111-4111-8111-111111111111");
        assertRole(
                project.http()
                        .with("apikey", project.serviceKey())
                        .with("Authorization", "Bearer " + token)
                        .get(PATH),
                "AUTHENTICATED");
    }

    /** A user's token is a credential of its own (SPEC 5): host and signature say which project it is for. */
    @Test
    void aUsersTokenNeedsNoKeyBesideIt() {
        ProjectForTests other = ProjectForTests.create("beside");
        String token = project.token(project.claims().build());

        assertRole(project.http().with("Authorization", "Bearer " + token).get(PATH), "AUTHENTICATED");
        for (String refused : new String[] {other.token(other.claims().build()), token + "x", "not.a.jwt"}) {
            Http.Answer answer =
                    project.http().with("Authorization", "Bearer " + refused).get(PATH);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
        }
    }

    @Test
    void aTokenThatIsNotThisProjectsIsRefused() throws JOSEException {
        ProjectForTests other = ProjectForTests.create("issuer");
        SigningKey foreign = SigningKey.of(TestingProjectOperator.leaf(other.identity(), Purpose.SIGNING, 1));
        SigningKey own = SigningKey.of(TestingProjectOperator.leaf(project.identity(), Purpose.SIGNING, 1));

        assertToken(other.token(other.claims().build()), "No suitable key or wrong key type");
        assertToken(ProjectForTests.sign(project.claims().build(), foreign), "No suitable key or wrong key type");
        assertToken(project.token(project.claims().issuer(other.issuer()).build()), "issued for another project");
        assertToken(project.token(project.claims().issuer(null).build()), "issued for another project");
        assertToken(project.token(project.claims().expirationTime(null).build()), "JWT expired");
        assertToken(
                project.token(project.claims()
                        .expirationTime(Date.from(Instant.now().minusSeconds(31)))
                        .build()),
                "JWT expired");
        assertToken(
                project.token(project.claims()
                        .notBeforeTime(Date.from(Instant.now().plusSeconds(120)))
                        .build()),
                "JWT not yet valid");
        assertToken(
                project.token(project.claims().claim("role", "postgres").build()),
                "names a role that this project does not have");
        String good = project.token(project.claims().build());
        assertToken(good.substring(0, good.length() - 8) + "AAAAAAAA", "cryptographic operation failed");
        assertToken("not.a.jwt", "JWT cryptographic operation failed");
        assertToken("two.parts", "Expected 3 parts in JWT; got 2");
        assertToken("eyJhbGciOiJub25lIn0.e30.", "Wrong or unsupported encoding algorithm");
        SignedJWT shared = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(own.keyId()).build(),
                project.claims().build());
        shared.sign(new MACSigner(own.publicKey().getEncoded()));
        assertToken(shared.serialize(), "No suitable key or wrong key type");
    }

    private void assertToken(String token, String reason) {
        Http.Answer answer = project.http()
                .with("apikey", project.anonKey())
                .with("Authorization", "Bearer " + token)
                .get(PATH);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
        assertThat(answer.code()).isEqualTo("InvalidJWTToken");
        assertThat(answer.json().get("message").asText()).contains(reason);
        assertThat(answer.json().get("request_id").asText()).isNotBlank();
    }

    @Test
    void restRefusesATokenInPostgrestsFourKeys() {
        assertFourKeys("Bearer two.parts", "Expected 3 parts in JWT; got 2");
        assertFourKeys("Bearer ", "Empty JWT is sent in Authorization header");
        assertFourKeys("bearer", "Empty JWT is sent in Authorization header");
    }

    @Test
    void restNamesTheFaultInPostgrestsWords() throws JOSEException {
        String good = project.token(project.claims().build());
        String noKey = "No suitable key or wrong key type";
        assertDetails("quifquirndsjagnrgniur.fonvoienqhhdj.iuqvnvhojah", "JWT cryptographic operation failed", null);
        assertDetails(
                "eyJhbGciOiJub25lIn0.e30.",
                "Wrong or unsupported encoding algorithm",
                "JWT is unsecured but expected 'alg' was not 'none'");
        assertDetails("eyJhbGciOiJub3NlIn0.e30.AA", "JWT cryptographic operation failed", null);
        assertDetails("eyJhbGciOiJIUzI1NiJ9.e30.AAAA", noKey, "No suitable key was found to decode the JWT");
        assertDetails(
                good.substring(0, good.length() - 8) + "AAAAAAAA",
                noKey,
                "None of the keys was able to decode the JWT");
    }

    private void assertDetails(String token, String message, String details) {
        Http.Answer answer = project.http()
                .with("apikey", project.anonKey())
                .with("Authorization", "Bearer " + token)
                .get("/rest/v1/todos");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
        assertThat(answer.code()).isEqualTo("PGRST301");
        assertThat(answer.json().get("message").asText()).isEqualTo(message);
        assertThat(answer.json().get("details").asText(null)).isEqualTo(details);
    }

    @Test
    void authAnswersARejectedTokenAsItsOwnErrors() {
        Http.Answer older = project.http()
                .with("apikey", project.anonKey())
                .with("Authorization", "Bearer two.parts")
                .get("/auth/v1/user");
        assertThat(older.status()).isEqualTo(403);
        assertThat(older.json().get("code").asInt()).isEqualTo(403);
        assertThat(older.json().get("error_code").asText()).isEqualTo("bad_jwt");
        assertThat(older.json().get("msg").asText())
                .isEqualTo("invalid JWT: unable to parse or verify signature, token is malformed: token contains an"
                        + " invalid number of segments");
        assertThat(older.header("x-supabase-api-version")).isEmpty();
        Http.Answer newer = project.http()
                .with("apikey", project.anonKey())
                .with("Authorization", "Bearer two.parts")
                .with("X-Supabase-Api-Version", "2024-01-01")
                .get("/auth/v1/user");
        assertThat(newer.json().get("code").asText()).isEqualTo("bad_jwt");
        assertThat(newer.json().get("message").asText())
                .isEqualTo(older.json().get("msg").asText());
        assertThat(newer.header("x-supabase-api-version")).hasValue("2024-01-01");
    }

    private void assertFourKeys(String authorization, String message) {
        Http.Answer answer = project.http()
                .with("apikey", project.anonKey())
                .with("Authorization", authorization)
                .get("/rest/v1/todos");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
        assertThat(answer.json().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("code", "message", "details", "hint");
        assertThat(answer.json().get("message").asText()).isEqualTo(message);
        assertThat(answer.header("x-request-id")).isPresent();
    }

    @Test
    void aRotatedKeyIsAcceptedForTheOverlapOnly() {
        ProjectForTests rotated = ProjectForTests.create("rotated");
        Http api = Http.api(TestingPlatform.ADMIN);

        Http.Answer first = api.send(
                "POST",
                "/v1/projects/" + rotated.ref() + "/keys/rotate",
                "{\"keys\":[\"anon\"],\"overlap_seconds\":60}");

        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(first.json().at("/project/anon_key").asText()).isEqualTo(rotated.anonKey(2));
        assertRole(rotated.http().with("apikey", rotated.anonKey(1)).get(PATH), "ANON");
        assertRole(rotated.http().with("apikey", rotated.anonKey(2)).get(PATH), "ANON");
        assertRole(rotated.http().with("apikey", rotated.serviceKey()).get(PATH), "SERVICE");

        Http.Answer second = api.send(
                "POST",
                "/v1/projects/" + rotated.ref() + "/keys/rotate",
                "{\"keys\":[\"anon\"],\"overlap_seconds\":0}");

        assertThat(second.status()).as(second.toString()).isEqualTo(200);
        assertRefused(rotated.http().with("apikey", rotated.anonKey(1)).get(PATH), 401, "Invalid API key");
        assertRefused(rotated.http().with("apikey", rotated.anonKey(2)).get(PATH), 401, "Invalid API key");
        assertRole(rotated.http().with("apikey", rotated.anonKey(3)).get(PATH), "ANON");
        Tenant now = tenants.find(rotated.ref()).orElseThrow();
        assertThat(tokens.caller(now, rotated.anonKey(1)))
                .as("a socket that it has opened is judged so")
                .isEmpty();
        assertThat(tokens.caller(now, rotated.anonKey(3))).contains(Caller.anon());
        assertThat(tokens.caller(now, rotated.serviceKey())).contains(Caller.service());
    }
}
