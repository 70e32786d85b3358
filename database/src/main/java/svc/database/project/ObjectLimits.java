package svc.database.project;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many objects of each kind a project may have in a shared database. The guard of DDL reads the ones that differ from the
 * default from a row of the database; a project with the defaults has no such row.
 */
public record ObjectLimits(Map<ObjectKind, Integer> differing) {
    /** Those of a project without limits in its spec. */
    public static final ObjectLimits STANDARD = new ObjectLimits(Map.of());

    /** @param differing a limit equal to the default is left out; one below 1 is refused */
    public ObjectLimits {
        Map<ObjectKind, Integer> others = new EnumMap<>(ObjectKind.class);
        differing.forEach((kind, limit) -> {
            if (limit < 1) {
                throw new IllegalArgumentException("the limit of " + kind.label() + " is " + limit + ", below 1");
            }
            if (limit != kind.standard()) {
                others.put(kind, limit);
            }
        });
        differing = Collections.unmodifiableMap(others);
    }

    /** As a JSON object, in the order of the kinds: equal limits have equal texts. */
    String json() {
        return differing.entrySet().stream()
                .map(limit -> "\"" + limit.getKey().label() + "\": " + limit.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
