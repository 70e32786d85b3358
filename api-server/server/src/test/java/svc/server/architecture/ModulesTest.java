package svc.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every Maven module is in the documents that lead to it, and in rules that cover its packages. */
@AnalyzeClasses(
        packages = "svc",
        importOptions = {ImportOption.DoNotIncludeTests.class, BoundariesTest.WithoutFixtures.class})
class ModulesTest {
    private static final Path REPOSITORY = Path.of("..", "..");

    /** Modules whose packages no rule covers, and why. */
    private static final Map<String, String> WITHOUT_RULES = Map.of(
            "testing", "fixtures of tests",
            "images", "one package, which runs when images are built",
            "standalone", "starts the others, and is built without their tests");

    @Test
    void eachIsInTheTableOfTheArchitecture() throws IOException {
        String table = between("docs/architecture.md", "| module |", "\n\n");

        assertThat(modules())
                .allSatisfy(module -> assertThat(table).containsPattern("[|,] `(?:[a-z-]+/)*" + name(module) + "`"));
    }

    @Test
    void eachIsInTheListOfNamesThatTestsTake() throws IOException {
        String names = between("docs/contributing.md", "Names are those of the folders", "\n\n");

        assertThat(modules()).allSatisfy(module -> assertThat(names).contains("`" + name(module) + "`"));
    }

    @Test
    void eachSaysWhatItIsInChargeOf() {
        assertThat(modules())
                .allSatisfy(module -> assertThat(module.resolve("README.md")).exists());
    }

    /** {@code BoundariesTest} analyses what the application consists of; other modules have rules of their own. */
    @ArchTest
    static void eachHasRules(JavaClasses analysed) {
        List<String> without = modules().stream()
                .filter(module -> !packages(module).isEmpty())
                .filter(module -> packages(module).stream().noneMatch(analysed::containPackage))
                .filter(module -> !hasOwnRules(module))
                .map(ModulesTest::name)
                .toList();

        assertThat(without).containsExactlyInAnyOrderElementsOf(WITHOUT_RULES.keySet());
    }

    private static boolean hasOwnRules(Path module) {
        return sources(module.resolve("src/test/java")).stream()
                .anyMatch(file -> read(file).contains("@AnalyzeClasses"));
    }

    private static List<String> packages(Path module) {
        Path root = module.resolve("src/main/java");
        return sources(root).stream()
                .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
                .distinct()
                .toList();
    }

    /** The modules that compile something: folders with a {@code pom.xml} that names no modules. */
    private static List<Path> modules() {
        List<Path> found = new ArrayList<>();
        collect(REPOSITORY, found);
        assertThat(found).hasSizeGreaterThan(20);
        return found;
    }

    private static void collect(Path folder, List<Path> found) {
        List<String> named = Pattern.compile("<module>([a-z-]+)</module>")
                .matcher(read(folder.resolve("pom.xml")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        if (named.isEmpty()) {
            found.add(folder);
        }
        named.forEach(name -> collect(folder.resolve(name), found));
    }

    private static String name(Path module) {
        return module.getFileName().toString();
    }

    private static String between(String document, String begin, String end) throws IOException {
        String text = Files.readString(REPOSITORY.resolve(document));
        assertThat(text).contains(begin);
        int from = text.indexOf(begin);
        return text.substring(from, text.indexOf(end, from));
    }

    private static List<Path> sources(Path folder) {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("while listing " + folder, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + file, e);
        }
    }
}
