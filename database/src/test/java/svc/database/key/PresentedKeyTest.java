package svc.database.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.Signature;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PresentedKeyTest {
    private static final MasterKey MASTER = MasterKey.of(1, new byte[32]);
    private static final ProjectKeyScope PROJECT = new ProjectKeyScope(new UUID(3, 4), Incarnation.of(new byte[32]), 1);
    private static final PurposeRoot ROOT = MASTER.root(Purpose.ANON_KEY);

    @Test
    void duringARotationTheMatchedVersionIsReturned() {
        String old = ApiKey.of(ROOT.leaf(PROJECT));
        String fresh = ApiKey.of(ROOT.leaf(PROJECT.withKeyVersion(2)));
        assertThat(ApiKey.matchingVersion(old, ROOT, PROJECT, List.of(2, 1))).hasValue(1);
        assertThat(ApiKey.matchingVersion(fresh, ROOT, PROJECT, List.of(2, 1))).hasValue(2);
        assertThat(ApiKey.matchingVersion(old, ROOT, PROJECT, List.of(2))).isEmpty();
    }

    @Test
    void theKeyOfAnotherKindProjectOrIncarnationIsNotAccepted() {
        String service = ApiKey.of(MASTER.root(Purpose.SERVICE_KEY).leaf(PROJECT));
        String neighbour = ApiKey.of(ROOT.leaf(new ProjectKeyScope(new UUID(4, 3), PROJECT.incarnation(), 1)));
        assertThat(ApiKey.matchingVersion(service, ROOT, PROJECT, List.of(1))).isEmpty();
        assertThat(ApiKey.matchingVersion(neighbour, ROOT, PROJECT, List.of(1))).isEmpty();
        assertThat(KeyKind.of(service)).contains(KeyKind.SERVICE);
    }

    @Test
    void anyChangedCharacterFailsTheChecksum() {
        String key = ApiKey.of(ROOT.leaf(PROJECT));
        for (int i = 0; i < key.length(); i++) {
            char other = key.charAt(i) == 'a' ? 'b' : 'a';
            assertThat(KeyKind.of(key.substring(0, i) + other + key.substring(i + 1)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "svc_anon_", "eyJhbGciOiJFUzI1NiJ9.e30.x", "svc_anon_💥"})
    void garbageIsNoKey(String presented) {
        assertThat(KeyKind.of(presented)).isEmpty();
        assertThat(ApiKey.matchingVersion(presented, ROOT, PROJECT, List.of(1))).isEmpty();
    }

    @Test
    void aBodyAboveTwoToThe256IsRefusedAlthoughItsChecksumFits() {
        // 43 digits of base 62 hold a little more than 256 bits; a second spelling of one key must not exist.
        ChecksummedText format = KeyKind.PAT.format();
        byte[] highest = new byte[32];
        Arrays.fill(highest, (byte) 0xff);
        assertThat(format.decode(format.encode(highest)))
                .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(highest));
        String above = "svc_pat_" + "z".repeat(43);
        CRC32 crc = new CRC32();
        crc.update(above.getBytes(StandardCharsets.UTF_8));
        StringBuilder checksum = new StringBuilder();
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        for (long rest = crc.getValue(), i = 0; i < 6; i++, rest /= 62) {
            checksum.insert(0, digits.charAt((int) (rest % 62)));
        }
        assertThat(format.accepts(above + checksum)).isFalse();
    }

    @Test
    void whatTheSigningKeySignsItsPublicHalfVerifies() throws Exception {
        SigningKey key = SigningKey.of(MASTER.root(Purpose.SIGNING).leaf(PROJECT));
        Signature signer = Signature.getInstance("SHA256withECDSAinP1363Format");
        signer.initSign(key.privateKey());
        signer.update(new byte[] {1, 2, 3});
        byte[] signature = signer.sign();
        Signature verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
        verifier.initVerify(key.publicKey());
        verifier.update(new byte[] {1, 2, 3});
        assertThat(verifier.verify(signature)).isTrue();
        assertThat(key.publicJwk()).containsKeys("kty", "crv", "x", "y", "kid").doesNotContainKey("d");
    }
}
