package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README lists the known differences, and each is asserted by a contract test. */
class KnownDifferencesTest {
    private static final Path TESTS = Path.of("src/test/java/svc/embedded/kubernetes/contract");

    @Test
    void theReadmeListsThem() throws IOException {
        List<String> listed = Files.readAllLines(Path.of("README.md")).stream()
                .dropWhile(line -> !line.equals("## Known differences"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("- "))
                .map(line -> line.substring(2))
                .toList();
        assertThat(listed)
                .containsExactlyElementsOf(Arrays.stream(KnownDifference.values())
                        .map(KnownDifference::sentence)
                        .toList());
    }

    @Test
    void aTestAssertsEach() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.list(TESTS)) {
            for (Path file : files.toList()) {
                sources.append(Files.readString(file));
            }
        }
        for (KnownDifference difference : KnownDifference.values()) {
            assertThat(sources).contains("api.has(KnownDifference." + difference.name() + ")");
        }
    }
}
