package svc.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The recipes of CONTRIBUTING.md lead to classes and pages that exist. */
class RecipesTest {
    private static final Path REPOSITORY = Path.of("..", "..");
    private static final Pattern TYPE = Pattern.compile("`((?:[A-Z][a-z]+){1,6})(?:\\.[A-Z_]+)?`");
    private static final Pattern FILE = Pattern.compile("`((?:docs|svc/crds)/[a-z/]+\\.(?:md|yaml)|catalog\\.sql)`");

    @Test
    void everyFileThatTheyNameExists() throws IOException {
        String recipes = recipes();
        Set<String> types =
                TYPE.matcher(recipes).results().map(RecipesTest::name).collect(Collectors.toSet());
        Set<String> files =
                FILE.matcher(recipes).results().map(RecipesTest::name).collect(Collectors.toSet());
        assertThat(types).hasSizeGreaterThan(25);
        assertThat(files).hasSizeGreaterThan(4);

        try (Stream<Path> all = Files.walk(REPOSITORY)) {
            Set<Path> sources = all.filter(path -> !path.toString().contains("/target/"))
                    .filter(path -> !path.toString().contains("/node_modules/"))
                    .collect(Collectors.toSet());
            assertThat(types).allSatisfy(type -> assertThat(sources).anyMatch(path -> path.endsWith(type + ".java")));
            assertThat(files).allSatisfy(file -> assertThat(sources).anyMatch(path -> path.endsWith(file)));
        }
    }

    private static String recipes() throws IOException {
        String document = Files.readString(REPOSITORY.resolve("CONTRIBUTING.md"));
        return document.substring(document.indexOf("## Recipes"), document.indexOf("## Style"));
    }

    private static String name(MatchResult match) {
        return match.group(1);
    }
}
