package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.auth.VerifyKeyType;
import svc.crds.project.service.StorageSpec;
import svc.database.key.Incarnation;
import svc.database.key.MasterKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.Purpose;
import svc.database.key.SealedText;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.platform.config.ServerRole;
import svc.platform.dataplane.Caller;
import svc.platform.dataplane.TokenFault;
import svc.platform.tenancy.Adoption;
import svc.platform.tenancy.RestSettings;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TokenSettings;
import svc.platform.tenancy.TokenSettings.VerifyKey;
import svc.server.gateway.Credential.UserToken;

/** Tokens of other issuers are accepted where the project trusts them, by PostgREST's rules, and nowhere else. */
class ForeignTokensTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final long SECONDS = NOW.getEpochSecond();
    private static final String SECRET = "a-secret-that-postgrest-had-before-us";
    private static final byte[] MASTER = new byte[32];
    private static final PurposeRoots ROOTS = roots();
    private static final RSAKey RSA = rsa();
    private static final ECKey EC = ec();
    private static final String SET = new JWKSet(List.of(RSA.toPublicJWK(), EC.toPublicJWK())).toString();

    private final UserTokens tokens = new UserTokens(Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void aSharedSecretSigns() throws JOSEException {
        UserToken token = accepted(hs256("{\"role\":\"authenticated\",\"sub\":\"7\"}", SECRET), shared(1, secret(1)));
        assertThat(token.role()).isEqualTo(DatabaseRole.AUTHENTICATED);
        assertThat(token.foreign()).isTrue();
        assertThat(token.claims()).contains("\"sub\":\"7\"");
    }

    @Test
    void aKeySetSignsWithWhateverKeyTheTokenNames() throws JOSEException {
        Tenant tenant =
                shared(1, new VerifyKey("idp", VerifyKeyType.JWKS, Optional.empty(), Optional.of(sealed(1, SET))));
        assertThat(accepted(signed(JWSAlgorithm.RS256, "rsa", "{}", new RSASSASigner(RSA)), tenant)
                        .role())
                .isEqualTo(DatabaseRole.ANON);
        assertThat(accepted(signed(JWSAlgorithm.ES256, "ec", "{}", new ECDSASigner(EC)), tenant)
                        .role())
                .isEqualTo(DatabaseRole.ANON);
    }

    @Test
    void aPublicKeyIsNeverASharedSecret() throws Exception {
        Tenant tenant =
                shared(1, new VerifyKey("idp", VerifyKeyType.JWKS, Optional.empty(), Optional.of(sealed(1, SET))));
        for (byte[] key : List.of(
                RSA.toRSAPublicKey().getEncoded(),
                SET.getBytes(StandardCharsets.UTF_8),
                RSA.toPublicJWK().toString().getBytes(StandardCharsets.UTF_8),
                Base64.getEncoder().encode(RSA.toRSAPublicKey().getEncoded()))) {
            for (String kid : new String[] {null, "rsa", "ec"}) {
                assertThat(fault(
                                signed(JWSAlgorithm.HS256, kid, "{\"role\":\"service_role\"}", new MACSigner(key)),
                                tenant))
                        .isEqualTo(TokenFault.UNKNOWN_KEY);
            }
        }
    }

    @Test
    void anotherSecretAnotherKeyOrNoneIsRefused() throws JOSEException {
        Tenant tenant = shared(1, secret(1));
        assertThat(fault(hs256("{}", SECRET + "!"), tenant)).isEqualTo(TokenFault.SIGNATURE);
        assertThat(fault(signed(JWSAlgorithm.RS256, "rsa", "{}", new RSASSASigner(RSA)), tenant))
                .isEqualTo(TokenFault.UNKNOWN_KEY);
        assertThat(fault(unsigned("{\"alg\":\"none\"}"), tenant)).isEqualTo(TokenFault.UNSECURED);
        assertThat(fault(unsigned("{\"alg\":\"NONE\",\"typ\":\"JWT\"}"), tenant))
                .isIn(TokenFault.MALFORMED, TokenFault.UNKNOWN_KEY);
        String good = hs256("{\"role\":\"anon\"}", SECRET);
        assertThat(fault(good.substring(0, good.lastIndexOf('.') + 1), tenant)).isEqualTo(TokenFault.MALFORMED);
        assertThat(fault(good + ".x", tenant)).isEqualTo(TokenFault.parts(4));
        assertThat(fault("x", tenant)).isEqualTo(TokenFault.parts(1));
    }

    @Test
    void aKeyOfOneProjectIsNothingToAnother() throws JOSEException {
        String token = hs256("{\"role\":\"service_role\"}", SECRET);
        accepted(token, shared(1, secret(1)));
        assertThat(fault(token, shared(2))).isEqualTo(TokenFault.UNKNOWN_KEY);
        // A key sealed for the first project cannot be opened with the second one's key.
        assertThat(fault(token, shared(2, secret(1)))).isEqualTo(TokenFault.UNKNOWN_KEY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"exp\": %d - 31} | JWT expired",
                "{\"exp\": %d - 29} | ",
                "{\"exp\": %d + 0.5} | ",
                "{\"exp\": 1e300} | ",
                "{\"exp\": \"soon\"} | The JWT 'exp' claim must be a number",
                "{\"nbf\": %d + 31} | JWT not yet valid",
                "{\"nbf\": %d + 29} | ",
                "{\"nbf\": []} | The JWT 'nbf' claim must be a number",
                "{\"iat\": %d + 31} | JWT issued at future",
                "{\"iat\": %d + 29} | ",
                "{\"iat\": true} | The JWT 'iat' claim must be a number",
                "{\"aud\": \"ours\"} | ",
                "{\"aud\": [\"theirs\", \"ours\"]} | ",
                "{\"aud\": []} | ",
                "{\"aud\": \"theirs\"} | JWT not in audience",
                "{\"aud\": [\"theirs\"]} | JWT not in audience",
                "{\"aud\": 5} | The JWT 'aud' claim must be a string or an array of strings",
                "{\"aud\": [5]} | The JWT 'aud' claim must be a string or an array of strings",
                "[] | Parsing claims failed",
                "nothing | Parsing claims failed",
                "{\"role\": \"postgres\"} | JWT names a role that this project does not have",
            })
    void claimsAreJudgedAsPostgrestDoes(String template, String expected) throws JOSEException {
        String claims = template.replace("%d - 31", String.valueOf(SECONDS - 31))
                .replace("%d - 29", String.valueOf(SECONDS - 29))
                .replace("%d + 31", String.valueOf(SECONDS + 31))
                .replace("%d + 29", String.valueOf(SECONDS + 29))
                .replace("%d + 0.5", SECONDS + ".5");
        var settings = new TokenSettings(Optional.of("ours"), List.of(secret(1)));
        UserTokens.Verdict verdict =
                tokens.verify(hs256(claims, SECRET), keys(tenant(1, settings, RestSettings.defaults(), false)));
        if (expected == null) {
            assertThat(verdict).isInstanceOf(UserTokens.Verified.class);
        } else {
            assertThat(((UserTokens.Refused) verdict).why().fault().message()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".role | {\"role\": \"editor\"} | editor | AUTHENTICATED",
                ".role | {\"role\": \"service_role\"} | service_role | SERVICE",
                ".role | {} | | ANON",
                ".role | {\"role\": 5} | | ANON",
                ".app.\"https://x/roles\"[1] | {\"app\": {\"https://x/roles\": [\"a\", \"b\"]}} | b | AUTHENTICATED",
                ".app.roles[3] | {\"app\": {\"roles\": [\"a\"]}} | | ANON",
            })
    void anAdoptedDatabaseHasItsOwnRoles(String path, String claims, String named, DatabaseRole kind)
            throws JOSEException {
        var rest = RestSettings.defaults().with(new RestSettings.Roles(Optional.of("web_anon"), Optional.of(path)));
        var settings = new TokenSettings(Optional.empty(), List.of(secret(1)));
        Tenant tenant = tenant(1, settings, rest, true);
        UserToken token = accepted(hs256(claims, SECRET), tenant);
        assertThat(token.namedRole()).isEqualTo(Optional.ofNullable(named));
        assertThat(token.role()).isEqualTo(kind);
        var caller = new Caller(DatabaseRole.API, token.role(), token.namedRole(), "{}", Optional.empty());
        assertThat(caller.roleName(tenant)).isEqualTo(named == null ? "web_anon" : named);
    }

    @Test
    void aPathThatIsNoneIsNotOne() {
        for (String text : List.of("", "role", ".", "..role", ".role.", ".a[x]", ".a[-1]", ".\"open")) {
            assertThat(ClaimPath.of(text)).as(text).isEmpty();
        }
    }

    private UserToken accepted(String token, Tenant tenant) {
        UserTokens.Verdict verdict = tokens.verify(token, keys(tenant));
        assertThat(verdict).isInstanceOf(UserTokens.Verified.class);
        return ((UserTokens.Verified) verdict).token();
    }

    private TokenFault fault(String token, Tenant tenant) {
        UserTokens.Verdict verdict = tokens.verify(token, keys(tenant));
        assertThat(verdict).isInstanceOf(UserTokens.Refused.class);
        return ((UserTokens.Refused) verdict).why().fault();
    }

    static TenantKeys keys(Tenant tenant) {
        return new TenantKeys(tenant, ROOTS, url -> Optional.empty());
    }

    static Tenant shared(int project, VerifyKey... keys) {
        return tenant(project, new TokenSettings(Optional.empty(), List.of(keys)), RestSettings.defaults(), false);
    }

    private static Tenant tenant(int project, TokenSettings tokens, RestSettings rest, boolean adopted) {
        return new Tenant(
                "abcd234" + project,
                ProjectNames.shared(new UUID(0, project)),
                scope(project),
                1,
                Map.of(),
                new Tenant.DatabaseAddress("main", "jdbc:postgresql://127.0.0.1:1/x"),
                "default",
                "http://abcd234" + project + ".example/rest/v1",
                rest,
                tokens,
                AuthSpec.defaults(),
                List.of(),
                StorageSpec.defaults(),
                svc.crds.project.service.GraphqlSpec.defaults(),
                svc.crds.project.service.RealtimeSpec.defaults(),
                adopted
                        ? Optional.of(new Adoption(new Adoption.SealedLogin("authenticator", ""), Optional.empty()))
                        : Optional.empty());
    }

    private static ProjectKeyScope scope(int project) {
        return new ProjectKeyScope(new UUID(0, project), Incarnation.of(new byte[Incarnation.BYTES]), 1);
    }

    /** The shared secret, sealed for a project. */
    private static VerifyKey secret(int project) {
        return new VerifyKey("old", VerifyKeyType.HS256, Optional.empty(), Optional.of(sealed(project, SECRET)));
    }

    static String sealed(int project, String text) {
        var leaf = MasterKey.of(1, MASTER).root(Purpose.SEALED).leaf(scope(project));
        return SealedText.seal(leaf, SealedText.Use.VERIFY_KEY, text);
    }

    private static String hs256(String claims, String secret) throws JOSEException {
        return signed(JWSAlgorithm.HS256, null, claims, new MACSigner(secret));
    }

    static String signed(JWSAlgorithm algorithm, String kid, String claims, JWSSigner signer) throws JOSEException {
        var jws = new JWSObject(new JWSHeader.Builder(algorithm).keyID(kid).build(), new Payload(claims));
        jws.sign(signer);
        return jws.serialize();
    }

    private static String unsigned(String header) {
        var base64 = Base64.getUrlEncoder().withoutPadding();
        return base64.encodeToString(header.getBytes(StandardCharsets.UTF_8)) + "."
                + base64.encodeToString("{\"role\":\"service_role\"}".getBytes(StandardCharsets.UTF_8)) + ".";
    }

    private static PurposeRoots roots() {
        return PurposeRoots.of(java.util.Set.of(ServerRole.DATA), new ApiConfig.Keys() {
            @Override
            public Map<Integer, String> master() {
                return Map.of(1, Base64.getEncoder().encodeToString(MASTER));
            }

            @Override
            public Optional<List<String>> roots() {
                return Optional.empty();
            }
        });
    }

    private static RSAKey rsa() {
        try {
            return new RSAKeyGenerator(2048).keyID("rsa").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ECKey ec() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
