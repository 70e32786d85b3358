package svc.embedded.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;

/**
 * The desired pods of a Deployment with one container, {@code function} if none is named. Pure.
 *
 * @param uid of the Deployment
 * @param generation that this was read from
 * @param replicas how many pods
 * @param templateHash identifies the version of the pods
 * @param secrets of the namespace whose content is the environment, in order
 * @param variables set one by one; they win over those of secrets
 * @param labels of the pods
 * @param memoryBytes at most
 * @param cpuMillis at most, in thousandths of a core
 * @param grace that a pod is given to stop
 * @param leaving how much of it passes before the process is asked to: it still takes what is on its way
 */
record DesiredPods(
        String namespace,
        String name,
        String uid,
        long generation,
        int replicas,
        String templateHash,
        List<String> secrets,
        Map<String, String> variables,
        Map<String, String> labels,
        String image,
        long memoryBytes,
        long cpuMillis,
        Duration grace,
        Duration leaving) {
    static final String CONTAINER = "function";

    /** The operator's label with the ref of a project. */
    private static final String PROJECT = "svc.platform/ref";

    private static final long DEFAULT_MEMORY = 256L << 20;
    private static final long DEFAULT_CPU = 1_000;
    private static final long DEFAULT_GRACE_SECONDS = 30;
    private static final int HASH_BYTES = 5;
    private static final Map<String, Long> UNITS =
            Map.of("Ki", 1L << 10, "Mi", 1L << 20, "Gi", 1L << 30, "k", 1_000L, "M", 1_000_000L, "G", 1_000_000_000L);

    /** Empty for a Deployment of something else, and for one that is being deleted. */
    static Optional<DesiredPods> of(ObjectNode deployment) {
        return of(deployment, CONTAINER);
    }

    /** The same for pods with another container. */
    static Optional<DesiredPods> of(ObjectNode deployment, String wanted) {
        JsonNode template = deployment.path("spec").path("template");
        for (JsonNode container : template.path("spec").path("containers")) {
            if (container.path("name").asText().equals(wanted) && !Meta.deleting(deployment)) {
                return Optional.of(read(deployment, template, container));
            }
        }
        return Optional.empty();
    }

    private static DesiredPods read(ObjectNode deployment, JsonNode template, JsonNode container) {
        List<String> secrets = new ArrayList<>();
        container
                .path("envFrom")
                .forEach(from -> secrets.add(from.path("secretRef").path("name").asText()));
        secrets.removeIf(String::isEmpty);
        Map<String, String> variables = new LinkedHashMap<>();
        for (JsonNode variable : container.path("env")) {
            if (variable.path("value").isTextual()) {
                variables.put(
                        variable.path("name").asText(), variable.path("value").asText());
            }
        }
        Map<String, String> labels = new LinkedHashMap<>();
        template.path("metadata")
                .path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        JsonNode limits = container.path("resources").path("limits");
        return new DesiredPods(
                Meta.namespace(deployment),
                Meta.name(deployment),
                Meta.uid(deployment),
                Meta.of(deployment).path("generation").asLong(),
                Math.max(0, deployment.path("spec").path("replicas").asInt(1)),
                hash(template),
                List.copyOf(secrets),
                variables,
                labels,
                container.path("image").asText(),
                quantity(limits.path("memory").asText())
                        .map(BigDecimal::longValue)
                        .orElse(DEFAULT_MEMORY),
                quantity(limits.path("cpu").asText())
                        .map(cores -> cores.movePointRight(3).longValue())
                        .orElse(DEFAULT_CPU),
                Duration.ofSeconds(template.path("spec")
                        .path("terminationGracePeriodSeconds")
                        .asLong(DEFAULT_GRACE_SECONDS)),
                Duration.ofSeconds(
                        container.at("/lifecycle/preStop/sleep/seconds").asLong()));
    }

    /** A Kubernetes quantity as a number; empty where there is none or it cannot be read. */
    static Optional<BigDecimal> quantity(String text) {
        int digits = 0;
        while (digits < text.length() && "0123456789.".indexOf(text.charAt(digits)) >= 0) {
            digits++;
        }
        try {
            var number = new BigDecimal(text.substring(0, digits));
            String unit = text.substring(digits);
            return switch (unit) {
                case "" -> Optional.of(number);
                case "m" -> Optional.of(number.movePointLeft(3));
                default ->
                    Optional.ofNullable(UNITS.get(unit))
                            .map(BigDecimal::valueOf)
                            .map(number::multiply);
            };
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String hash(JsonNode template) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Json.bytes(template));
            return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** What its use of the gateway counts against; a Deployment of no project is one of its own. */
    String project() {
        return labels.getOrDefault(PROJECT, toString());
    }

    String podName(int number) {
        return name + "-" + templateHash + "-" + number;
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
