package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import svc.catalog.Relationship;
import svc.database.sql.Identifier;
import svc.rest.request.SelectItem.Join;

/**
 * A related resource within the rows of another relation.
 *
 * @param target what the request calls it, without its alias
 * @param name what it is called in the answer
 * @param lateral what its rows or columns are called in the statement of the relation around it
 * @param junction what the relation in the middle is called, where there is one
 * @param shape how its rows stand in the answer
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
    /** How the rows of an embedded resource stand in the row around it. */
    public enum Shape {
        /** An object, or null. */
        OBJECT,
        /** An array of objects. */
        ARRAY,
        /** Columns of the row around it. */
        SPREAD_OBJECT,
        /** Columns of the row around it, each an array. */
        SPREAD_ARRAY,
        /** Not at all: it filters or orders. */
        HIDDEN
    }

    /** Whether rows without it are left out. */
    public boolean inner() {
        return join.equals(Optional.of(Join.INNER));
    }

    /** The one with that alias or, if there is none, the first of that target. */
    static Optional<Embedding> named(List<Embedding> all, String name) {
        return all.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .or(() -> all.stream().filter(one -> one.target().equals(name)).findFirst());
    }
}
