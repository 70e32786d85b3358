package svc.database.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Every key that was ever handed out depends on these values. They were computed by a second implementation, written from
 * the RFCs in another language; a failure here means that an upgrade would lock every project out of its own keys.
 */
class KeyVectorsTest {
    private static final MasterKey MASTER = MasterKey.of(1, sequence(0, 1));
    private static final ProjectKeyScope PROJECT = new ProjectKeyScope(
            UUID.fromString("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"), Incarnation.of(sequence(255, -1)), 1);

    private static byte[] sequence(int first, int step) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (first + i * step);
        }
        return bytes;
    }

    private static KeyLeaf leaf(Purpose purpose) {
        return MASTER.root(purpose).leaf(PROJECT);
    }

    @Test
    void rootAndLeaf() {
        assertThat(MASTER.root(Purpose.API).export())
                .isEqualTo("svc_root_api_1_e4Kw2oU1DQS1lkclR2dzQu6l6G3Vd0lQ7vOXBHYm4GN25KWz9");
        assertThat(leaf(Purpose.API).export())
                .isEqualTo("svc_leaf_api_LM97ziL5ZDxmwJyj15QJNLN99Bmilo2J0oTZpFH4hTF0edb8f");
    }

    @Test
    void passwordsAndVerifiersOfTheFourLogins() {
        assertLogin(
                leaf(Purpose.OWNER),
                "kolA-7Ag4PPsWko-T_ja9xJmLtRrsOMAr7OBgpitpGU",
                "SCRAM-SHA-256$4096:H8q5fT9esn55pIUidr7y1A==$LfXrHQzS5tSg1G3zBD1oC9Hs5J1eIAl4uWfKvx+xx7E="
                        + ":9pl7M+SZGwM4UKpQpKwzRAbI8IolQcLxhzUcqtt15yQ=");
        assertLogin(
                leaf(Purpose.API),
                "4w-FouuqH2h3j2eEuapXW1PpRPpSxMCuUXrIhECwhhI",
                "SCRAM-SHA-256$4096:ilM9LxwKYWSEFYkzyTJw6g==$7mka/j3wRV4IWbao3ksEVqL0oiB7oHDh/bu+cm1Engg="
                        + ":7smkC6IVfLho6Ihnmk4mRpcitQKTQGnqMQ/V/SnMJRQ=");
        assertLogin(
                leaf(Purpose.SERVICE),
                "1VshrUdYkvOKAQNgM73se_dCUTHAOXLe--ZO5YavBrM",
                "SCRAM-SHA-256$4096:BHcZfvrK/Lz9jakRY6vfig==$VY0+urj8kwp/JxB5A9kvI8vB598VybTn91wjbnIjhA0="
                        + ":+WBSNb5kp28LTWHtHtrYNPDwVK1cAKCeo236Yr873Uo=");
        assertLogin(
                leaf(Purpose.SYSTEM),
                "Ro8FTog2xh4S2ERe1uaHlAJdgdm47KKK-fREZyfGTls",
                "SCRAM-SHA-256$4096:LT7Wm7vSPQ/pgqzLBjGlRA==$DdgIWHKlp4UDtLIiz2SlVUBU3soYpDmT79im66m65eA="
                        + ":0zYzLNbvmA3v2riH6KLn9upvdGgfdqLZ1wJ6JYp0XIo=");
    }

    @Test
    void platformLoginAndChannel() {
        assertLogin(
                MASTER.root(Purpose.LOGIN_CATALOG).platformLeaf(1),
                "874FdXhQabqNIxjxivAdfyY0hUhnrD8BRCf2-5bwcPw",
                "SCRAM-SHA-256$4096:vowQ8Vsu+S7lo4FXtWJGVg==$THRq19QpCIXf3iZQKXzt8juxhN8i3g1zByjmaACvtus="
                        + ":MLwCN04lGYUEgVWjCzVR4tBRvVyZ5ZISxMcUAtfL+vA=");
        assertThat(ChannelName.of(MASTER.root(Purpose.CHANNEL).platformLeaf(1)))
                .isEqualTo("svc_609c3854ceaede9b6c7baa19e0ca5d2a");
    }

    @Test
    void apiKeysOfTwoVersions() {
        KeyLeaf second = MASTER.root(Purpose.ANON_KEY).leaf(PROJECT.withKeyVersion(2));
        assertThat(ApiKey.of(leaf(Purpose.ANON_KEY)))
                .isEqualTo("svc_anon_W4i6EFRjST76AR8UgOUTAjOBIrHma7Y8DZSFxotRhs63IO6we");
        assertThat(ApiKey.of(second)).isEqualTo("svc_anon_YEleK783zX2piuIK7BfMw5iBGQO7yLg4DvNB1oq4nPB3RMveD");
        assertThat(ApiKey.of(leaf(Purpose.SERVICE_KEY)))
                .isEqualTo("svc_service_H0I9HHwczdSvOOJI6kljgWBgU7ckeiTQWS65O96hlJq47Td9S");
    }

    @Test
    void signingKey() {
        SigningKey key = SigningKey.of(leaf(Purpose.SIGNING));
        assertThat(key.publicJwk())
                .containsEntry("x", "1SMs7bTDnnbmjZpsvV9SPO0y61wag_nNknRG_OKB6Ss")
                .containsEntry("y", "eTLmIDePmXBBPmY-2GlVBEyy84zyqw2MvLC4w0Dqu4c")
                .containsEntry("kid", "Nj0wACqovByluv3Ri47RKQmLtOqxvoS7eQUcLM--rOg");
    }

    private static void assertLogin(KeyLeaf leaf, String password, String verifier) {
        LoginSecret login = LoginSecret.of(leaf);
        assertThat(login.password()).isEqualTo(password);
        assertThat(login.scramVerifier()).isEqualTo(verifier);
    }
}
