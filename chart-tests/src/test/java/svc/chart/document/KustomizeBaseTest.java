package svc.chart.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.chart.support.Chart;
import svc.chart.support.Kubectl;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** {@code config/default} is the chart's default rendering, for Kustomize. {@code -Dchart.write=true} writes it. */
class KustomizeBaseTest {
    private static final Path BASE = Chart.REPOSITORY.resolve("config/default");
    private static final String HEAD =
            "# Rendered from the chart by KustomizeBaseTest (chart-tests). Change the chart.\n";
    private static final Pattern OVERLAY = Pattern.compile("(?s)```yaml\n(# kustomization\\.yaml.*?)```");

    private static String rendered() {
        ObjectNode values = Yaml.read(Chart.valueSet("default"));
        values.withObject("/crds").put("enabled", false);
        return HEAD + Chart.withoutHelm(Chart.text(values));
    }

    @Test
    void itIsTheDefaultRendering() throws IOException {
        Path file = BASE.resolve("platform.yaml");
        if (Boolean.getBoolean("chart.write")) {
            Files.writeString(file, rendered());
        }

        assertThat(Files.readString(file))
                .as("write it: ./svc test -pl chart-tests -Dtest=KustomizeBaseTest -Dchart.write=true")
                .isEqualTo(rendered())
                .doesNotContain("helm.sh", "Helm");
    }

    @Test
    void kustomizeBuildsTheSameObjects(@TempDir Path scratch) throws Exception {
        String built = new Kubectl(scratch.resolve("none")).run("", "kustomize", BASE.toString());

        assertThat(objects(built)).hasSizeGreaterThan(25).isEqualTo(objects(rendered()));
    }

    /** Kustomize takes bases below or beside the overlay's folder by a relative path. */
    @Test
    void theOverlayOfTheDocumentChangesHostsAndImages(@TempDir Path scratch) throws Exception {
        Matcher overlay = OVERLAY.matcher(Files.readString(Chart.REPOSITORY.resolve("docs/install.md")));
        assertThat(overlay.find()).isTrue();
        Path folder = Files.createDirectories(scratch.resolve("overlay"));
        Path base = Files.createDirectories(scratch.resolve("svc/config/default"));
        for (String file : new String[] {"kustomization.yaml", "platform.yaml"}) {
            Files.copy(BASE.resolve(file), base.resolve(file));
        }
        Files.writeString(folder.resolve("kustomization.yaml"), overlay.group(1));

        String built = new Kubectl(scratch.resolve("none")).run("", "kustomize", folder.toString());

        assertThat(built)
                .contains("data.shop.example", "api.shop.example", "image: registry.shop.example/svc/operator:0.1.0")
                .doesNotContain("data.example.com", "api.example.com", "postgres.db.svc", "redis.cache.svc");
    }

    private static Map<String, ObjectNode> objects(String text) {
        Map<String, ObjectNode> objects = new TreeMap<>();
        Rendering.of(text).objects().forEach(object -> objects.put(Rendering.id(object), object));
        return objects;
    }
}
