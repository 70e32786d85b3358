package svc.management.query.result;

import java.util.Map;
import svc.postgres.script.CatalogType;

/** The shapes of a result's types: built-in ones by OID, others from the catalog. */
final class TypeShapes {
    /** PostgreSQL lets no type contain itself; real types do not nest as deep. */
    private static final int MAX_DEPTH = 32;

    private final Map<Integer, CatalogType> types;

    TypeShapes(Map<Integer, CatalogType> types) {
        this.types = types;
    }

    /** Text for an unknown or dropped type. */
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
            // The delimiter belongs to the element type, and only the built-in box has one of its own.
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
