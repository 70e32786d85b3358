package svc.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.quarkus.arc.Arc;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import svc.crds.project.ProjectIdentity;
import svc.database.key.ApiKey;
import svc.database.key.Purpose;
import svc.database.key.SigningKey;
import svc.database.name.ProjectNames;
import svc.platform.tenancy.TenantDirectory;
import svc.testing.Http;

/** A project created through the API, with its keys and tokens. */
public record ProjectForTests(ProjectIdentity identity) {
    public static ProjectForTests create(String name) {
        return create(TestingPlatform.ADMIN, name);
    }

    public static ProjectForTests create(String token, String name) {
        Http.Answer answer = Http.api(token).send("POST", "/v1/projects", "{\"name\":\"" + name + "\"}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        JsonNode project = answer.json().get("project");
        UUID id = ProjectNames.projectIdOf(project.get("schema").asText()).orElseThrow();
        return new ProjectForTests(new ProjectIdentity(served(project), id));
    }

    /**
     * Waits until a created project is served: on a busy machine a call that creates one may answer before that.
     *
     * @param created as in the answer
     * @return its ref
     */
    public static String served(JsonNode created) {
        String ref = created.get("ref").asText();
        TenantDirectory tenants =
                Arc.container().instance(TenantDirectory.class).get();
        await().pollDelay(Duration.ZERO).until(() -> tenants.find(ref).isPresent());
        return ref;
    }

    public String ref() {
        return identity.ref();
    }

    public Http http() {
        return Http.project(ref());
    }

    public String anonKey() {
        return anonKey(1);
    }

    public String anonKey(int version) {
        return ApiKey.of(TestingProjectOperator.leaf(identity, Purpose.ANON_KEY, version));
    }

    public String serviceKey() {
        return ApiKey.of(TestingProjectOperator.leaf(identity, Purpose.SERVICE_KEY, 1));
    }

    public String issuer() {
        return "http://" + ref() + ".data.example/auth/v1";
    }

    /** Claims of a signed-in user, valid for a minute. */
    public JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("11111111-1111-4111-8111-111111111111")
                .audience("authenticated")
                .claim("role", "authenticated")
                .expirationTime(Date.from(Instant.now().plusSeconds(60)));
    }

    /** A token of this project's own auth service. */
    public String token(JWTClaimsSet claims) {
        return sign(claims, SigningKey.of(TestingProjectOperator.leaf(identity, Purpose.SIGNING, 1)));
    }

    public static String sign(JWTClaimsSet claims, SigningKey key) {
        try {
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.keyId()).build(), claims);
            jwt.sign(new ECDSASigner(key.privateKey()));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }
}
