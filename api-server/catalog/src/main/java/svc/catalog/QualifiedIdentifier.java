package svc.catalog;

import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/** The name of a relation, type or function with its schema, as the catalog has them: not quoted, not folded. */
public record QualifiedIdentifier(String schema, String name) implements Comparable<QualifiedIdentifier> {
    /** {@code "schema"."name"}: means the same under any search path. */
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
