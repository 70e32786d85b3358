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

    private static DerivedKey leaf(Purpose purpose) {
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
                "SCRAM-SHA-256$1:H8q5fT9esn55pIUidr7y1A==$kUWb6qynGWXyP2/UXBylTI0Hq/SHg+cENe5WryuB3I4="
                        + ":PD5Oiiq5ARMTPzTJfaqDAdtwoT5VBmYN/dCMi3ujoKc=");
        assertLogin(
                leaf(Purpose.API),
                "4w-FouuqH2h3j2eEuapXW1PpRPpSxMCuUXrIhECwhhI",
                "SCRAM-SHA-256$1:ilM9LxwKYWSEFYkzyTJw6g==$XhXFGISh0H7wc63pDeyh6H9PqaSPrqUEZ1hoQId/I8M="
                        + ":2GsuT968pLt4oWV9uNOeEEEWe6KPSi7Jo/nWSz+qrH4=");
        assertLogin(
                leaf(Purpose.SERVICE),
                "1VshrUdYkvOKAQNgM73se_dCUTHAOXLe--ZO5YavBrM",
                "SCRAM-SHA-256$1:BHcZfvrK/Lz9jakRY6vfig==$2rsHeEDZpqEqfZ7rUfLLi7p5FpP4oTriX9oRhQVBVCo="
                        + ":wPClvcA1Zi3rrsZraodUTr3l9dVUmcBoY4maivfeEpA=");
        assertLogin(
                leaf(Purpose.SYSTEM),
                "Ro8FTog2xh4S2ERe1uaHlAJdgdm47KKK-fREZyfGTls",
                "SCRAM-SHA-256$1:LT7Wm7vSPQ/pgqzLBjGlRA==$nKT/DisPiOIm9yyjPSBh+QWV1pQDgfKVgiskoIHgLC0="
                        + ":/8+dO+Kn12UUJK0eSzUnqy9KVLnfQx/P3zS29sZEmts=");
    }

    @Test
    void platformLoginAndChannel() {
        assertLogin(
                MASTER.root(Purpose.LOGIN_CATALOG).platformLeaf(1),
                "874FdXhQabqNIxjxivAdfyY0hUhnrD8BRCf2-5bwcPw",
                "SCRAM-SHA-256$1:vowQ8Vsu+S7lo4FXtWJGVg==$j64UbIBGvsWRd/aY88g5oCC9vs1KX9i3TzBotvHYWFU="
                        + ":Ofn0D0mWePNcWbzmbUtijj8MutAb0mufidFOhXcQpmM=");
        assertThat(ChannelName.of(MASTER.root(Purpose.CHANNEL).platformLeaf(1)))
                .isEqualTo("svc_609c3854ceaede9b6c7baa19e0ca5d2a");
    }

    @Test
    void apiKeysOfTwoVersions() {
        DerivedKey second = MASTER.root(Purpose.ANON_KEY).leaf(PROJECT.withKeyVersion(2));
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

    private static void assertLogin(DerivedKey leaf, String password, String verifier) {
        LoginSecret login = LoginSecret.of(leaf);
        assertThat(login.password()).isEqualTo(password);
        assertThat(login.scramVerifier()).isEqualTo(verifier);
    }
}
