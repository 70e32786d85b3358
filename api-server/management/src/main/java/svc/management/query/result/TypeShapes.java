package svc.management.query.result;

import java.util.Map;
import svc.postgres.script.CatalogType;

/** The shapes of a result's types: built-in ones by their fixed number, others by what the catalog says of them. */
final class TypeShapes {
    /** PostgreSQL lets no type contain itself; nobody nests them as deep as this either. */
    private static final int MAX_DEPTH = 32;

    private final Map<Integer, CatalogType> types;

    TypeShapes(Map<Integer, CatalogType> types) {
        this.types = types;
    }

    /** Text for a type that nobody knows (any more). */
    Shape of(int oid) {
        return of(oid, 0);
    }

    private Shape of(int oid, int depth) {
        CatalogType type = types.get(oid);
        if (type == null || depth > MAX_DEPTH) {
            return BuiltInShapes.shape(oid);
        }
        if (type.base() != 0) {
            return of(type.base(), depth + 1);
        }
        if (type.element() != 0) {
            // The delimiter is that of the element, and no type but the built-in box has one of its own.
            return new Shape.Array(of(type.element(), depth + 1), ',');
        }
        if (type.kind() == 'c') {
            return new Shape.Composite(type.fields().stream()
                    .map(field -> new Shape.Field(field.name(), of(field.typeOid(), depth + 1)))
                    .toList());
        }
        return type.name().equals("hstore") && type.kind() == 'b' ? new Shape.Hstore() : Shape.TEXT;
    }
}
