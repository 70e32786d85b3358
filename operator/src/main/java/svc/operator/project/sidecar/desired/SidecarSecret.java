package svc.operator.project.sidecar.desired;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.crds.project.ActiveKey;
import svc.crds.project.ActiveKeys;
import svc.crds.project.Project;
import svc.crds.project.ProjectStatus;
import svc.database.key.KeyHolder;
import svc.database.key.MasterKey;
import svc.database.key.ProjectKeyScope;
import svc.database.key.ProjectLeaves;
import svc.database.key.Purpose;
import svc.operator.project.dedicated.DedicatedDatabase;
import svc.operator.project.keys.ProjectMasterKey;

/**
 * What a sidecar is given: the part of its Project that it reads, and the project's leaves of its purposes in the versions
 * that are accepted. No root, no login of the platform, no address of Redis or S3: it needs none.
 */
final class SidecarSecret {
    static final String PROJECT = "SVC_SIDECAR_PROJECT";
    static final String LEAVES = "SVC_SIDECAR_LEAVES";

    private static final List<String> METADATA = List.of("namespace", "name", "uid");
    private static final List<String> SPEC = List.of("name", "organization", "rest", "realtime");
    private static final List<String> STATUS =
            List.of("ref", "projectId", "incarnation", "masterKeyVersion", "restUrl", "keys", "database", "verifyKeys");
    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private SidecarSecret() {}

    /** By variable. @param now for the versions that are accepted */
    static Map<String, String> variables(
            Project project, ProjectStatus status, MasterKey master, ProjectKeyScope scope, Instant now) {
        return Map.of(
                PROJECT, base64(project(project, status)),
                LEAVES,
                        ProjectLeaves.of(master, scope, versions(status.keys(), now))
                                .export());
    }

    /** Without times of reconciliations: the same project has the same text, and no sidecar restarts for nothing. */
    private static String project(Project project, ProjectStatus status) {
        JsonNode resource = JSON.convertValue(project, JsonNode.class);
        ObjectNode described = JsonNodeFactory.instance.objectNode();
        described.set("apiVersion", resource.get("apiVersion"));
        described.set("kind", resource.get("kind"));
        described.set("metadata", part(resource.path("metadata"), METADATA));
        ObjectNode spec = part(resource.path("spec"), SPEC);
        spec.set("auth", part(resource.at("/spec/auth"), List.of("jwt")));
        described.set("spec", spec);
        ObjectNode served = part(JSON.convertValue(status, JsonNode.class), STATUS);
        served.set("conditions", claimed());
        described.set("status", served);
        return described.toString();
    }

    private static ArrayNode claimed() {
        ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
        conditions
                .addObject()
                .put("type", "Claimed")
                .put("status", "True")
                .put("lastTransitionTime", Instant.EPOCH.toString())
                .put("reason", "ClaimHeld")
                .put("message", "");
        return conditions;
    }

    private static ObjectNode part(JsonNode whole, List<String> names) {
        ObjectNode part = JsonNodeFactory.instance.objectNode();
        names.stream().filter(name -> whole.hasNonNull(name)).forEach(name -> part.set(name, whole.get(name)));
        return part;
    }

    private static Map<Purpose, Set<Integer>> versions(ActiveKeys keys, Instant now) {
        Map<Purpose, Set<Integer>> versions = new EnumMap<>(Purpose.class);
        for (Purpose purpose : KeyHolder.REALTIME_SIDECAR.purposes()) {
            versions.put(
                    purpose,
                    switch (purpose) {
                        case ANON_KEY -> accepted(keys.anon(), now);
                        case SERVICE_KEY -> accepted(keys.service(), now);
                        case SIGNING -> accepted(keys.signing(), now);
                        case SEALED -> Set.of(ProjectMasterKey.SEALING_KEY_VERSION);
                        case REPLICATION -> Set.of(DedicatedDatabase.REPLICATION_LOGIN_VERSION);
                        default -> Set.of(keys.database().version());
                    });
        }
        return versions;
    }

    private static Set<Integer> accepted(ActiveKey key, Instant now) {
        return key.acceptsPrevious(now) ? Set.of(key.version(), key.version() - 1) : Set.of(key.version());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
