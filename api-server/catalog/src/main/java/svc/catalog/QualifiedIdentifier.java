package svc.catalog;

import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/** The schema-qualified name of a relation, type or function, as the catalog stores it: not quoted, not case-folded. */
public record QualifiedIdentifier(String schema, String name) implements Comparable<QualifiedIdentifier> {
    /** {@code "schema"."name"}, independent of the search path. */
    public SqlFragment sql() {
        return Identifier.of(schema).dot(Identifier.of(name));
    }

    @Override
    public int compareTo(QualifiedIdentifier other) {
        int bySchema = schema.compareTo(other.schema);
        return bySchema != 0 ? bySchema : name.compareTo(other.name);
    }

    /** {@code schema.name}, for messages. */
    @Override
    public String toString() {
        return schema + "." + name;
    }
}
