package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.gateway.ForeignTokensTest.sealed;
import static svc.server.gateway.ForeignTokensTest.shared;
import static svc.server.gateway.ForeignTokensTest.signed;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.crds.project.auth.VerifyKeySet;
import svc.crds.project.auth.VerifyKeyType;
import svc.platform.dataplane.TokenFault;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TokenSettings.VerifyKey;

/** A project's key sets cannot make the verification of tokens costly for its neighbours. */
class HostileKeySetTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String URL = "https://idp.example/jwks";

    private final UserTokens tokens = new UserTokens(Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void aThousandKeysCostATokenOneVerification() throws JOSEException {
        RSAKey pair = new RSAKeyGenerator(2048).generate();
        List<VerifyKey> sets = IntStream.range(0, 8)
                .mapToObj(i -> new VerifyKey("idp" + i, VerifyKeyType.JWKS, Optional.of(URL), Optional.empty()))
                .toList();
        JWKSet unfiltered = new JWKSet(Stream.generate(() -> new RSAKey.Builder(pair.toPublicJWK()).build())
                .limit(1000)
                .map(key -> (com.nimbusds.jose.jwk.JWK) key)
                .toList());
        TrustedIssuerKeys keys = TrustedIssuerKeys.of(sets, Optional::of, url -> Optional.of(unfiltered));

        for (String kid : new String[] {null, "x"}) {
            assertThat(keys.candidates(
                            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid).build()))
                    .hasSizeLessThanOrEqualTo(1);
        }
        VerifyKeySet kept = VerifyKeySet.read(
                new JWKSet(unfiltered.getKeys().subList(0, 100)).toString(), VerifyKeySet.Origin.PUBLISHED);
        assertThat(TrustedIssuerKeys.parsed(kept).size()).isLessThanOrEqualTo(VerifyKeySet.MAX_KEYS);
    }

    @Test
    void aKeyWithALongExponentVerifiesNothing() throws JOSEException {
        RSAKey pair = new RSAKeyGenerator(3072).keyID("slow").generate();
        RSAKey slow = new RSAKey.Builder(
                        pair.getModulus(),
                        com.nimbusds.jose.util.Base64URL.encode(
                                BigInteger.ONE.shiftLeft(3000).setBit(0)))
                .keyID("slow")
                .build();
        Tenant tenant = tenant(1, slow.toString());
        assertThat(fault(signed(JWSAlgorithm.RS256, "slow", "{}", new RSASSASigner(pair)), tenant))
                .isEqualTo(TokenFault.UNKNOWN_KEY);
    }

    @Test
    void aCostlyCurveHasATimeLimitAndANeighbourHasItsOwn() throws JOSEException {
        ECKey trusted = new ECKeyGenerator(Curve.P_521).keyID("k").generate();
        ECKey stranger = new ECKeyGenerator(Curve.P_521).keyID("k").generate();
        TenantKeys attacked = keys(tenant(1, trusted.toPublicJWK().toString()));
        TenantKeys neighbour = keys(tenant(2, trusted.toPublicJWK().toString()));
        String good = signed(JWSAlgorithm.ES512, "k", "{\"role\":\"anon\"}", new ECDSASigner(trusted));

        // The clock stands still, so that all of them come within one second.
        attacked.refusals().time().spend(Duration.ofMillis(100).toNanos(), NOW.toEpochMilli());
        String bad = signed(JWSAlgorithm.ES512, "k", "{}", new ECDSASigner(stranger));
        assertThat(fault(bad, attacked)).isEqualTo(TokenFault.TOO_MANY);
        assertThat(tokens.verify(good, neighbour)).isInstanceOf(UserTokens.Verified.class);

        var later = new UserTokens(Clock.fixed(NOW.plusSeconds(1), ZoneOffset.UTC));
        assertThat(later.verify(good, attacked)).isInstanceOf(UserTokens.Verified.class);
    }

    @Test
    void aRepeatedWrongTokenIsNotVerifiedAgain() throws JOSEException {
        ECKey trusted = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
        ECKey stranger = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
        TenantKeys keys = keys(tenant(1, trusted.toPublicJWK().toString()));
        String bad = signed(JWSAlgorithm.ES256, "k", "{}", new ECDSASigner(stranger));

        assertThat(keys.refusals().contains(bad, NOW.toEpochMilli())).isFalse();
        assertThat(fault(bad, keys)).isEqualTo(TokenFault.SIGNATURE);
        assertThat(keys.refusals().contains(bad, NOW.toEpochMilli())).isTrue();
        assertThat(keys.refusals().contains(bad, NOW.plusSeconds(11).toEpochMilli()))
                .isFalse();
        // Memory is bounded: a flood displaces the oldest, of this project alone.
        for (int i = 0; i < 10_000; i++) {
            keys.refusals().add("token" + i, NOW.toEpochMilli());
        }
        assertThat(keys.refusals().contains(bad, NOW.toEpochMilli())).isFalse();
        assertThat(keys.refusals().contains("token9999", NOW.toEpochMilli())).isTrue();
    }

    private TokenFault fault(String token, Tenant tenant) {
        return fault(token, keys(tenant));
    }

    private TokenFault fault(String token, TenantKeys keys) {
        UserTokens.Verdict verdict = tokens.verify(token, keys);
        assertThat(verdict).isInstanceOf(UserTokens.Refused.class);
        return ((UserTokens.Refused) verdict).why().fault();
    }

    private static TenantKeys keys(Tenant tenant) {
        return ForeignTokensTest.keys(tenant);
    }

    private static Tenant tenant(int project, String key) {
        String set = "{\"keys\":[" + key + "]}";
        return shared(
                project, new VerifyKey("idp", VerifyKeyType.JWKS, Optional.empty(), Optional.of(sealed(project, set))));
    }
}
