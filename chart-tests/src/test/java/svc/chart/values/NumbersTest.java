package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.chart.support.Chart;
import svc.chart.support.Yaml;

/** Helm reads numbers of a values file as floats. Each is rendered with all its digits. */
class NumbersTest {
    private static final int MILLION = 1_000_000;
    private static final Pattern EXPONENT = Pattern.compile(".*\\d[eE][+]\\d.*");
    private static final Pattern PADDED = Pattern.compile("(?<![0-9])1000000(?![0-9])");

    @Test
    void aMillionHasSevenDigitsInEveryNumber(@TempDir Path scratch) {
        ObjectNode values = EveryValueIsUsedTest.everythingOn();
        for (String component : new String[] {"operator", "controlPlane", "dataPlane"}) {
            values.withObject("/" + component + "/autoscaling").put("enabled", true);
        }
        Map<String, JsonNode> numbers = new TreeMap<>();
        Yaml.leaves(Yaml.read(Chart.FOLDER.resolve("values.yaml"))).forEach((path, value) -> {
            if (value.isNumber()) {
                numbers.put(path, value);
            }
        });
        numbers.keySet().forEach(path -> million(values, path));
        // A pod that sleeps so long is refused.
        for (String component : new String[] {"operator", "controlPlane", "dataPlane"}) {
            values.withObject("/" + component).put("terminationGracePeriodSeconds", 3 * MILLION);
            million(values, component + ".pdb.minAvailable");
        }
        million(values, "platform.port");

        for (String mode : new String[] {"external", "cnpg"}) {
            values.withObject("/database").put("mode", mode);
            String text = Chart.withoutSchema(values, scratch.resolve(mode));

            assertThat(numbers).hasSizeGreaterThan(40);
            assertThat(text.lines()).noneMatch(line -> EXPONENT.matcher(line).matches());
            assertThat(PADDED.matcher(text).results().count()).isGreaterThan(numbers.size());
        }
    }

    private static void million(ObjectNode values, String path) {
        int last = path.lastIndexOf('.');
        values.withObject("/" + path.substring(0, last).replace('.', '/')).put(path.substring(last + 1), MILLION);
    }
}
