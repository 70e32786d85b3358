package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;
import svc.management.ControlPlanePath;
import svc.management.ControlPlanePath.Extent;

/** What the control plane serves is reachable through the chart's Ingress and HTTPRoute: no more, and no less. */
class ControlPlanePathsTest {
    /** A resource whose path is not in the table would answer 404, and no proxy would pass it on. */
    @Test
    void everyResourceOfTheControlPlaneIsInTheTable() {
        Set<String> templates = new TreeSet<>();
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("svc.management").stream()
                        .filter(type -> type.isAnnotatedWith(Path.class))
                        .forEach(type -> templates(type, templates));

        assertThat(templates)
                .hasSizeGreaterThan(50)
                .contains("/llms.txt")
                .allSatisfy(template -> assertThat(ControlPlanePath.of(template.replaceFirst("\\{.*", "")))
                        .as("%s in ControlPlanePath", template)
                        .isPresent());
    }

    private static void templates(JavaClass type, Set<String> into) {
        String root = type.getAnnotationOfType(Path.class).value();
        for (JavaMethod method : type.getMethods()) {
            // GET, POST and others: methods without are no routes.
            if (!method.isMetaAnnotatedWith(HttpMethod.class)) {
                continue;
            }
            String rest = method.isAnnotatedWith(Path.class)
                    ? method.getAnnotationOfType(Path.class).value()
                    : "";
            into.add(("/" + root + "/" + rest).replaceAll("/+", "/").replaceFirst("(?<=.)/$", ""));
        }
    }

    @Test
    void theIngressHasThePathsOfTheTable() {
        ObjectNode ingress = Chart.render(Chart.valueSet("ingress-tls")).get("Ingress", "svc-control-plane");
        Map<String, String> types = new TreeMap<>();
        Rendering.list(ingress.at("/spec/rules/0/http/paths"))
                .forEach(path -> types.put(
                        path.path("path").asText(), path.path("pathType").asText()));

        assertThat(types).isEqualTo(wanted("Prefix"));
    }

    @Test
    void theRouteHasThePathsOfTheTable() {
        ObjectNode route = Chart.render(Chart.valueSet("gateway")).get("HTTPRoute", "svc-control-plane");
        Map<String, String> types = new TreeMap<>();
        Rendering.list(route.at("/spec/rules/0/matches"))
                .forEach(match -> types.put(
                        match.at("/path/value").asText(), match.at("/path/type").asText()));

        assertThat(types).isEqualTo(wanted("PathPrefix"));
    }

    private static Map<String, String> wanted(String prefix) {
        Map<String, String> types = new TreeMap<>();
        Arrays.stream(ControlPlanePath.values())
                .forEach(path -> types.put(path.path(), path.extent() == Extent.EXACT ? "Exact" : prefix));
        return types;
    }

    /** Releases of ingress-nginx up to 1.12.5 and 1.13.1 refuse an Ingress with a dot in a path of type Exact or Prefix. */
    @Test
    void pathsWithADotMayHaveTheTypeThatOlderControllersTake() {
        ObjectNode values = Yaml.read(Chart.valueSet("ingress-tls"));
        values.withObject("/exposure/ingress").put("dottedPathType", "ImplementationSpecific");
        ObjectNode ingress = Rendering.of(Chart.text(values)).get("Ingress", "svc-control-plane");

        assertThat(Rendering.list(ingress.at("/spec/rules/0/http/paths")))
                .allSatisfy(path -> assertThat(path.path("pathType").asText().equals("ImplementationSpecific"))
                        .isEqualTo(path.path("path").asText().contains(".")));
    }

    @Test
    void theDocumentNamesThemForRoutesOfOnesOwn() throws IOException {
        String document = Files.readString(Chart.REPOSITORY.resolve("docs/install.md"));
        String routes = document.substring(document.indexOf("**Your own routes**"));

        assertThat(ControlPlanePath.values())
                .allSatisfy(path -> assertThat(routes.substring(0, 600)).contains("`" + path.path() + "`"));
    }
}
