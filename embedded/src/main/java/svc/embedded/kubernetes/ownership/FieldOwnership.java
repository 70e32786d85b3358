package svc.embedded.kubernetes.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.json.Meta;

/**
 * Field ownership of server-side apply: which manager owns which field, kept in {@code metadata.managedFields}.
 *
 * <p>Pure. An update makes its manager the owner of what it changed; an apply owns exactly what it says, gives up what
 * it no longer says, and conflicts with other owners of a value that it changes.
 */
public record FieldOwnership(String manager, String apiVersion, String subresource, MergeSchema schema, Instant now) {
    private static final List<String> SYSTEM_METADATA = List.of(
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "generation",
            "managedFields",
            "name",
            "namespace",
            "resourceVersion",
            "selfLink",
            "uid");

    /** Places another manager owns, and the value would change. */
    public record Conflict(String manager, String apiVersion, String operation, FieldSet places) {}

    /** The result of an apply: the merged object and the conflicts. */
    public record Applied(ObjectNode object, List<Conflict> conflicts) {}

    /**
     * Records a create, update or patch.
     *
     * @param before the state it replaced
     * @param after gets the entries; entries that the writer sent replace the stored ones, which
     *     is how kubectl moves an object from client-side to server-side apply
     */
    public void recordUpdate(JsonNode before, ObjectNode after) {
        FieldChanges changes = FieldChanges.between(before, after, schema);
        FieldSet set = owned(changes.set());
        FieldSet removed = owned(changes.removed());
        List<ManagedEntry> entries =
                entries(Meta.of(after).path("managedFields").isEmpty() ? before : after);
        if (set.isEmpty() && removed.isEmpty()) {
            write(after, entries);
            return;
        }
        ManagedEntry.Owner me = owner(ManagedEntry.Operation.UPDATE);
        FieldSet mine = set;
        List<ManagedEntry> result = new ArrayList<>();
        for (ManagedEntry entry : entries) {
            FieldSet left = entry.fields().minus(removed);
            if (entry.owner().sameManager(me)) {
                mine = left.union(mine);
            } else {
                result.add(entry.with(left.minus(set)));
            }
        }
        result.add(new ManagedEntry(me, time(), mine));
        write(after, result);
    }

    /**
     * Applies a configuration to the live object.
     *
     * @param applied the applied configuration; nulls, status or metadata that are not its business already taken out
     */
    public Applied apply(ObjectNode live, ObjectNode applied) {
        FieldSet wanted = owned(FieldChanges.places(applied, schema));
        ManagedEntry.Owner me = owner(ManagedEntry.Operation.APPLY);
        FieldSet before = FieldSet.EMPTY;
        FieldSet others = FieldSet.EMPTY;
        List<ManagedEntry> foreign = new ArrayList<>();
        for (ManagedEntry entry : entries(live)) {
            if (entry.owner().sameManager(me)) {
                before = entry.fields();
            } else {
                foreign.add(entry);
                others = others.union(entry.fields());
            }
        }
        JsonNode merged = AppliedMerge.overlay(live, applied, schema);
        FieldSet changed = owned(FieldChanges.between(live, merged, schema).set());
        List<Conflict> conflicts = new ArrayList<>();
        List<ManagedEntry> result = new ArrayList<>();
        for (ManagedEntry entry : foreign) {
            FieldSet collision = entry.fields().intersection(changed);
            if (!collision.isEmpty()) {
                conflicts.add(new Conflict(
                        entry.owner().manager(),
                        entry.owner().apiVersion(),
                        entry.owner().operation().name(),
                        collision));
            }
            result.add(entry.with(entry.fields().minus(collision)));
        }
        FieldSet kept = wanted.union(others);
        ObjectNode object = (ObjectNode)
                AppliedMerge.prune(merged, before.minus(kept), kept, schema).orElseGet(Json::object);
        result.add(new ManagedEntry(me, time(), wanted));
        write(object, result);
        return new Applied(object, conflicts);
    }

    private ManagedEntry.Owner owner(ManagedEntry.Operation operation) {
        return new ManagedEntry.Owner(manager, operation, apiVersion, subresource);
    }

    private String time() {
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Without the places that only the server writes. */
    private static FieldSet owned(FieldSet places) {
        FieldSet owned = places.without("f:apiVersion").without("f:kind");
        for (String field : SYSTEM_METADATA) {
            owned = owned.without("f:metadata", "f:" + field);
        }
        // An empty metadata map has no owner.
        return owned.child("f:metadata").equals(FieldSet.LEAF) ? owned.without("f:metadata") : owned;
    }

    private static List<ManagedEntry> entries(JsonNode object) {
        List<ManagedEntry> entries = new ArrayList<>();
        Meta.of(object).path("managedFields").forEach(entry -> entries.add(ManagedEntry.parse(entry)));
        return entries;
    }

    private static void write(ObjectNode object, List<ManagedEntry> entries) {
        ArrayNode list = Json.array();
        entries.stream().filter(entry -> !entry.fields().isEmpty()).forEach(entry -> list.add(entry.toJson()));
        ObjectNode meta = Json.child(object, "metadata");
        if (list.isEmpty()) {
            meta.remove("managedFields");
        } else {
            meta.set("managedFields", list);
        }
    }
}
