package svc.embedded.kubernetes.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one write did to the owned places of an object.
 *
 * @param set the places that are new or have another value
 * @param removed the places that are gone
 */
record FieldChanges(FieldSet set, FieldSet removed) {
    private static final FieldChanges NONE = new FieldChanges(FieldSet.EMPTY, FieldSet.EMPTY);

    /** All places of a value. */
    static FieldSet places(JsonNode value, MergeSchema schema) {
        Optional<Map<String, Elements.Part>> parts = Elements.of(value, schema);
        if (parts.isEmpty()) {
            // An associative list has no owner while it is empty: only its items have owners.
            boolean shared =
                    value.isArray() && value.isEmpty() && !(schema.list() instanceof MergeSchema.ListShape.Atomic);
            return shared ? FieldSet.EMPTY : FieldSet.LEAF;
        }
        Map<String, FieldSet> children = new TreeMap<>();
        parts.get().forEach((element, part) -> putUnlessEmpty(children, element, placesOfPart(element, part)));
        return new FieldSet(false, children);
    }

    // That an item is in a list is itself a fact with owners; that a field is in a map follows from what is below it.
    private static FieldSet placesOfPart(String element, Elements.Part part) {
        FieldSet places = places(part.value(), part.schema());
        return element.startsWith("f:") ? places : new FieldSet(true, places.children());
    }

    static FieldChanges between(JsonNode before, JsonNode after, MergeSchema schema) {
        if (before.equals(after)) {
            return NONE;
        }
        Optional<Map<String, Elements.Part>> old = Elements.of(before, schema);
        Optional<Map<String, Elements.Part>> now = Elements.of(after, schema);
        if (old.isEmpty() || now.isEmpty()) {
            FieldSet gone = old.isPresent() ? places(before, schema) : FieldSet.EMPTY;
            return new FieldChanges(places(after, schema), gone);
        }
        Map<String, FieldSet> set = new TreeMap<>();
        Map<String, FieldSet> removed = new TreeMap<>();
        now.get().forEach((element, part) -> {
            Elements.Part was = old.get().get(element);
            FieldChanges below = was == null
                    ? new FieldChanges(placesOfPart(element, part), FieldSet.EMPTY)
                    : between(was.value(), part.value(), part.schema());
            putUnlessEmpty(set, element, below.set());
            putUnlessEmpty(removed, element, below.removed());
        });
        old.get().forEach((element, part) -> {
            if (!now.get().containsKey(element)) {
                removed.put(element, placesOfPart(element, part));
            }
        });
        return new FieldChanges(new FieldSet(false, set), new FieldSet(false, removed));
    }

    private static void putUnlessEmpty(Map<String, FieldSet> into, String element, FieldSet set) {
        if (!set.isEmpty()) {
            into.put(element, set);
        }
    }
}
