package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where the bound values of one statement stand: {@code $1} may stand in several places, and is a name if each of them reads it
 * as one. A value that is data in any place stays as it came. {@code $1 IS NULL} reads neither.
 */
final class ParameterUses {
    /** Places that read a name, or read nothing of the value, by identity. */
    private final Set<JsonNode> allowed = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Map<Integer, Set<NameKind>> kinds = new HashMap<>();
    private final Set<JsonNode> places = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Any node of the statement. */
    void visit(JsonNode node) {
        if (node.has("ParamRef")) {
            places.add(node.get("ParamRef"));
        } else if (node.has("nulltesttype")) {
            Nodes.parameter(node.path("arg")).ifPresent(allowed::add);
        }
    }

    /** A place that reads a name. */
    void name(JsonNode parameter, NameKind kind) {
        allowed.add(parameter);
        kinds.computeIfAbsent(number(parameter), any -> EnumSet.noneOf(NameKind.class))
                .add(kind);
    }

    BoundNames finish(SupabaseAliases names) {
        Set<Integer> data = new HashSet<>();
        for (JsonNode place : places) {
            if (!allowed.contains(place)) {
                data.add(number(place));
            }
        }
        kinds.keySet().removeAll(data);
        return kinds.isEmpty() ? BoundNames.NONE : new BoundNames(kinds, names);
    }

    private static int number(JsonNode parameter) {
        return parameter.path("number").asInt();
    }
}
