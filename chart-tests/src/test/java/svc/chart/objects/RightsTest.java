package svc.chart.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.chart.support.Chart;
import svc.chart.support.Rendering;
import svc.chart.support.Yaml;

/** The chart grants what {@code config/rbac} says, to the accounts of its pods, and nothing else. */
class RightsTest {
    private static final Rendering EVERYWHERE = Chart.render(Chart.valueSet("cluster-wide"));
    private static final Rendering SERVED = Chart.render(Chart.valueSet("default"));
    private static final Rendering NAMED = Chart.render(Chart.valueSet("namespaced"));

    private static final Set<String> READING = Set.of("get", "list", "watch");

    /** A right on these leads to all rights: by a shell in a pod, or by a grant to oneself. */
    private static final Set<String> EVERYTHING = Set.of(
            "*",
            "pods/exec",
            "pods/attach",
            "roles",
            "rolebindings",
            "clusterroles",
            "clusterrolebindings",
            "serviceaccounts/token");

    @ParameterizedTest
    @ValueSource(strings = {"operator", "control-plane", "data-plane"})
    void aComponentHasTheRulesOfItsFile(String component) throws IOException {
        JsonNode wanted =
                documented(component).get("ClusterRole", "svc-" + component).path("rules");

        assertThat(EVERYWHERE.get("ClusterRole", "svc-system-svc-" + component).path("rules"))
                .isEqualTo(wanted);
        assertThat(rules(SERVED, "svc-system-projects", component)).isEqualTo(wanted);
        for (String namespace : List.of("team-a", "team-b", "backends")) {
            assertThat(rules(NAMED, namespace, component)).isEqualTo(wanted);
        }
    }

    private static JsonNode rules(Rendering rendering, String namespace, String component) {
        return rendering.objects().stream()
                .filter(object -> Rendering.id(object).equals("Role/" + namespace + "/svc-" + component))
                .findFirst()
                .orElseThrow()
                .path("rules");
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader-election", "installation"})
    void inItsOwnNamespaceTheOperatorHasTheRolesOfItsFile(String what) throws IOException {
        assertThat(EVERYWHERE.get("Role", "svc-operator-" + what).path("rules"))
                .isEqualTo(documented("operator")
                        .get("Role", "svc-operator-" + what)
                        .path("rules"));
    }

    /** The whole cluster is a choice that a value names. */
    @Test
    void onlyTheClusterWideChoiceGivesAnAccountRightsInAllNamespaces() {
        for (Path values : Chart.valueSets()) {
            Rendering rendering = Chart.render(values);
            if (Yaml.read(values).at("/platform/clusterWide").asBoolean()) {
                assertThat(rendering.ofKind("ClusterRoleBinding")).hasSize(3);
            } else {
                assertThat(rendering.ofKind("ClusterRoleBinding")).isEmpty();
                // These have no binding: an admin's RoleBinding to "view" or "edit" includes them.
                assertThat(rendering.ofKind("ClusterRole"))
                        .allSatisfy(
                                role -> assertThat(role.at("/metadata/labels").toString())
                                        .contains("rbac.authorization.k8s.io/aggregate-to-"));
            }
        }
        assertThat(NAMED.ofKind("ClusterRole")).isEmpty();
    }

    /** The platform's own Secrets are for the operator, by name of a Role that holds no other right. */
    @Test
    void inThePlatformsNamespaceThePlanesHaveNoRight() {
        for (Rendering rendering : List.of(SERVED, NAMED, EVERYWHERE)) {
            assertThat(rendering.ofKind("RoleBinding"))
                    .filteredOn(binding ->
                            binding.at("/metadata/namespace").asText().equals(Chart.NAMESPACE))
                    .extracting(Rendering::name)
                    .containsExactlyInAnyOrder("svc-operator-leader-election", "svc-operator-installation");
        }
    }

    @Test
    void theDataPlaneReadsNoSecretAndChangesNothingButTheNumberOfPods() {
        JsonNode rules =
                EVERYWHERE.get("ClusterRole", "svc-system-svc-data-plane").path("rules");

        assertThat(rules.toString()).doesNotContain("secrets");
        assertThat(Rendering.list(rules))
                .filteredOn(rule ->
                        Rendering.list(rule.path("verbs")).stream().anyMatch(verb -> !READING.contains(verb.asText())))
                .singleElement()
                .satisfies(rule -> {
                    assertThat(rule.path("resources").toString()).isEqualTo("[\"deployments/scale\"]");
                    assertThat(rule.path("verbs").toString()).isEqualTo("[\"get\",\"patch\"]");
                });
    }

    @Test
    void noAccountMayTakeMoreRightsOrEnterPods() {
        for (Rendering rendering : List.of(SERVED, NAMED, EVERYWHERE)) {
            rendering.objects().stream()
                    .filter(object -> Rendering.kind(object).endsWith("Role"))
                    .flatMap(role -> Rendering.list(role.path("rules")).stream())
                    .forEach(rule -> {
                        assertThat(Rendering.list(rule.path("resources")))
                                .noneMatch(resource -> EVERYTHING.contains(resource.asText()));
                        assertThat(rule.path("verbs").toString())
                                .doesNotContain("*", "escalate", "bind", "impersonate");
                    });
        }
    }

    @Test
    void rolesAreBoundToTheAccountsOfTheirPods() {
        for (Rendering rendering : List.of(SERVED, EVERYWHERE, NAMED)) {
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
