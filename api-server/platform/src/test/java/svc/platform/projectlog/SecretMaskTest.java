package svc.platform.projectlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is masked, as a pattern says it, in a time that grows with the line. */
class SecretMaskTest {
    /** The definition. As a program it would read "eyJ" repeated in a time that grows with the square of the line. */
    private static final Pattern SECRET =
            Pattern.compile("(?:svc_[a-z]{2,12}_|sbp_|sb_(?:secret|publishable)_)[A-Za-z0-9_-]{12,}+"
                    + "|eyJ[A-Za-z0-9_-]{6,}+\\.[A-Za-z0-9_-]++(?:\\.[A-Za-z0-9_-]*+)?"
                    + "|(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{8,}+"
                    + "|(?<=://)[^\\s/:@]{1,64}+:[^\\s/@]{1,256}+(?=@)"
                    + "|(?<=[?&](?:token|apikey)=)[^&\\s\"']++"
                    + "|(?<=[?&](?:access_token|refresh_token|token_hash|code|secret|password)=)[^&\\s\"']++");

    private static final String[] PARTS = {
        "svc_",
        "pat",
        "_",
        "sbp_",
        "sb_",
        "secret",
        "publishable",
        "eyJ",
        ".",
        "Bearer ",
        "bearer ",
        "earer ",
        "://",
        ":",
        "@",
        "/",
        "?",
        "&",
        "token",
        "apikey",
        "access_token",
        "refresh_token",
        "token_hash",
        "code",
        "password",
        "=",
        "\"",
        "'",
        " ",
        "\n",
        "a",
        "abcdef",
        "0123456789",
        "ABCDEFGHIJKLMNOP",
        "-",
        "~",
        "ä",
        "😀"
    };

    @Test
    void masksWhatThePatternSays() {
        var random = new Random(20261126);
        for (int i = 0; i < 30_000; i++) {
            var text = new StringBuilder();
            for (int part = random.nextInt(12); part >= 0; part--) {
                String next = PARTS[random.nextInt(PARTS.length)];
                text.append(random.nextInt(20) == 0 ? next.repeat(30) : next);
            }
            assertThat(SecretMask.of(text.toString()))
                    .as("%s", text)
                    .isEqualTo(SECRET.matcher(text).replaceAll("[secret]"));
        }
    }

    /** Eight times as long: eight times the time, with the square sixty-four times. */
    @ParameterizedTest
    @ValueSource(
            strings = {"eyJ", "eyJabcdef.", "svc_ab_", "://a:b", "://a:", "?token", "bearer ", "eyJ_=", "sb_secret_"})
    void theTimeGrowsWithTheLine(String part) {
        String shortLine = part.repeat(4_000 / part.length());
        String longLine = part.repeat(32_000 / part.length());
        for (int i = 0; i < 20; i++) {
            SecretMask.of(shortLine);
        }
        long shortTime = fastest(shortLine);
        assertThat(fastest(longLine)).isLessThan(Math.max(24 * shortTime, 20_000_000));
    }

    /** In nanoseconds of this thread. */
    private static long fastest(String line) {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            SecretMask.of(line);
            fastest = Math.min(fastest, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
        }
        return fastest;
    }
}
