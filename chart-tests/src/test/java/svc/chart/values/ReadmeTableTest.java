package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.DocumentedValue;
import svc.chart.support.Yaml;

/**
 * The table in the chart's README is made of the comments in values.yaml; {@code -Dchart.write=true} writes it. The three
 * components have one key set, so the table has it once.
 */
class ReadmeTableTest {
    private static final Path README = Chart.FOLDER.resolve("README.md");
    private static final String BEGIN = "<!-- values: made of the comments in values.yaml -->\n";
    private static final String END = "<!-- end of values -->\n";
    private static final String COMPONENT = "operator|controlPlane|dataPlane";

    @Test
    void theTableIsUpToDate() throws IOException {
        String readme = Files.readString(README);
        int from = readme.indexOf(BEGIN) + BEGIN.length();
        int to = readme.indexOf(END);
        String wanted = readme.substring(0, from) + "\n" + table() + "\n" + readme.substring(to);
        if (Boolean.getBoolean("chart.write")) {
            Files.writeString(README, wanted);
        }

        assertThat(Files.readString(README))
                .as("write it: mvn -pl chart-tests -am test -Dtest=ReadmeTableTest -Dchart.write=true"
                        + " -Dsurefire.failIfNoSpecifiedTests=false")
                .isEqualTo(wanted);
    }

    @Test
    void everyValueIsDescribed() throws IOException {
        Set<String> described = new TreeSet<>();
        DocumentedValue.all().forEach(row -> described.add(row.path()));

        List<String> missing = Yaml.leaves(values()).keySet().stream()
                .filter(leaf -> described.stream().noneMatch(path -> leaf.equals(path) || leaf.startsWith(path + ".")))
                .toList();
        assertThat(missing)
                .as("values without a comment that begins with two dashes")
                .isEmpty();
    }

    @Test
    void theComponentsAreDescribedInTheSameWords() throws IOException {
        Map<String, Set<String>> words = new TreeMap<>();
        for (DocumentedValue row : DocumentedValue.all()) {
            String common = row.path().replaceFirst("^(" + COMPONENT + ")\\.", "");
            if (!common.equals(row.path()) && !common.equals("autoscaling.enabled")) {
                words.computeIfAbsent(common, key -> new TreeSet<>()).add(row.description());
            }
        }

        assertThat(words)
                .hasSizeGreaterThan(40)
                .allSatisfy((path, said) -> assertThat(said).as(path).hasSize(1));
    }

    private static String table() throws IOException {
        StringBuilder table = new StringBuilder("| value | default | |\n|---|---|---|\n");
        for (DocumentedValue row : DocumentedValue.all()) {
            if (row.path().matches("(controlPlane|dataPlane)\\..*")) {
                continue;
            }
            String path = row.path().replaceFirst("^operator\\.", "*component*.");
            table.append("| `")
                    .append(path)
                    .append("` | ")
                    .append(defaults(row.path()))
                    .append(" | ")
                    .append(row.description().replace("|", "\\|").replace("<", "&lt;"))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String defaults(String path) {
        if (!path.startsWith("operator.")) {
            return shown(at(path));
        }
        String common = path.substring("operator.".length());
        JsonNode operator = at(path);
        JsonNode control = at("controlPlane." + common);
        JsonNode data = at("dataPlane." + common);
        return operator.equals(control) && operator.equals(data)
                ? shown(operator)
                : String.join(" · ", shown(operator), shown(control), shown(data));
    }

    private static JsonNode at(String path) {
        return values().at("/" + path.replace('.', '/'));
    }

    private static String shown(JsonNode value) {
        String text = value.isTextual() ? value.asText() : value.toString();
        return text.isEmpty() ? "–" : "`" + text + "`";
    }

    private static JsonNode values() {
        return Yaml.read(Chart.FOLDER.resolve("values.yaml"));
    }
}
