package svc.operator.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigMappings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.operator.config.OperatorConfig;
import svc.operator.function.status.FunctionReasons;
import svc.operator.function.variable.SecretReasons;
import svc.operator.project.database.FailureReason;
import svc.operator.project.failure.FailureMapper;
import svc.operator.project.failure.SpecFailures;
import svc.operator.project.status.ProjectEvents;
import svc.operator.project.status.Reasons;
import svc.operator.watch.report.WatchEvents;

/** docs/operator.md names every promise's test, every reason and every key, and none that does not exist; docs/operations.md tests. */
class OperatorDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "operator.md");

    private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");

    /** What is promised of a whole platform may be tested in any module. */
    private static final List<String> MODULES = List.of(
            "budget",
            "crds",
            "database",
            "operator",
            "api-server/platform",
            "api-server/postgres",
            "api-server/catalog",
            "api-server/sql-gate",
            "api-server/rest",
            "api-server/auth",
            "api-server/functions",
            "api-server/realtime",
            "api-server/storage",
            "api-server/graphql",
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
            "standalone",
            "images",
            "chart-tests",
            "e2e");

    @Test
    void everyTestItNamesExists() throws IOException {
        Set<String> files = new HashSet<>();
        for (String module : MODULES) {
            Path folder = Path.of("..", module, "src", "test", "java");
            if (Files.exists(folder)) {
                try (Stream<Path> tests = Files.walk(folder)) {
                    tests.forEach(file -> files.add(file.getFileName().toString()));
                }
            }
        }

        for (Path document : List.of(DOCUMENT, OPERATIONS)) {
            List<String> named = Pattern.compile("`([A-Z][A-Za-z]+Test)`")
                    .matcher(Files.readString(document))
                    .results()
                    .map(match -> match.group(1) + ".java")
                    .toList();

            assertThat(named).isNotEmpty();
            assertThat(files).containsAll(named);
        }
    }

    @Test
    void everyReasonIsInItsTable() throws IOException {
        Stream<String> ofDatabases = Stream.of(FailureReason.values()).map(FailureReason::conditionReason);

        assertThat(text())
                .contains(ofDatabases.map(reason -> "`" + reason + "`").toList());
        assertThat(text()).contains(constants(Reasons.class));
        assertThat(text()).contains(constants(FailureMapper.class));
        assertThat(text()).contains(constants(SpecFailures.class));
        assertThat(text()).contains(constants(ProjectEvents.class));
        assertThat(text()).contains(constants(FunctionReasons.class));
        assertThat(text()).contains(constants(SecretReasons.class));
        assertThat(text()).contains(constants(WatchEvents.class));
    }

    /** By its text in a test; the failures of databases are all provoked by one test, which takes the whole enum. */
    @Test
    void everyReasonOfItsTablesHasATest() throws IOException {
        String text = text();
        String tables = text.substring(text.indexOf("## Conditions"), text.indexOf("## A database of its own"));
        Set<String> reasons = Pattern.compile("`([A-Z][A-Za-z]+)`")
                .matcher(tables)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        StringBuilder tests = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
                tests.append(Files.readString(file));
            }
        }
        assertThat(tests.toString()).contains("Stream.of(FailureReason.values())");
        Stream.of(FailureReason.values()).map(FailureReason::conditionReason).forEach(reasons::remove);

        assertThat(reasons)
                .hasSizeGreaterThan(50)
                .allSatisfy(reason -> assertThat(tests).containsPattern("\"" + reason + "\"|, " + reason + ","));
    }

    @Test
    void everyKeyIsInItsTableAndNoOther() throws IOException {
        Set<String> keys =
                ConfigMappings.getProperties(ConfigMappings.ConfigClass.configClass(OperatorConfig.class))
                        .keySet()
                        .stream()
                        .filter(key -> !key.endsWith("[*]"))
                        .collect(Collectors.toSet());

        Set<String> named = Pattern.compile("^\\| `(svc\\.[^`]+)`", Pattern.MULTILINE)
                .matcher(text())
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toSet());

        assertThat(named).isEqualTo(keys);
    }

    private static List<String> constants(Class<?> holder) {
        return Stream.of(holder.getFields())
                .map(field -> {
                    try {
                        return "`" + field.get(null) + "`";
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    private static String text() throws IOException {
        return Files.readString(DOCUMENT);
    }
}
