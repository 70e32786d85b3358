package svc.database.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupabaseRefTest {
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
    private static final String CHARACTERS = LETTERS + "0123456789";

    private static String random(Random random) {
        StringBuilder ref = new StringBuilder();
        ref.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        while (ref.length() < 8) {
            ref.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return ref.toString();
    }

    @Test
    void eachRefHasOneSpellingOfTwentyLettersThatNamesItAlone() {
        Random random = new Random(25);
        Set<String> refs =
                new HashSet<>(List.of("aaaaaaaa", "a0000000", "j9999999", "zzzzzzzz", "abcdefgh", "a1b2c3d4"));
        while (refs.size() < 20_000) {
            refs.add(random(random));
        }
        Set<String> spellings = new HashSet<>();
        for (String ref : refs) {
            String spelling = SupabaseRef.of(ref);
            assertThat(spelling).matches("[a-z]{20}");
            assertThat(SupabaseRef.ref(spelling)).contains(ref);
            assertThat(spellings.add(spelling)).isTrue();
        }
    }

    @Test
    void itIsTheSameOnEveryInstanceForGood() {
        assertThat(SupabaseRef.of("abcd1234")).isEqualTo("abcdbcdeapjsemenugpa");
    }

    @Test
    void aTypingErrorNamesNoProject() {
        Random random = new Random(26);
        for (int i = 0; i < 500; i++) {
            String spelling = SupabaseRef.of(random(random));
            int at = random.nextInt(spelling.length());
            char other = LETTERS.charAt((spelling.charAt(at) - 'a' + 1 + random.nextInt(25)) % 26);
            String wrong = spelling.substring(0, at) + other + spelling.substring(at + 1);
            assertThat(SupabaseRef.ref(wrong)).as(wrong).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "abcd1234",
                "abcdefgh",
                "abcdefghijklmnopqrst",
                "ABCDEFGHIJKLMNOPQRST",
                "aaaaaaaaaaaaaaaaaaaa",
                "zzzzzzzzzzzzzzzzzzzz",
                "abcdefghijklmnopqrstu",
                "äbcdefghijklmnopqrst"
            })
    void otherTextsNameNone(String text) {
        assertThat(SupabaseRef.ref(text)).isEmpty();
        assertThat(SupabaseRef.ref(text + "\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1bcd1234", "abcd123", "abcd12345", "Abcd1234", "abcd-234", "abcd1234\n"})
    void whatIsNoRefHasNoSpelling(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SupabaseRef.of(text));
    }
}
