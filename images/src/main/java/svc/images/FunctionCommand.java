package svc.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * How the runner of functions starts in a pod: by the flags of {@code run/permissions.json}, without what belongs to one
 * machine. In a pod the NetworkPolicy closes private networks, but for the gateway, which may be in one; Deno closes what is
 * inside the pod and beside the node: loopback, link-local and metadata addresses.
 */
record FunctionCommand(List<String> entrypoint, Map<String, String> environment) {
    /** Private ranges, left to the NetworkPolicy; and 0.0.0.0, on which the process itself listens. */
    private static final Set<String> OPEN_IN_A_POD =
            Set.of("0.0.0.0/8", "[::]", "10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16");

    static FunctionCommand of(Path permissions, String deno, String run) throws IOException {
        JsonNode given = new ObjectMapper().readTree(Files.readAllBytes(permissions));
        List<String> command = new ArrayList<>(List.of(deno, "run"));
        command.addAll(texts(given.path("flags")));
        command.add("--allow-read=" + run);
        command.add("--deny-net="
                + texts(given.path("denied")).stream()
                        .filter(range -> !OPEN_IN_A_POD.contains(range))
                        .collect(Collectors.joining(",")));
        command.add("--v8-flags=" + String.join(",", texts(given.path("engine"))));
        command.add(run + "/main.ts");
        Map<String, String> environment = new TreeMap<>();
        given.path("environment")
                .properties()
                .forEach(entry ->
                        environment.put(entry.getKey(), entry.getValue().asText()));
        environment.put("DENO_DIR", "/tmp/deno");
        return new FunctionCommand(command, environment);
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
