package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jwt.JWTClaimsSet;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.database.key.SigningKey;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProjectOperator;
import svc.testing.Http;

/** Promise: REST and Auth accept a bearer only if this project's auth service signed it, and only until it expires. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class HostileTokensTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final String REST = "/rest/v1/todos";
    private static final String AUTH = "/auth/v1/user";

    private final ProjectForTests project = ProjectForTests.create("hostile");
    private final SigningKey own = SigningKey.of(TestingProjectOperator.leaf(project.identity(), Purpose.SIGNING, 1));

    /** Tokens of the service itself: only the gateway could reject these. */
    private JWTClaimsSet.Builder claims() {
        return project.claims().claim("session_id", "22222222-2222-4222-8222-222222222222");
    }

    private Http.Answer ask(String path, String token) {
        return project.http()
                .with("apikey", project.anonKey())
                .with("Authorization", "Bearer " + token)
                .get(path);
    }

    private void refused(Map<String, String> tokens) {
        tokens.forEach((what, token) -> {
            Http.Answer rest = ask(REST, token);
            assertThat(rest.status()).as(what + ": " + rest).isEqualTo(401);
            assertThat(rest.code()).as(what).startsWith("PGRST30");
            Http.Answer auth = ask(AUTH, token);
            assertThat(auth.status()).as(what + ": " + auth).isEqualTo(403);
            assertThat(auth.json().path("error_code").asText()).as(what).isEqualTo("bad_jwt");
        });
    }

    /** There is no database behind it: an admitted request fails there. */
    private void taken(String what, String token) {
        for (String path : List.of(REST, AUTH)) {
            Http.Answer answer = ask(path, token);
            assertThat(answer.status()).as(what + ": " + answer).isGreaterThanOrEqualTo(500);
        }
    }

    private static String part(Object json) {
        try {
            return BASE64.encodeToString(JSON.writeValueAsBytes(json));
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The project's claims with a forged header and signature. */
    private String token(Map<String, Object> header, Signer signer) {
        return signed(header, claims().build(), signer);
    }

    private static String signed(Map<String, Object> header, JWTClaimsSet claims, Signer signer) {
        String text =
                part(header) + "." + BASE64.encodeToString(claims.toString().getBytes(StandardCharsets.UTF_8));
        try {
            return text + "." + BASE64.encodeToString(signer.sign(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Signer {
        byte[] sign(byte[] text) throws GeneralSecurityException, JOSEException;
    }

    private static Signer es256(PrivateKey key) {
        return text -> {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(text);
            return ECDSA.transcodeSignatureToConcat(signature.sign(), 64);
        };
    }

    private static Signer hmac(byte[] secret) {
        return text -> {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(text);
        };
    }

    private static Map<String, Object> header(Object... members) {
        Map<String, Object> header = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            header.put((String) members[i], members[i + 1]);
        }
        return header;
    }

    private static KeyPair stranger() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatTheProjectHasSignedIsTaken() {
        taken("as it is made", project.token(claims().build()));
        taken("by hand", token(header("alg", "ES256", "kid", own.keyId()), es256(own.privateKey())));
    }

    @Test
    void noAlgorithmStandsInForTheRightOne() {
        Map<String, String> tokens = new LinkedHashMap<>();
        for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
            tokens.put("alg " + none, token(header("alg", none, "kid", own.keyId()), text -> new byte[0]));
            tokens.put(
                    "alg " + none + ", signed",
                    token(header("alg", none, "kid", own.keyId()), es256(own.privateKey())));
        }
        byte[] der = own.publicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END PUBLIC KEY-----";
        Map<String, byte[]> secrets = Map.of(
                "DER", der,
                "PEM", pem.getBytes(StandardCharsets.US_ASCII),
                "PEM with a newline", (pem + "\n").getBytes(StandardCharsets.US_ASCII),
                "x", own.publicJwk().get("x").getBytes(StandardCharsets.US_ASCII),
                "the anon key", project.anonKey().getBytes(StandardCharsets.US_ASCII),
                "zeros", new byte[32]);
        secrets.forEach((what, secret) -> {
            for (String alg : List.of("HS256", "HS384", "HS512")) {
                tokens.put(alg + " by " + what, token(header("alg", alg, "kid", own.keyId()), hmac(secret)));
            }
        });
        for (String alg : List.of("ES384", "ES512", "ES256K", "RS256", "PS256", "EdDSA", "es256", "A128KW", "ES256 ")) {
            tokens.put("right key, alg " + alg, token(header("alg", alg, "kid", own.keyId()), es256(own.privateKey())));
        }
        refused(tokens);
    }

    @Test
    void noHeaderBringsItsOwnKey() {
        KeyPair stranger = stranger();
        var point = ((ECPublicKey) stranger.getPublic()).getW();
        Map<String, Object> jwk = Map.of(
                "kty", "EC",
                "crv", "P-256",
                "kid", own.keyId(),
                "x", BASE64.encodeToString(unsigned(point.getAffineX().toByteArray())),
                "y", BASE64.encodeToString(unsigned(point.getAffineY().toByteArray())));
        Signer theirs = es256(stranger.getPrivate());
        ProjectForTests other = ProjectForTests.create("neighbour");
        SigningKey foreign = SigningKey.of(TestingProjectOperator.leaf(other.identity(), Purpose.SIGNING, 1));
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put("our kid, their key", token(header("alg", "ES256", "kid", own.keyId()), theirs));
        tokens.put("jwk", token(header("alg", "ES256", "kid", own.keyId(), "jwk", jwk), theirs));
        tokens.put("jwk without kid", token(header("alg", "ES256", "jwk", jwk), theirs));
        tokens.put("jku", token(header("alg", "ES256", "kid", own.keyId(), "jku", "http://127.0.0.1:9/keys"), theirs));
        tokens.put("x5u", token(header("alg", "ES256", "kid", own.keyId(), "x5u", "http://127.0.0.1:9/x"), theirs));
        tokens.put(
                "a neighbour's key",
                token(header("alg", "ES256", "kid", foreign.keyId()), es256(foreign.privateKey())));
        tokens.put(
                "a neighbour's key under our kid",
                token(header("alg", "ES256", "kid", own.keyId()), es256(foreign.privateKey())));
        tokens.put(
                "our key under a neighbour's kid",
                token(header("alg", "ES256", "kid", foreign.keyId()), es256(own.privateKey())));
        tokens.put("a neighbour's token", other.token(other.claims().build()));
        tokens.put("our key without a kid", token(header("alg", "ES256"), es256(own.privateKey())));
        for (String kid : List.of(
                "",
                " ",
                "../../../../dev/null",
                "' OR '1'='1",
                own.keyId() + "\u0000",
                own.keyId().toUpperCase(java.util.Locale.ROOT) + "!",
                "1")) {
            tokens.put("kid " + kid, token(header("alg", "ES256", "kid", kid), es256(own.privateKey())));
        }
        tokens.put("kid a number", token(header("alg", "ES256", "kid", 1), es256(own.privateKey())));
        tokens.put("kid a list", token(header("alg", "ES256", "kid", List.of(own.keyId())), es256(own.privateKey())));
        tokens.put(
                "crit",
                token(
                        header("alg", "ES256", "kid", own.keyId(), "crit", List.of("exp"), "exp", 1),
                        es256(own.privateKey())));
        refused(tokens);
    }

    private static byte[] unsigned(byte[] number) {
        byte[] plain = new byte[32];
        int length = Math.min(32, number.length);
        System.arraycopy(number, number.length - length, plain, 32 - length, length);
        return plain;
    }

    @Test
    void noSignatureIsGuessed() {
        Map<String, Object> header = header("alg", "ES256", "kid", own.keyId());
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put("none", token(header, text -> new byte[0]));
        tokens.put("zeros", token(header, text -> new byte[64]));
        tokens.put("zeros, longer", token(header, text -> new byte[96]));
        tokens.put("in DER", token(header, text -> {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(own.privateKey());
            signature.update(text);
            return signature.sign();
        }));
        String good = project.token(claims().build());
        String[] parts = good.split("\\.");
        String service = BASE64.encodeToString(
                claims().claim("role", "service_role").build().toString().getBytes(StandardCharsets.UTF_8));
        tokens.put("other claims", parts[0] + "." + service + "." + parts[2]);
        tokens.put("a fourth part", good + ".e30");
        tokens.put(
                "of something else",
                parts[0] + "." + parts[1] + "."
                        + project.token(claims().subject("x").build()).split("\\.")[2]);
        refused(tokens);
    }

    @Test
    void whatIsNotInForceIsRefused() {
        Instant now = Instant.now();
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put(
                "expired",
                project.token(
                        claims().expirationTime(date(now, Duration.ofHours(-1))).build()));
        tokens.put("without an end", project.token(claims().expirationTime(null).build()));
        tokens.put(
                "not yet",
                project.token(
                        claims().notBeforeTime(date(now, Duration.ofHours(1))).build()));
        tokens.put(
                "from the future",
                project.token(claims().issueTime(date(now, Duration.ofHours(1))).build()));
        Map<String, Object> header = header("alg", "ES256", "kid", own.keyId());
        for (String exp : List.of("\"9999999999\"", "null", "true", "[9999999999]", "-1", "0", "{}", "1e-5")) {
            String body = claims().build().toString().replaceFirst("\"exp\":[0-9]+", "\"exp\":" + exp);
            assertThat(body).contains("\"exp\":" + exp);
            tokens.put("exp " + exp, raw(header, body));
        }
        tokens.put("no claims", raw(header, "[]"));
        tokens.put("no JSON", raw(header, "{\"exp\":9999999999"));
        tokens.put("no issuer", project.token(claims().issuer(null).build()));
        tokens.put(
                "a role of the platform's",
                project.token(claims().claim("role", "svc_operator").build()));
        tokens.put(
                "the owner's role",
                project.token(claims().claim("role", "postgres").build()));
        refused(tokens);
    }

    private static Date date(Instant now, Duration later) {
        return Date.from(now.plus(later));
    }

    private String raw(Map<String, Object> header, String claims) {
        String text = part(header) + "." + BASE64.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        try {
            return text + "."
                    + BASE64.encodeToString(es256(own.privateKey()).sign(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aProjectWithAnAudienceTakesNoOther() {
        Http.Answer set = Http.api(TestingPlatform.ADMIN)
                .with("Content-Type", "application/json")
                .send("PATCH", "/v1/projects/" + project.ref(), "{\"auth\":{\"jwt\":{\"audience\":\"shop\"}}}");
        assertThat(set.status()).as(set.toString()).isEqualTo(200);
        awaitRefusal(project.token(claims().build()));
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put("another", project.token(claims().audience("authenticated").build()));
        tokens.put("others", project.token(claims().audience(List.of("a", "b")).build()));
        Map<String, Object> header = header("alg", "ES256", "kid", own.keyId());
        String named = "\"aud\":\"authenticated\"";
        for (String odd : List.of("5", "[5]", "{}", "true", "[\"shop\",5]")) {
            String body = claims().audience("authenticated").build().toString();
            assertThat(body).contains(named);
            tokens.put("aud " + odd, raw(header, body.replace(named, "\"aud\":" + odd)));
        }
        refused(tokens);
        taken("its own", project.token(claims().audience("shop").build()));
        taken(
                "its own among others",
                project.token(claims().audience(List.of("a", "shop")).build()));
    }

    /** Settings arrive through a watch. */
    private void awaitRefusal(String token) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (ask(AUTH, token).status() != 403 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
