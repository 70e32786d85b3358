package svc.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/glossary.md leads from a term of the field to the package that has it. */
class GlossaryTest {
    private static final Path REPOSITORY = Path.of("..", "..");
    private static final Path DOCUMENT = REPOSITORY.resolve("docs/glossary.md");

    @Test
    void everyPackageItNamesExists() throws IOException {
        List<String> named = Pattern.compile("`(svc\\.[a-z]+(?:\\.[a-z]+)*)`")
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();

        assertThat(named).hasSizeGreaterThan(30);
        assertThat(named).allSatisfy(name -> assertThat(sources(name)).isNotEmpty());
    }

    /** What a newcomer looks for first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "provisioning",
                "retry",
                "timeout",
                "pool",
                "refresh token",
                "rate limit",
                "informer",
                "finalizer",
                "bundle",
                "egress"
            })
    void anEverydayTermHasAnEntryWithItsPackage(String term) throws IOException {
        assertThat(Files.readAllLines(DOCUMENT))
                .anySatisfy(line -> assertThat(line.toLowerCase(Locale.ROOT))
                        .matches("\\|[^|]*\\b" + term + "\\b[^|]*\\|.*`svc\\..*"));
    }

    /** The folders of a package's sources, in whichever modules it is. */
    private static List<Path> sources(String name) {
        String folder = "src/main/java/" + name.replace('.', '/');
        try (Stream<Path> top = Files.list(REPOSITORY);
                Stream<Path> services = Files.list(REPOSITORY.resolve("api-server"));
                Stream<Path> controlPlane = Files.list(REPOSITORY.resolve("api-server/management"))) {
            return Stream.of(top, services, controlPlane)
                    .flatMap(modules -> modules)
                    .map(module -> module.resolve(folder))
                    .filter(Files::isDirectory)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException("while looking for " + name, e);
        }
    }
}
