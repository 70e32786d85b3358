package svc.sqlgate.mapping;

import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.sqlgate.script.EditedScript;
import svc.sqlgate.script.OverlappingEditsException;

/**
 * The values bound to {@code $1}, {@code $2}, … of a statement that are names of schemas, relations or roles: each is replaced as a
 * constant in its place would be. Pure.
 */
public final class BoundNames {
    /** Of a script without such values. */
    public static final BoundNames NONE = new BoundNames(Map.of(), SupabaseAliases.none());

    /** Of a value that is read; a name has 63 bytes, and an array of names a few thousand. */
    private static final int MAX_LENGTH = 64 * 1024;

    private final Map<Integer, Set<NameKind>> kinds;
    private final NameConstant constant;

    BoundNames(Map<Integer, Set<NameKind>> kinds, SupabaseAliases names) {
        this.kinds = Map.copyOf(kinds);
        this.constant = new NameConstant(names);
    }

    /** The places whose values are names, from 1. */
    public Set<Integer> places() {
        return kinds.keySet();
    }

    /**
     * A value with the project's names.
     *
     * @param place of the value, from 1
     * @param value in the server's text format
     */
    public String toProject(int place, String value) {
        Set<NameKind> read = kinds.getOrDefault(place, Set.of());
        if (read.isEmpty() || value.length() > MAX_LENGTH) {
            return value;
        }
        List<String> names =
                read.stream().map(kind -> replaced(kind, value)).distinct().toList();
        // Places that read the same text as different names: as with data, it stays.
        return names.size() == 1 ? names.getFirst() : value;
    }

    private String replaced(NameKind kind, String value) {
        try {
            return EditedScript.of(value, constant.edits(kind, value)).text();
        } catch (OverlappingEditsException e) {
            throw new IllegalStateException("overlapping names in one value", e);
        }
    }
}
