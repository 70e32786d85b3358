package svc.embedded.kubernetes.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import svc.embedded.kubernetes.json.Json;

/**
 * A set of places in an object, immutable, in the shape of {@code fieldsV1}: {@code f:name} a field, {@code k:{…}} the
 * item of a list with these keys, {@code v:…} a value of a set.
 *
 * @param self whether the place itself belongs to the set
 * @param children the places below it
 */
public record FieldSet(boolean self, Map<String, FieldSet> children) {
    public static final FieldSet EMPTY = new FieldSet(false, Map.of());
    public static final FieldSet LEAF = new FieldSet(true, Map.of());

    /** Reads {@code fieldsV1}. */
    public static FieldSet parse(JsonNode fieldsV1) {
        if (fieldsV1.isEmpty()) {
            return LEAF;
        }
        Map<String, FieldSet> children = new TreeMap<>();
        boolean self = false;
        for (Map.Entry<String, JsonNode> entry : fieldsV1.properties()) {
            if (entry.getKey().equals(".")) {
                self = true;
            } else {
                children.put(entry.getKey(), parse(entry.getValue()));
            }
        }
        return new FieldSet(self, children);
    }

    /** Writes {@code fieldsV1}. */
    public ObjectNode toFieldsV1() {
        ObjectNode node = Json.object();
        if (self && !children.isEmpty()) {
            node.putObject(".");
        }
        children.forEach((element, child) -> node.set(element, child.toFieldsV1()));
        return node;
    }

    public boolean isEmpty() {
        return !self && children.isEmpty();
    }

    public FieldSet child(String element) {
        return children.getOrDefault(element, EMPTY);
    }

    public FieldSet union(FieldSet other) {
        if (isEmpty()) {
            return other;
        }
        if (other.isEmpty()) {
            return this;
        }
        Map<String, FieldSet> merged = new TreeMap<>(children);
        other.children.forEach((element, child) -> merged.merge(element, child, FieldSet::union));
        return new FieldSet(self || other.self, merged);
    }

    public FieldSet minus(FieldSet other) {
        return combine(
                other,
                self && !other.self,
                (mine, theirs) -> theirs.map(mine::minus).orElse(mine));
    }

    public FieldSet intersection(FieldSet other) {
        return combine(
                other,
                self && other.self,
                (mine, theirs) -> theirs.map(mine::intersection).orElse(EMPTY));
    }

    private FieldSet combine(
            FieldSet other, boolean keepsSelf, BiFunction<FieldSet, Optional<FieldSet>, FieldSet> each) {
        Map<String, FieldSet> left = new TreeMap<>();
        children.forEach((element, child) -> {
            FieldSet result = each.apply(child, Optional.ofNullable(other.children.get(element)));
            if (!result.isEmpty()) {
                left.put(element, result);
            }
        });
        return keepsSelf || !left.isEmpty() ? new FieldSet(keepsSelf, left) : EMPTY;
    }

    /** Without the place that these elements lead to, and all below it. */
    public FieldSet without(String... path) {
        return without(List.of(path));
    }

    private FieldSet without(List<String> path) {
        FieldSet child = children.get(path.getFirst());
        if (child == null) {
            return this;
        }
        Map<String, FieldSet> left = new TreeMap<>(children);
        FieldSet reduced = path.size() == 1 ? EMPTY : child.without(path.subList(1, path.size()));
        if (reduced.isEmpty()) {
            left.remove(path.getFirst());
        } else {
            left.put(path.getFirst(), reduced);
        }
        return self || !left.isEmpty() ? new FieldSet(self, left) : EMPTY;
    }

    /** Only what lies below one field of the object. */
    public FieldSet only(String element) {
        FieldSet child = child(element);
        return child.isEmpty() ? EMPTY : new FieldSet(false, Map.of(element, child));
    }

    /** The places as readable paths, such as {@code .spec.ports[port=80,protocol="TCP"]}. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        Collections.sort(paths);
        return paths;
    }

    private void collect(String prefix, List<String> paths) {
        if (self) {
            paths.add(prefix);
        }
        children.forEach((element, child) -> child.collect(prefix + readable(element), paths));
    }

    private static String readable(String element) {
        String text = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> "." + text;
            case 'v' -> "[=" + text + "]";
            default -> {
                List<String> pairs = new ArrayList<>();
                Json.parseOwn(text).properties().forEach(e -> pairs.add(e.getKey() + "=" + e.getValue()));
                yield "[" + String.join(",", pairs) + "]";
            }
        };
    }
}
