package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Yaml;

/** {@code null} removes a default. The chart does without the value, or names it; no template stumbles over it. */
class NullValuesTest {
    /** What Go and Helm print in place of a value that is missing. */
    private static final Pattern MISSING = Pattern.compile("(?m)<nil>|<no value>|%!|: null$");

    @Test
    void everyValueMayBeNullOrIsAskedFor() {
        List<String> paths = new ArrayList<>();
        collect(Yaml.read(Chart.FOLDER.resolve("values.yaml")), "", paths);
        List<String> faults = new ArrayList<>();
        for (String path : paths) {
            try {
                if (MISSING.matcher(Chart.text(without(path))).find()) {
                    faults.add(path + " is rendered");
                }
            } catch (IllegalStateException refused) {
                String message = refused.getMessage();
                if (!message.contains("The chart cannot be installed") || !message.contains("- " + path + ": ")) {
                    faults.add(path + ": " + message);
                }
            }
        }

        assertThat(paths).hasSizeGreaterThan(300);
        assertThat(faults).isEmpty();
    }

    private static ObjectNode without(String path) {
        ObjectNode values = EveryValueIsUsedTest.everythingOn();
        values.withObject("/operator/autoscaling").put("enabled", true);
        if (path.startsWith("crds.")) {
            values.withObject("/crds").put("enabled", true);
        }
        if (path.startsWith("database.cnpg")) {
            values.withObject("/database").put("mode", "cnpg");
        }
        String[] keys = path.split("\\.");
        ObjectNode at = values;
        for (int i = 0; i < keys.length - 1; i++) {
            at = at.withObject("/" + keys[i]);
        }
        at.putNull(keys[keys.length - 1]);
        return values;
    }

    private static void collect(JsonNode node, String at, List<String> paths) {
        node.properties().forEach(entry -> {
            String path = at.isEmpty() ? entry.getKey() : at + "." + entry.getKey();
            // Keys with a dot belong to maps that are free.
            if (!entry.getKey().contains(".")) {
                paths.add(path);
                collect(entry.getValue(), path, paths);
            }
        });
    }
}
