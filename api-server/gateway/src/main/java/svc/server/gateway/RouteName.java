package svc.server.gateway;

import io.vertx.core.http.HttpMethod;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Names a request in the log of this process, by its method, the pattern of its path and its project. Of the path only words of
 * the platform's own routes are repeated: names of tables, users and files, and tokens, become a star.
 */
record RouteName(HttpMethod method, Destination destination) implements Supplier<String> {
    private static final Set<HttpMethod> METHODS = Set.of(
            HttpMethod.GET,
            HttpMethod.HEAD,
            HttpMethod.POST,
            HttpMethod.PUT,
            HttpMethod.PATCH,
            HttpMethod.DELETE,
            HttpMethod.OPTIONS);

    private static final Set<String> WORDS = Set.of(
            "v1",
            "rest",
            "rpc",
            "auth",
            "storage",
            "realtime",
            "graphql",
            "functions", // services
            "signup",
            "token",
            "otp",
            "verify",
            "recover",
            "resend",
            "user",
            "logout",
            "factors",
            "admin",
            "users",
            "invite",
            "authorize",
            "callback",
            "settings",
            "generate_link",
            "identities",
            "reauthenticate",
            "object",
            "list",
            "list-v2",
            "move",
            "copy",
            "sign",
            "public",
            "authenticated",
            "info",
            "bucket",
            "upload",
            "resumable",
            "render",
            "image",
            "s3",
            "websocket",
            "api",
            "broadcast",
            "messages",
            "projects",
            "organizations",
            "database",
            "query",
            "migrations",
            "context",
            "branches",
            "secrets",
            "api-keys",
            "keys",
            "rotate",
            "config",
            "health",
            "logs",
            "types",
            "advisors",
            "deploy",
            "mcp",
            "oauth",
            "openapi.json",
            "docs");

    private static final int MAX_SEGMENTS = 7;

    @Override
    public String get() {
        String verb = METHODS.contains(method) ? method.name() : "an unknown method of";
        return switch (destination) {
            case Destination.Data data -> verb + " " + pattern(data.path()) + " of project " + data.ref();
            case Destination.Control control -> verb + " " + pattern(control.path()) + " of the control plane";
            case Destination.Probe probe -> verb + " a probe";
            case Destination.Nowhere nowhere -> verb + " an unknown host";
        };
    }

    private static String pattern(String path) {
        return Arrays.stream(path.split("/", MAX_SEGMENTS + 2))
                .skip(1)
                .limit(MAX_SEGMENTS)
                .map(segment -> segment.isEmpty() || WORDS.contains(segment) ? segment : "*")
                .collect(Collectors.joining("/", "/", ""));
    }
}
