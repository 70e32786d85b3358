package svc.database.shared;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.project.companion.CompanionSchema;

/**
 * The functions of {@code auth}, {@code storage} and {@code realtime} that a shared database has once for all projects: in
 * {@code svc_auth} and so on, under Supabase's names.
 *
 * @param names of the functions, by the label of the companion that they stand in for
 */
public record CommonFunctions(Map<String, Set<String>> names) {
    private static final String PREFIX = "svc_";

    public CommonFunctions {
        names = Map.copyOf(names);
    }

    /** Those that the hardening of a shared database creates. */
    public static CommonFunctions ofSharedDatabase() {
        Map<String, Set<String>> names = new HashMap<>();
        for (CompanionSchema companion : CompanionSchema.values()) {
            names.put(companion.label(), new HashSet<>());
        }
        for (ScriptedObject object : SharedResources.load().objects()) {
            String identity = object.identity();
            int dot = identity.indexOf('.');
            if (object.kind().equals("function") && dot > 0 && identity.startsWith(PREFIX)) {
                Optional.ofNullable(names.get(identity.substring(PREFIX.length(), dot)))
                        .ifPresent(found -> found.add(identity.substring(dot + 1, identity.indexOf('('))));
            }
        }
        return new CommonFunctions(names);
    }

    /** The schema of these functions for a companion's label; empty for any other name. */
    public Optional<String> schema(String companion) {
        return names.containsKey(companion) ? Optional.of(PREFIX + companion) : Optional.empty();
    }

    /** The schema of one of them; empty for a name that is none. */
    public Optional<String> schema(String companion, String function) {
        return names.getOrDefault(companion, Set.of()).contains(function) ? schema(companion) : Optional.empty();
    }
}
