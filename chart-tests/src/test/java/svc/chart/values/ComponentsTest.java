package svc.chart.values;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Yaml;

/** Operator, control plane and data plane are set by the same keys. */
class ComponentsTest {
    @Test
    void theirKeysAreTheSame() {
        Set<String> operator = keys("operator");

        assertThat(operator).hasSizeGreaterThan(40);
        assertThat(keys("controlPlane")).isEqualTo(operator);
        assertThat(keys("dataPlane")).isEqualTo(operator);
    }

    private static Set<String> keys(String component) {
        ObjectNode values = Yaml.read(Chart.FOLDER.resolve("values.yaml"));
        return new TreeSet<>(Yaml.leaves(values.path(component)).keySet());
    }
}
