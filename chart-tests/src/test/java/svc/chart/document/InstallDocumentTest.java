package svc.chart.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.LintResult;
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
import org.junit.jupiter.api.io.TempDir;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** docs/install.md names tests that exist, and values that the chart has; its examples are installed as they are. */
class InstallDocumentTest {
    private static final Path DOCUMENT = Chart.REPOSITORY.resolve("docs/install.md");
    private static final Pattern VALUES_FILE = Pattern.compile("(?s)```yaml\n(# values.*?)```");
    private static final Pattern SET = Pattern.compile("--set ([A-Za-z0-9.]+)=([^ \\\\\n`]+)");
    private static final Pattern COMPONENT = Pattern.compile("^(operator|controlPlane|dataPlane)\\.");

    @Test
    void everyTestItNamesExists() throws IOException {
        Set<String> tests = new HashSet<>();
        for (String module : List.of(
                "chart-tests",
                "images",
                "operator",
                "api-server/functions",
                "api-server/gateway",
                "api-server/management/core",
                "api-server/management/projects",
                "api-server/management/sql",
                "api-server/management/pg-endpoint",
                "api-server/management/insight",
                "api-server/management/deploy",
                "api-server/management/logs",
                "api-server/management/mcp",
                "api-server/server",
                "e2e")) {
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
                "`((?:platform|database|redis|s3|mail|logs|storage|realtime|postgresEndpoint|secrets|functions|exposure|network|crds|rbac|metrics|tests|global|reconcile)\\.[A-Za-z0-9.]+)");

        assertThat(named)
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(values)
                        .as(name)
                        .anyMatch(value -> value.equals(name) || value.startsWith(name + ".")));
    }

    @Test
    void everyValuesFileItShowsIsInstalled(@TempDir Path scratch) throws IOException {
        List<String> files = VALUES_FILE
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(files).isNotEmpty();
        for (int i = 0; i < files.size(); i++) {
            Path file = Files.writeString(scratch.resolve(i + "-values.yaml"), files.get(i));
            LintResult lint = Chart.lint(file, Files.createDirectory(scratch.resolve("chart-" + i)));
            assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
            assertThat(Chart.render(file).ofKind("Deployment")).hasSize(3);
        }
    }

    @Test
    void theCommandOfTheChartsReadmeInstallsIt() throws IOException {
        ObjectNode values = settings(Files.readString(Chart.FOLDER.resolve("README.md")));

        assertThat(Rendering.of(Chart.text(values)).ofKind("Deployment")).hasSize(3);
    }

    @Test
    void theSettingsItShowsAreAccepted() throws IOException {
        ObjectNode values = settings(Files.readString(DOCUMENT));

        assertThat(values.isEmpty()).isFalse();
        assertThat(Rendering.of(Chart.text(Yaml.merged(Yaml.read(Chart.valueSet("default")), values)))
                        .ofKind("Deployment"))
                .hasSize(3);
    }

    /** Those of all {@code --set} in a text. */
    private static ObjectNode settings(String text) {
        ObjectNode values = Yaml.JSON.createObjectNode();
        SET.matcher(text).results().forEach(setting -> {
            String path = setting.group(1);
            int last = path.lastIndexOf('.');
            values.withObject("/" + path.substring(0, last).replace('.', '/'))
                    .put(path.substring(last + 1), setting.group(2));
        });
        return values;
    }

    @Test
    void ofEachValueItSaysWhatHappensWhenItIsWrong() throws IOException {
        String document = Files.readString(DOCUMENT);
        String section =
                document.substring(document.indexOf("\n## Wrong values\n"), document.indexOf("\n## Monitoring\n"));
        Set<String> described = new HashSet<>();
        section.lines()
                .filter(line -> line.startsWith("| "))
                .forEach(row -> Pattern.compile("(\\*component\\*)?`(\\.?[A-Za-z0-9.]+)`")
                        .matcher(row.split("\\|")[1])
                        .results()
                        .forEach(value -> described.add((value.group(1) == null ? "" : "component") + value.group(2))));

        List<String> missing = Yaml.leaves(Yaml.read(Chart.FOLDER.resolve("values.yaml"))).keySet().stream()
                .map(value -> COMPONENT.matcher(value).replaceFirst("component."))
                .filter(value ->
                        described.stream().noneMatch(name -> value.equals(name) || value.startsWith(name + ".")))
                .toList();
        assertThat(missing).as("values without a row").isEmpty();
    }

    private static List<String> matches(String pattern) throws IOException {
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(DOCUMENT));
        return matcher.results().map(match -> match.group(1)).distinct().toList();
    }
}
