package svc.crds.project.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.crds.project.auth.VerifyKeySet.Origin;

/** A key set holds few keys, each of which is cheap to verify with. */
class VerifyKeySetTest {
    private static final String EC = """
            {"kty":"EC","crv":"%s","kid":"e","x":"AQ","y":"AQ"}""";

    private static VerifyKeySet published(String... keys) {
        return VerifyKeySet.read(set(keys), Origin.PUBLISHED);
    }

    private static String set(String... keys) {
        return "{\"keys\":[" + String.join(",", keys) + "]}";
    }

    private static String rsa(String kid, int bits, String exponent) {
        return "{\"kty\":\"RSA\"," + (kid == null ? "" : "\"kid\":\"" + kid + "\",") + "\"n\":\"" + number(bits)
                + "\",\"e\":\"" + exponent + "\",\"x5c\":[\"a chain\"]}";
    }

    private static String number(int bits) {
        return Base64.getUrlEncoder()
                .encodeToString(BigInteger.ONE.shiftLeft(bits - 1).setBit(0).toByteArray());
    }

    @ParameterizedTest
    @CsvSource({"1024, false", "2047, false", "2048, true", "4096, true", "4097, false", "16384, false"})
    void anRsaKeyHasAUsualLength(int bits, boolean usable) {
        VerifyKeySet set = published(rsa("r", bits, "AQAB"));
        assertThat(set.keys()).hasSize(usable ? 1 : 0);
        assertThat(set.faults()).hasSize(usable ? 0 : 1);
    }

    @Test
    void anExponentAsLongAsTheModulusIsRefused() {
        assertThat(published(rsa("r", 3072, number(3071))).keys()).isEmpty();
        assertThat(published(rsa("r", 3072, "AQ")).keys()).isEmpty();
        assertThat(published(rsa("r", 3072, "AA")).keys()).isEmpty();
        assertThat(published(rsa("r", 3072, "Aw")).keys()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"P-256, 1", "P-384, 1", "P-521, 1", "secp256k1, 0", "P-192, 0", "'', 0"})
    void aCurveIsOneOfThree(String curve, int usable) {
        assertThat(published(EC.formatted(curve)).keys()).hasSize(usable);
    }

    @Test
    void aSetOfAThousandKeysGivesSixteen() {
        String[] keys = IntStream.range(0, 1000)
                .mapToObj(i -> "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"" + i + "\",\"x\":\"AQ\",\"y\":\"AQ\"}")
                .toArray(String[]::new);
        VerifyKeySet set = published(keys);
        assertThat(set.keys()).hasSize(VerifyKeySet.MAX_KEYS);
        assertThat(set.faults()).containsExactly("it has 1000 keys, and 16 may be used");
        assertThat(VerifyKeySet.fault(set(keys))).isPresent();
    }

    @Test
    void aSetOfAThousandBadKeysSaysLittle() {
        String bad = IntStream.range(0, 1000).mapToObj(i -> EC.formatted("x")).collect(Collectors.joining(","));
        assertThat(published(bad).faults()).hasSizeLessThanOrEqualTo(VerifyKeySet.MAX_KEYS);
    }

    @Test
    void severalKeysHaveDistinctNames() {
        assertThat(published(rsa(null, 2048, "AQAB")).keys()).hasSize(1);
        assertThat(published(rsa(null, 2048, "AQAB"), rsa("b", 2048, "AQAB")).faults())
                .containsExactly("key 1 has no kid: each needs one where there are several");
        assertThat(published(rsa("a", 2048, "AQAB"), rsa("a", 2048, "AQAB")).faults())
                .containsExactly("key 2 has the kid of another");
    }

    @Test
    void aSharedSecretComesFromASecretOnly() {
        String secret = "{\"kty\":\"oct\",\"k\":\"" + "A".repeat(43) + "\"}";
        assertThat(published(secret).keys()).isEmpty();
        assertThat(VerifyKeySet.read(set(secret), Origin.SECRET).keys()).hasSize(1);
        assertThat(VerifyKeySet.fault(set("{\"kty\":\"oct\",\"k\":\"AAAA\"}")))
                .contains("key 1 is shorter than 32 bytes");
    }

    @Test
    void whatIssuersPublishBesideIsIgnored() {
        VerifyKeySet set = published(
                rsa("a", 2048, "AQAB"),
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AQ\"}",
                "{\"kty\":\"RSA\",\"use\":\"enc\",\"n\":\"AQ\",\"e\":\"AQAB\"}",
                "5",
                "{}");
        assertThat(set.faults()).isEmpty();
        assertThat(set.keys()).hasSize(1);
        assertThat(set.keys().getFirst().has("x5c")).isFalse();
    }

    @Test
    void whatIsNoSetIsRefused() {
        for (String text :
                new String[] {"", "[]", "{}", "{\"keys\":5}", "no", "{\"keys\":[]} {}", "[".repeat(60_000)}) {
            assertThatThrownBy(() -> VerifyKeySet.read(text, Origin.SECRET))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(VerifyKeySet.fault(text)).isPresent();
        }
        assertThatThrownBy(() -> VerifyKeySet.read(" ".repeat(65_537), Origin.SECRET))
                .hasMessageContaining("65536");
        assertThat(VerifyKeySet.fault("{\"keys\":[]}")).isPresent();
    }
}
