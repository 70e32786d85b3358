package svc.database.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Sealed text is read by its own project for its own purpose only. */
class SealedTextTest {
    private static final String PASSWORD = "correct horse ä😀";

    private final DerivedKey leaf = leaf(1, Purpose.SEALED);

    @Test
    void opensWhatItSealed() {
        assertThat(SealedText.open(
                        leaf,
                        SealedText.Use.ADOPTED_PASSWORD,
                        SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, PASSWORD)))
                .contains(PASSWORD);
        assertThat(SealedText.open(
                        leaf,
                        SealedText.Use.ADOPTED_PASSWORD,
                        SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, "")))
                .contains("");
    }

    @Test
    void sealsTheSameTextTheSameWayAndAnotherOtherwise() {
        String sealed = SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, PASSWORD);
        assertThat(SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, PASSWORD))
                .isEqualTo(sealed);
        assertThat(SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, PASSWORD + "!")
                        .substring(0, 16))
                .isNotEqualTo(sealed.substring(0, 16));
        assertThat(sealed).doesNotContain("horse").matches("[A-Za-z0-9_-]+");
    }

    @Test
    void isClosedToOtherProjectsPurposesAndUses() {
        String sealed = SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, PASSWORD);
        assertThat(SealedText.open(leaf(2, Purpose.SEALED), SealedText.Use.ADOPTED_PASSWORD, sealed))
                .isEmpty();
        assertThat(SealedText.open(leaf(1, Purpose.OWNER), SealedText.Use.ADOPTED_PASSWORD, sealed))
                .isEmpty();
        assertThat(SealedText.open(leaf, SealedText.Use.VERIFY_KEY, sealed)).isEmpty();
    }

    @Test
    void refusesWhatWasChanged() {
        String sealed = SealedText.seal(leaf, SealedText.Use.ADOPTED_PASSWORD, PASSWORD);
        for (int i = 0; i < sealed.length(); i++) {
            char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
            String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
            // The last character may hold bits that belong to no byte.
            if (i < sealed.length() - 1) {
                assertThat(SealedText.open(leaf, SealedText.Use.ADOPTED_PASSWORD, changed))
                        .as("at %d", i)
                        .isEmpty();
            }
        }
        for (String text : new String[] {"", "x", "not base64!", sealed.substring(0, 20)}) {
            assertThat(SealedText.open(leaf, SealedText.Use.ADOPTED_PASSWORD, text))
                    .as(text)
                    .isEmpty();
        }
    }

    private static DerivedKey leaf(int project, Purpose purpose) {
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) 7);
        return MasterKey.of(1, secret)
                .root(purpose)
                .leaf(new ProjectKeyScope(new UUID(0, project), Incarnation.of(new byte[Incarnation.BYTES]), 1));
    }
}
