package svc.storage.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.text.Normalizer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.storage.http.StorageError;

/** Which names files may have, and what it costs to compare one that a stranger sends. */
class ObjectNameTest {
    /** Marks of two classes, in the order in which normalization moves each of the second kind to the front. */
    private static final String MARKS = "\u0301\u0316";

    /** Names as office programs, macOS and people write them. */
    static List<String> names() {
        return List.of(
                "John’s.pdf",
                "Q1 – Q2.pdf",
                "“report”.pdf",
                "wait….txt",
                "「报告」、（终）.pdf",
                "تقرير، ٢٠٢٤.pdf",
                "¡hola!.txt",
                "§5 · 10€.pdf",
                "10.00\u202fAM.png",
                "no\u00a0break.txt",
                "می\u200cخواهم.txt",
                "\u200fصورة.png",
                "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67\udb40\udc7f.png",
                "½ × 2 ± 1.txt",
                "a/’/b");
    }

    @ParameterizedTest
    @MethodSource("names")
    void punctuationOfAnyScriptIsAccepted(String name) {
        assertThat(ObjectName.accepted(name)).isEqualTo(Normalizer.normalize(name, Normalizer.Form.NFC));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\0b",
                "a\u001fb",
                "a\u007fb",
                "a\u0085b",
                "a\u2028b",
                "a\u2029b",
                "a\u200bb",
                "a\u202eb",
                "a\u2066b",
                "a\ufeffb",
                "a\uffffb",
                "a\ud800b",
                "a\u0378b",
                "a\\b",
                "a%b",
                "a#b",
                "a?\"b",
                "a<b",
                "a>b",
                "a|b",
                "a{b",
                "a}b",
                "a^b",
                "a[b",
                "a]b",
                "a~b",
                "a`b",
                "a\u1fefb",
                "/a",
                "a//b",
                "..",
                "a/./b"
            })
    void charactersOfControlAndOfPathsAreRefused(String name) {
        assertThatThrownBy(() -> ObjectName.accepted(name)).isInstanceOf(StorageError.class);
    }

    @Test
    void aRunOfMarksIsAsLongAsUnicodesStreamSafeFormHasIt() {
        String longest = "a" + "\u0301".repeat(30);
        assertThat(ObjectName.accepted(longest)).isEqualTo(Normalizer.normalize(longest, Normalizer.Form.NFC));
        assertThatThrownBy(() -> ObjectName.accepted("a" + "\u0301".repeat(31)))
                .isInstanceOf(StorageError.class)
                .hasMessageContaining("Invalid key");
    }

    @Test
    void aNameThatNoFileCanHaveIsItself() {
        for (String name : List.of("b" + MARKS.repeat(16), "u\u0308".repeat(5_000))) {
            assertThat(ObjectName.normal(name)).isEqualTo(name);
        }
        // Composed, it has 1,024 bytes.
        assertThat(ObjectName.accepted("u\u0308".repeat(512))).isEqualTo("\u00fc".repeat(512));
    }

    /** Two ways to a product: many marks in one name, and many names with some. */
    @Test
    void aNameOfMarksCostsAsMuchAsOneOfLetters() {
        String letters = "u\u0308".repeat(500);
        for (int i = 0; i < 60; i++) {
            ObjectName.normal(letters);
        }
        long linear = cpu(() -> {
            for (int i = 0; i < 60; i++) {
                ObjectName.normal(letters);
            }
        });
        assertThat(cpu(() -> ObjectName.normal("b" + MARKS.repeat(30_000)))).isLessThan(20 * linear);
        assertThat(cpu(() -> {
                    for (int i = 0; i < 60; i++) {
                        ObjectName.normal("b" + MARKS.repeat(500));
                    }
                }))
                .isLessThan(20 * linear);
    }

    private static long cpu(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        work.run();
        return threads.getCurrentThreadCpuTime() - before;
    }
}
