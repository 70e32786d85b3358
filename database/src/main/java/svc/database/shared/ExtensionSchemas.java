package svc.database.shared;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The schemas in which a database has, once for all of its projects, what an extension of a project brings: {@code svc_cron} for {@code cron}
 * and so on, under the extension's own names.
 *
 * @param members relations, functions and types of each, by the name of the schema that applications write
 */
public record ExtensionSchemas(Map<String, Set<String>> members) {
    private static final String PREFIX = "svc_";

    /** What applications call them. One in which the platform has nothing is none. */
    private static final List<String> LABELS = List.of("cron", "net", "pgmq", "supabase_functions", "vault");

    /** Of which a project has a schema of its own as well: the tables of its queues. */
    private static final Set<String> WITH_OWN = Set.of("pgmq");

    private static final Set<String> KINDS = Set.of("function", "view", "type");

    public ExtensionSchemas {
        members = Map.copyOf(members);
    }

    /** Those that the hardening of a shared database creates. */
    public static ExtensionSchemas ofSharedDatabase() {
        return of(SharedResources.load().objects());
    }

    /** Those that a database of one project gets. */
    public static ExtensionSchemas ofDedicatedDatabase() {
        return of(SharedResources.ofDedicated());
    }

    private static ExtensionSchemas of(List<ScriptedObject> objects) {
        Map<String, Set<String>> members = new HashMap<>();
        for (ScriptedObject object : objects) {
            String identity = object.identity();
            int dot = identity.indexOf('.');
            if (dot < 0 || !identity.startsWith(PREFIX) || !KINDS.contains(object.kind())) {
                continue;
            }
            String label = identity.substring(PREFIX.length(), dot);
            if (LABELS.contains(label)) {
                int arguments = identity.indexOf('(');
                members.computeIfAbsent(label, any -> new HashSet<>())
                        .add(identity.substring(dot + 1, arguments < 0 ? identity.length() : arguments));
            }
        }
        return new ExtensionSchemas(members);
    }

    /** Their names in the database. */
    public Set<String> schemas() {
        return members.keySet().stream().map(label -> PREFIX + label).collect(Collectors.toUnmodifiableSet());
    }

    /** What stands for a schema that applications name; empty for any other name, and where a project has its own. */
    public Optional<String> schema(String name) {
        return members.containsKey(name) && !WITH_OWN.contains(name) ? Optional.of(PREFIX + name) : Optional.empty();
    }

    /** The same for a qualifier of this object; empty for an object that the project has in a schema of its own. */
    public Optional<String> schema(String name, String object) {
        return members.getOrDefault(name, Set.of()).contains(object) ? Optional.of(PREFIX + name) : schema(name);
    }
}
