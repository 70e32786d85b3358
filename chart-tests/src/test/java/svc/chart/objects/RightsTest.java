package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;

/** The chart grants what {@code config/rbac} says, to the accounts of its pods, and nothing else. */
class RightsTest {
    private static final Rendering EVERYWHERE = Chart.render(Chart.valueSet("default"));
    private static final Rendering NAMED = Chart.render(Chart.valueSet("namespaced"));

    @ParameterizedTest
    @ValueSource(strings = {"operator", "control-plane", "data-plane"})
    void aComponentHasTheRulesOfItsFile(String component) throws IOException {
        JsonNode wanted =
                documented(component).get("ClusterRole", "svc-" + component).path("rules");

        assertThat(EVERYWHERE.get("ClusterRole", "svc-system-svc-" + component).path("rules"))
                .isEqualTo(wanted);
        for (String namespace : List.of("team-a", "team-b", "backends")) {
            assertThat(NAMED.objects())
                    .filteredOn(object -> Rendering.id(object).equals("Role/" + namespace + "/svc-" + component))
                    .singleElement()
                    .satisfies(role -> assertThat(role.path("rules")).isEqualTo(wanted));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader-election", "installation"})
    void inItsOwnNamespaceTheOperatorHasTheRolesOfItsFile(String what) throws IOException {
        assertThat(EVERYWHERE.get("Role", "svc-operator-" + what).path("rules"))
                .isEqualTo(documented("operator")
                        .get("Role", "svc-operator-" + what)
                        .path("rules"));
    }

    @Test
    void withNamedNamespacesNobodyHasARightInAll() {
        assertThat(NAMED.ofKind("ClusterRole")).isEmpty();
        assertThat(NAMED.ofKind("ClusterRoleBinding")).isEmpty();
    }

    @Test
    void theDataPlaneReadsNoSecret() {
        ObjectNode role = EVERYWHERE.get("ClusterRole", "svc-system-svc-data-plane");

        assertThat(role.toString()).doesNotContain("secrets");
    }

    @Test
    void rolesAreBoundToTheAccountsOfTheirPods() {
        for (Rendering rendering : List.of(EVERYWHERE, NAMED)) {
            Set<String> accounts = rendering.ofKind("ServiceAccount").stream()
                    .map(Rendering::id)
                    .collect(Collectors.toSet());
            for (ObjectNode binding : bindings(rendering)) {
                JsonNode subject = binding.at("/subjects/0");
                assertThat(accounts)
                        .contains("ServiceAccount/" + subject.path("namespace").asText() + "/"
                                + subject.path("name").asText());
                assertThat(binding.at("/roleRef/name").asText()).isEqualTo(Rendering.name(binding));
                assertThat(Rendering.name(binding))
                        .contains(subject.path("name").asText());
            }
        }
    }

    @Test
    void ownAccountsAreUsedAndNotMade() {
        Rendering own = Chart.render(Chart.valueSet("own-accounts"));

        assertThat(own.ofKind("ServiceAccount")).isEmpty();
        assertThat(bindings(own)).isEmpty();
        assertThat(own.deployment("control-plane")
                        .at("/spec/template/spec/serviceAccountName")
                        .asText())
                .isEqualTo("api");
    }

    private static List<ObjectNode> bindings(Rendering rendering) {
        return rendering.objects().stream()
                .filter(object -> Rendering.kind(object).endsWith("RoleBinding"))
                .toList();
    }

    private static Rendering documented(String component) throws IOException {
        return Rendering.of(Files.readString(Chart.REPOSITORY.resolve("config/rbac/" + component + ".yaml")));
    }
}
