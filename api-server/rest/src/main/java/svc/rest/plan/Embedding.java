package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import svc.catalog.Relationship;
import svc.database.sql.Identifier;
import svc.rest.request.SelectItem.Join;

/**
 * An embedded resource.
 *
 * @param target its name in the request, without the alias
 * @param name its key in the response
 * @param lateral alias of its rows in the statement of the parent relation
 * @param junction alias of the junction, if there is one
 * @param shape how its rows appear in the response
 */
public record Embedding(
        String target,
        String name,
        Identifier lateral,
        Identifier junction,
        Relationship relationship,
        ReadPlan read,
        Optional<Join> join,
        Shape shape) {
    /** How the rows of an embedded resource appear in the parent row. */
    public enum Shape {
        /** An object, or null. */
        OBJECT,
        /** An array of objects. */
        ARRAY,
        /** Columns of the parent row. */
        SPREAD_OBJECT,
        /** Columns of the parent row, each an array. */
        SPREAD_ARRAY,
        /** Not in the response: it only filters or orders. */
        HIDDEN
    }

    /** Whether parent rows without it are left out. */
    public boolean inner() {
        return join.equals(Optional.of(Join.INNER));
    }

    /** The embedding with that alias, otherwise the first with that target. */
    static Optional<Embedding> named(List<Embedding> all, String name) {
        return all.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .or(() -> all.stream().filter(one -> one.target().equals(name)).findFirst());
    }
}
