package svc.chart.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Yaml;

/** docs/install.md names tests that exist, and values that the chart has. */
class InstallDocumentTest {
    private static final Path DOCUMENT = Chart.REPOSITORY.resolve("docs/install.md");

    @Test
    void everyTestItNamesExists() throws IOException {
        Set<String> tests = new HashSet<>();
        for (String module :
                List.of("chart-tests", "images", "operator", "api-server/management", "api-server/server", "e2e")) {
            try (Stream<Path> files =
                    Files.walk(Chart.REPOSITORY.resolve(module).resolve("src/test/java"))) {
                files.forEach(file -> tests.add(file.getFileName().toString()));
            }
        }

        List<String> named = matches("`([A-Z][A-Za-z]+Test)`");

        assertThat(named).hasSizeGreaterThan(10);
        assertThat(tests).containsAll(named.stream().map(name -> name + ".java").toList());
    }

    @Test
    void everyValueItNamesExists() throws IOException {
        Set<String> values =
                Yaml.leaves(Yaml.read(Chart.FOLDER.resolve("values.yaml"))).keySet();

        List<String> named = matches(
                "`((?:platform|database|redis|s3|secrets|functions|exposure|crds|metrics|tests|global)\\.[A-Za-z.]+)");

        assertThat(named)
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(values)
                        .as(name)
                        .anyMatch(value -> value.equals(name) || value.startsWith(name + ".")));
    }

    private static List<String> matches(String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(DOCUMENT));
        return matcher.results().map(match -> match.group(1)).distinct().toList();
    }
}
