package svc.embedded.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The permissions that the roles of a manifest grant, in the form of {@link AuditedRequests#used}. */
public final class GrantedRights {
    private GrantedRights() {}

    /**
     * @param client any; it reads the manifest and asks nothing
     * @param chosen by the names of roles
     */
    public static Set<String> of(KubernetesClient client, Path manifest, Predicate<String> chosen) throws IOException {
        Set<String> granted = new TreeSet<>();
        try (var objects = Files.newInputStream(manifest)) {
            for (HasMetadata object : client.load(objects).items()) {
                List<PolicyRule> rules = switch (object) {
                    case ClusterRole role -> role.getRules();
                    case Role role -> role.getRules();
                    default -> List.of();
                };
                if (chosen.test(object.getMetadata().getName())) {
                    rules.forEach(rule -> rights(rule).forEach(granted::add));
                }
            }
        }
        return granted;
    }

    private static Stream<String> rights(PolicyRule rule) {
        return rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream()
                        .flatMap(
                                resource -> rule.getVerbs().stream().map(verb -> verb + " " + group + "/" + resource)));
    }
}
