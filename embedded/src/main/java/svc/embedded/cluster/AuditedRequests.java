package svc.embedded.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The requests of one ServiceAccount in the audit log of kube-apiserver. */
public record AuditedRequests(List<JsonNode> events) {
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CREATED = 201;
    private static final int FORBIDDEN = 403;

    /**
     * @param log see {@link ControlPlane#auditLog}
     * @param account of that namespace
     */
    public static AuditedRequests read(Path log, String namespace, String account) throws IOException {
        String user = SERVICE_ACCOUNT + namespace + ":" + account;
        try (Stream<String> lines = Files.lines(log)) {
            return new AuditedRequests(lines.filter(line -> line.endsWith("}"))
                    .map(AuditedRequests::parse)
                    .filter(event -> event.at("/user/username").asText().equals(user))
                    .toList());
        }
    }

    /** All but the first {@code count} requests. */
    public AuditedRequests since(int count) {
        return new AuditedRequests(events.subList(count, events.size()));
    }

    /** Those for objects of one namespace. */
    public AuditedRequests in(String namespace) {
        return new AuditedRequests(events.stream()
                .filter(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                .toList());
    }

    /** The permissions whose lack was answered 403 Forbidden. */
    public Set<String> refused() {
        Set<String> refused = new TreeSet<>();
        events.stream()
                .filter(event -> event.at("/responseStatus/code").asInt() == FORBIDDEN)
                .forEach(event -> refused.add(right(event, event.path("verb").asText())));
        return refused;
    }

    /** The permissions that were used, such as {@code patch svc.platform/projects/status}. */
    public Set<String> used() {
        Set<String> used = new TreeSet<>();
        for (JsonNode event : events) {
            used.add(right(event, event.path("verb").asText()));
            if (event.path("verb").asText().equals("patch")
                    && event.at("/responseStatus/code").asInt() == CREATED) {
                // An apply that creates is authorised as patch and as create.
                used.add(right(event, "create"));
            }
        }
        return used;
    }

    private static String right(JsonNode event, String verb) {
        JsonNode object = event.path("objectRef");
        String subresource = object.path("subresource").asText("");
        return verb + " " + object.path("apiGroup").asText("") + "/"
                + object.path("resource").asText()
                + (subresource.isEmpty() ? "" : "/" + subresource);
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new IllegalStateException("not a line of an audit log: " + line, e);
        }
    }
}
