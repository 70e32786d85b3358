package svc.management.mcp;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes the hints of {@code /v1} for clients of tools: a call of HTTP becomes the tool that does the same, because a model
 * makes no calls of HTTP. A call that no tool makes, or whose tool the client lacks, stays as it is. Pure.
 */
final class ToolWords {
    private static final Pattern CALL =
            Pattern.compile("\\b(GET|POST|PUT|PATCH|DELETE) (/v1/[A-Za-z0-9/_{}-]*[A-Za-z0-9}])");

    /** Tools by method and path, with * for each ref, id, version or name. */
    private static final Map<String, String> TOOLS = new TreeMap<>(Map.ofEntries(
            Map.entry("GET /v1/projects", "list_projects"),
            Map.entry("POST /v1/projects", "create_project"),
            Map.entry("GET /v1/projects/*", "get_project"),
            Map.entry("POST /v1/projects/*/pause", "pause_project"),
            Map.entry("POST /v1/projects/*/restore", "restore_project"),
            Map.entry("GET /v1/projects/*/api-keys", "get_publishable_keys"),
            Map.entry("POST /v1/projects/*/database/query", "execute_sql"),
            Map.entry("GET /v1/projects/*/database/migrations", "list_migrations"),
            Map.entry("POST /v1/projects/*/database/migrations", "apply_migration"),
            Map.entry("GET /v1/projects/*/functions", "list_edge_functions"),
            Map.entry("GET /v1/projects/*/functions/*", "get_edge_function"),
            Map.entry("POST /v1/projects/*/functions/deploy", "deploy_edge_function"),
            Map.entry("GET /v1/projects/*/functions/*/logs", "get_function_logs"),
            Map.entry("PUT /v1/projects/*/functions/secrets", "create_edge_function_secret"),
            Map.entry("GET /v1/projects/*/branches", "list_branches"),
            Map.entry("POST /v1/projects/*/branches", "create_branch"),
            Map.entry("DELETE /v1/branches/*", "delete_branch"),
            Map.entry("POST /v1/branches/*/reset", "reset_branch"),
            Map.entry("POST /v1/branches/*/merge", "merge_branch"),
            Map.entry("GET /v1/projects/*/config/auth", "get_auth_config"),
            Map.entry("PATCH /v1/projects/*/config/auth", "update_auth_config"),
            Map.entry("GET /v1/projects/*/config/storage", "get_storage_config"),
            Map.entry("PATCH /v1/projects/*/config/storage", "update_storage_config"),
            Map.entry("GET /v1/projects/*/storage/buckets", "list_storage_buckets"),
            Map.entry("GET /v1/organizations", "list_organizations")));

    /** Segments that are part of a route; every other one is a name. */
    private static final Set<String> ROUTES = Set.of(
            "v1",
            "projects",
            "pause",
            "restore",
            "api-keys",
            "database",
            "query",
            "migrations",
            "functions",
            "deploy",
            "logs",
            "secrets",
            "branches",
            "reset",
            "merge",
            "config",
            "auth",
            "storage",
            "buckets",
            "organizations");

    private ToolWords() {}

    /** @param shown names of the tools that the client has */
    static String of(String text, Set<String> shown) {
        Matcher calls = CALL.matcher(text);
        StringBuilder said = new StringBuilder();
        int end = 0;
        while (calls.find()) {
            Optional<String> tool = tool(calls.group(1), calls.group(2)).filter(shown::contains);
            if (tool.isPresent()) {
                said.append(text, end, calls.start()).append("the tool ").append(tool.get());
                end = calls.end();
            }
        }
        return said.append(text, end, text.length()).toString();
    }

    private static Optional<String> tool(String method, String path) {
        StringBuilder route = new StringBuilder(method).append(' ');
        for (String segment : List.of(path.substring(1).split("/", -1))) {
            route.append('/').append(ROUTES.contains(segment) ? segment : "*");
        }
        return Optional.ofNullable(TOOLS.get(route.toString()));
    }
}
